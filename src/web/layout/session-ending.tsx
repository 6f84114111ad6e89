import { type ComponentType, useEffect, useState } from 'react'
import { late } from '../lib/late.ts'
import { type Ending, SOON_MS, useLeft } from './ending.ts'
import { useSessionState } from '../session/session.ts'

/** Says when a session ends soon. */
export function SessionEnding() {
  // Both come from here: the parent may hold an earlier answer.
  const { session, atMs } = useSessionState()
  return session?.signed_in && <LoadedNotice session={session} answeredAtMs={atMs} />
}

/** Loads the notice when it is needed, and tries again after each answer of the server. */
function LoadedNotice({ session, answeredAtMs }: Ending) {
  const nearAtMs = useLeft({ session, answeredAtMs }) < SOON_MS ? answeredAtMs : undefined
  const [Notice, setNotice] = useState<ComponentType>()
  useEffect(() => {
    if (nearAtMs === undefined) return
    late(import('./ending-notice.tsx')).then(
      ({ EndingNotice }) => setNotice(() => EndingNotice),
      () => {},
    )
  }, [nearAtMs])
  return Notice && <Notice />
}
