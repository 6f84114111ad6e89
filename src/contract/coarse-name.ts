/** The name of a browser for which nobody has chosen one, such as `Firefox on Linux`. */

export const COARSE_BROWSERS = [
  'Edge',
  'Opera',
  'Brave',
  'Chrome',
  'Samsung Internet',
  'Firefox',
  'Safari',
] as const
export const COARSE_SYSTEMS = ['iPhone', 'iPad', 'Android', 'ChromeOS', 'Windows', 'Mac', 'Linux'] as const
/** Also for a client that is no browser. */
export const ANOTHER_BROWSER = 'Another browser'

const COARSE = new RegExp(
  `^(?:${ANOTHER_BROWSER}|(${COARSE_BROWSERS.join('|')})(?: on (${COARSE_SYSTEMS.join('|')}))?)$`,
)

/** The parts of a coarse name; {@link ANOTHER_BROWSER} has none. `undefined` for a chosen name. */
export function coarseParts(
  name: string,
): { [part in 'browser' | 'system']: string | undefined } | undefined {
  const found = COARSE.exec(name)
  return found ? { browser: found[1], system: found[2] } : undefined
}
