/** Names a browser so that a person recognizes it: `Firefox on Linux`. The header itself is not stored. */
import { ANOTHER_BROWSER, type COARSE_BROWSERS, type COARSE_SYSTEMS } from '../../contract/chosen-name.ts'

type Names<Name> = readonly (readonly [pattern: RegExp, name: Name])[]

// A browser that claims to be another one as well comes before that one.
const BRANDS: Names<(typeof COARSE_BROWSERS)[number]> = [
  [/"Microsoft Edge"/, 'Edge'],
  [/"Opera"/, 'Opera'],
  [/"Brave"/, 'Brave'],
  [/"Google Chrome"/, 'Chrome'],
]
const BROWSERS: Names<(typeof COARSE_BROWSERS)[number]> = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/(?:OPR|OPT|OPiOS)\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/Version\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
]
const SYSTEMS: Names<(typeof COARSE_SYSTEMS)[number]> = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS|Chrome OS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|macOS/, 'Mac'],
  [/Linux/, 'Linux'],
]

const nameIn = (names: Names<string>, text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** Uses `Sec-CH-UA` and `Sec-CH-UA-Platform` if they name one, else `User-Agent` (RFC 9110 10.1.5). */
export function browserName(headers: Request['headers']): string {
  const header = (name: string): string => headers.get(name)?.slice(0, 512) ?? ''
  const browser = nameIn(BRANDS, header('Sec-CH-UA')) ?? nameIn(BROWSERS, header('User-Agent'))
  const system = nameIn(SYSTEMS, header('Sec-CH-UA-Platform')) ?? nameIn(SYSTEMS, header('User-Agent'))
  if (browser === undefined) return ANOTHER_BROWSER
  return system === undefined ? browser : `${browser} on ${system}`
}
