/** A newer build of the server: this page loads anew, at once or by a press. */
import { MINUTE_MS } from '../../contract/duration.ts'
import { placeOf } from '../../contract/page.ts'
import { loadAnew } from './router.ts'
import { useUi } from './ui.ts'

let own: string | undefined

/** @param build of this page; absent in development */
export const startBuild = (build: string | undefined): void => {
  own = build
}

/** When it did so: a server of two builds at once must not make the page load without end. */
const RELOADED = 'plimsoll.reloaded'

let pressedMs = 0

export const notePress = (): void => {
  pressedMs = Date.now()
}

/** Less than a minute after a reload, or after a press, whose result a person has seen by then. */
const isEarly = (): boolean => {
  const { [RELOADED]: reloadedMs = 0 } = (history.state ?? {}) as { [RELOADED]?: number }
  return Date.now() - Math.max(reloadedMs, pressedMs) < MINUTE_MS
}

/** Only if nothing is lost that was typed, or is shown once. */
export function upgrade(): void {
  if (isTyped() || isEarly()) useUi.setState({ isOutdated: true })
  else loadAnew(location.href, { ...history.state, [RELOADED]: Date.now() })
}

/**
 * Compares the build of an answer with that of this page. While a fleet is replaced, an older one may answer;
 * and the same sources may have been built twice. A page that finishes something of its own stays.
 */
export function noteBuild(build: string | null): void {
  if (own === undefined || build === null || build <= own) return
  const [name, ownName] = [build, own].map((one) => one.split('-')[1])
  if (name === ownName || ['callback', 'pair'].includes(placeOf(location.pathname).name)) return
  // A later answer is compared again.
  if (isEarly()) return
  // Once is enough.
  own = undefined
  upgrade()
}

/** True also for what was typed before the script ran. The slider of a chart holds nothing to lose. */
const isTyped = (): boolean =>
  document.querySelector('[data-once]') !== null ||
  [...document.querySelectorAll<HTMLInputElement>('main input:not([type=range])')].some(
    ({ value, defaultValue }) => value !== defaultValue,
  )
