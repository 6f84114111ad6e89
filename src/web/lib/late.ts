/** Loads code after the first load. A newer build has other file names, and the files of this page are gone. */
import { useEffect, useState } from 'react'
import { isReplaced, throwUnreachable } from './api.ts'
import { upgrade } from './upgrade.ts'

/**
 * Never settles if there is a newer build: the page loads anew.
 * @param href the address at which it does, if it is another one
 * @throws Problem `bff_unreachable`
 */
export async function late<Loaded>(loading: Promise<Loaded>, href?: string): Promise<Loaded> {
  try {
    return await loading
  } catch (cause) {
    if (!(await isReplaced())) throwUnreachable(cause)
    upgrade(href)
    return new Promise(() => {})
  }
}

/** Code of a page that the server draws, where nothing may suspend: absent until it is there. */
export function useLate<Loaded>(load: () => Promise<Loaded>): Loaded | undefined {
  const [found, setFound] = useState<{ loaded: Loaded } | { cause: unknown }>()
  useEffect(() => {
    load().then(
      (loaded) => setFound({ loaded }),
      (cause: unknown) => setFound({ cause }),
    )
  }, [load])
  if (found && 'cause' in found) throw found.cause
  return found?.loaded
}
