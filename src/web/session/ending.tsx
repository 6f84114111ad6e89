import { useQuery } from '@tanstack/react-query'
import { SECOND_MS } from '../../contract/duration.ts'
import { PATHS } from '../../contract/page.ts'
import type { SignedIn } from '../../contract/session.ts'
import { onServer, useNow } from '../lib/clock.ts'
import { followLink } from '../lib/router.ts'
import { dateWords, spanWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { ENDS_SOON_MS, sessionQuery } from './query.ts'

/** Says when a session ends soon. The page has asked before, which extends every session that can go on. */
export function SessionEnding({ session: own }: { session: SignedIn }) {
  const nowMs = useNow()
  const { data: session, dataUpdatedAt, isError } = useQuery(sessionQuery(own))
  const lastsMs = session.ends_in * SECOND_MS
  const endsAtMs = dataUpdatedAt + lastsMs
  const leftMs = Math.max(0, endsAtMs - nowMs)
  if (leftMs > ENDS_SOON_MS || (lastsMs > ENDS_SOON_MS && !isError)) return null
  const t = words().sessionEnding
  return (
    <div className="notice">
      <p>
        <time dateTime={new Date(onServer(endsAtMs)).toISOString()} title={dateWords(onServer(endsAtMs))}>
          {t.endsIn(spanWords(leftMs))}
        </time>{' '}
        <a href={PATHS.organizations} onClick={followLink}>
          {t.again}
        </a>
      </p>
    </div>
  )
}
