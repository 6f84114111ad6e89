/** Says which redirect URIs may be registered (5.2): whole http(s) addresses, of the schemes and in the number that are chosen. */
import type { Choices } from '../choices/choices.ts'

export const LONGEST_REDIRECT_URI = 2000
const MOST_REDIRECT_URIS = 10

/** RFC 3986 2: nothing but what a URI is written with, a percent sign with its two digits. */
const WRITTEN_AS_URI = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/
/** This machine, in every writing that a URL parser leaves of it (RFC 8252 7.3). */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Which schemes are accepted (U16); what is refused is told with the sentence. */
const SCHEMES: Record<Choices['redirscheme'], { accepts: (url: URL) => boolean; else: string }> = {
  // RFC 9700 2.6, RFC 6749 3.1.2.1
  https_or_loopback: {
    accepts: (url) => url.protocol === 'https:' || LOOPBACK.test(url.hostname),
    else: 'has to begin with https:// (http:// is for this machine only: localhost, 127.0.0.1 or [::1])',
  },
  any_http: { accepts: () => true, else: '' },
  https_only: { accepts: (url) => url.protocol === 'https:', else: 'has to begin with https://' },
}

/** How many an application may have (U17). */
const COUNTS: Record<Choices['redircount'], number> = { one: 1, several: MOST_REDIRECT_URIS }

export const mostRedirectUris = ({ redircount }: Pick<Choices, 'redircount'>): number => COUNTS[redircount]

/**
 * Reads what was entered for the redirect URI: one, or one a line where several may be registered.
 * @returns them as they are written, byte for byte, or a sentence about the first that cannot be registered
 */
export function readRedirectUris(
  entered: string,
  choices: Pick<Choices, 'redirscheme' | 'redircount'>,
): { uris: [string, ...string[]] } | { fault: string } {
  const most = mostRedirectUris(choices)
  const [first, ...more] = entered
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (first === undefined) return { fault: 'Enter the redirect URI.' }
  if (most === 1 && more.length > 0) return { fault: 'Enter one redirect URI; an application has one.' }
  if (more.length >= most) return { fault: `Enter at most ${most} redirect URIs.` }
  if (new Set([first, ...more]).size <= more.length) return { fault: 'A redirect URI stands twice.' }
  const fault = [first, ...more].map((uri) => faultOf(uri, choices)).find((found) => found !== undefined)
  return fault === undefined ? { uris: [first, ...more] } : { fault: `The redirect URI ${fault}.` }
}

/** Whether the code travels unprotected to it, which is worth a warning (RFC 9700 2.6). */
export const isUnprotected = (uri: string): boolean => uri.toLowerCase().startsWith('http:')

function faultOf(uri: string, { redirscheme }: Pick<Choices, 'redirscheme'>): string | undefined {
  if (uri.length > LONGEST_REDIRECT_URI) return `is longer than ${LONGEST_REDIRECT_URI} characters`
  // RFC 6749 3.1.2: an absolute URI, without a fragment.
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return 'has to be a whole address, as https://app.example/callback'
  if (uri.includes('#')) return 'must not have a fragment (the part behind #)'
  if (!WRITTEN_AS_URI.test(uri)) return 'has a character that no address has'
  const url = /^https?:\/\/[^/?]/i.test(uri) && URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined || !HOST.test(url.hostname))
    return 'has to be a whole address that begins with https://'
  // RFC 9110 4.2.4
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password'
  const { accepts, else: otherwise } = SCHEMES[redirscheme]
  return accepts(url) ? undefined : otherwise
}
