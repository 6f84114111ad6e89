/** Decides which redirect URIs can be registered, and how many (5.2). */
import type { Choices } from '../choices/choices.ts'

export const LONGEST_REDIRECT_URI = 2000
const MOST_REDIRECT_URIS = 10

/** RFC 3986 2: only the characters of a URI. Two digits follow each percent sign. */
const WRITTEN_AS_URI = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/
/** This machine, in every form that a URL parser returns (RFC 8252 7.3). */
const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** U16: the accepted schemes, and the error for others. */
const SCHEMES: Record<Choices['redirscheme'], { accepts: (url: URL) => boolean; else: string }> = {
  // RFC 9700 2.6 and RFC 6749 3.1.2.1 ask for https.
  https_or_loopback: {
    accepts: (url) => url.protocol === 'https:' || LOOPBACK_NAME.test(url.hostname),
    else: 'has to begin with https:// (http:// is for this machine only: localhost, 127.0.0.1 or [::1])',
  },
  any_http: { accepts: () => true, else: '' },
  https_only: { accepts: (url) => url.protocol === 'https:', else: 'has to begin with https://' },
}

/** U17. */
const MOST_BY_CHOICE: Record<Choices['redircount'], number> = { one: 1, several: MOST_REDIRECT_URIS }

export const mostRedirectUris = ({ redircount }: Pick<Choices, 'redircount'>): number =>
  MOST_BY_CHOICE[redircount]

/** Reads one URI, or one in each line. @returns the URIs byte for byte, or the error of the first bad one */
export function readRedirectUris(
  entered: string,
  choices: Pick<Choices, 'redirscheme' | 'redircount'>,
): { uris: [string, ...string[]] } | { error: string } {
  const most = mostRedirectUris(choices)
  const [first, ...more] = entered
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (first === undefined) return { error: 'Enter the redirect URI.' }
  if (most === 1 && more.length > 0) return { error: 'Enter one redirect URI; an application has one.' }
  if (more.length >= most) return { error: `Enter at most ${most} redirect URIs.` }
  if (new Set([first, ...more]).size <= more.length) return { error: 'Enter each redirect URI once.' }
  const error = [first, ...more].map((uri) => errorOf(uri, choices)).find((found) => found !== undefined)
  return error === undefined ? { uris: [first, ...more] } : { error: `The redirect URI ${error}.` }
}

/** True if the code would be sent unencrypted; the list warns of it (RFC 9700 2.6). */
export const isUnprotected = (uri: string): boolean => uri.toLowerCase().startsWith('http:')

function errorOf(uri: string, { redirscheme }: Pick<Choices, 'redirscheme'>): string | undefined {
  if (uri.length > LONGEST_REDIRECT_URI) return `is longer than ${LONGEST_REDIRECT_URI} characters`
  // RFC 6749 3.1.2: the URI is absolute and has no fragment.
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return 'has to be a whole address, as https://app.example/callback'
  if (uri.includes('#')) return 'must not have a fragment (the part behind #)'
  if (!WRITTEN_AS_URI.test(uri)) return 'has a character that is not allowed in an address'
  const url = /^https?:\/\/[^/?]/i.test(uri) && URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined || !HOST.test(url.hostname))
    return 'has to be a whole address that begins with https://'
  // RFC 9110 4.2.4 forbids them.
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password'
  const { accepts, else: otherwise } = SCHEMES[redirscheme]
  return accepts(url) ? undefined : otherwise
}
