/** Loads code after the first load. A newer build has other file names, and the files of this page are gone. */
import { MINUTE_MS } from '../../contract/duration.ts'
import { isReplaced, throwUnreachable } from './api.ts'
import { loadAnew } from './router.ts'
import { useUi } from './ui.ts'

/** When it did so: a server of two builds at once must not make the page load without end. */
const RELOADED = 'plimsoll.reloaded'

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
    const isTyped = [...typed].some(({ isConnected, value }) => isConnected && value !== '')
    const state = history.state as { [RELOADED]?: number } | null
    const isReloaded = Date.now() - (state?.[RELOADED] ?? 0) < MINUTE_MS
    if (isTyped || isReloaded) useUi.setState({ isOutdated: true })
    else loadAnew(href ?? location.href, { ...state, [RELOADED]: Date.now() })
    return new Promise(() => {})
  }
}

const typed = new Set<HTMLInputElement>()
// The server, which draws pages too, has no such function.
globalThis.addEventListener?.('input', ({ target }) => {
  if (target instanceof HTMLInputElement) typed.add(target)
})
