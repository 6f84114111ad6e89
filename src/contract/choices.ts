/** A person's choices in this browser, and its time zone. The page writes the cookie; the server reads it. */

export type Theme = 'light' | 'dark'

export interface Choices {
  /** The tag of a language that the page may have. */
  language?: string | undefined
  theme?: Theme | undefined
  /** IANA, such as `Asia/Tokyo`, if {@link isZone} says so of what was read. */
  zone?: string | undefined
  /** The sign-in page of this browser has something to show that the server does not know. */
  isOwn?: boolean | undefined
}

const VERSION = 'v1'
const NONE = '-'
const OWN = 'own'

/** As `v1.ja.dark.Asia%2FTokyo.-`. */
export const writeChoices = ({ language, theme, zone, isOwn }: Choices): string =>
  [VERSION, language ?? NONE, theme ?? NONE, zone ? encodeURIComponent(zone) : NONE, isOwn ? OWN : NONE].join(
    '.',
  )

/** A part that is not known counts as absent: another version of the page may have written it. */
export function readChoices(value = ''): Choices {
  const [version, language = '', theme, zone = '', own] = value.split('.')
  if (version !== VERSION) return {}
  return {
    ...(/^[a-z]{2}$/.test(language) && { language }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
    zone: decoded(zone),
    ...(own === OWN && { isOwn: true }),
  }
}

function decoded(written: string): string | undefined {
  try {
    return written === '' || written === NONE ? undefined : decodeURIComponent(written)
  } catch {
    return undefined
  }
}

/** A browser takes long for its first answer, so only the server asks. */
export function isZone(timeZone: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
