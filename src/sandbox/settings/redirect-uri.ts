/** Decides which redirect URIs can be registered (5.2). */

/** RFC 3986 2: only the characters of a URI. Two digits follow each percent sign. */
const WRITTEN_AS_URI = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/
/** This machine, in every form that a URL parser returns (RFC 8252 7.3). */
const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** True if the code would be sent unencrypted; the list warns of it (RFC 9700 2.6). */
export const isUnprotected = (uri: string): boolean => uri.toLowerCase().startsWith('http:')

export function redirectUriError(uri: string): string | undefined {
  const error = errorOf(uri)
  return error && `The redirect URI ${error}.`
}

function errorOf(uri: string): string | undefined {
  // RFC 6749 3.1.2: the URI is absolute and has no fragment.
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return 'has to be a whole address, as https://app.example/callback'
  if (uri.includes('#')) return 'must not have a fragment (the part behind #)'
  if (!WRITTEN_AS_URI.test(uri)) return 'has a character that is not allowed in an address'
  const url = /^https?:\/\/[^/?]/i.test(uri) && URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined || !HOST.test(url.hostname))
    return 'has to be a whole address that begins with https://'
  // RFC 9110 4.2.4 forbids them.
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password'
  // RFC 9700 2.6 and RFC 6749 3.1.2.1 ask for https.
  return url.protocol === 'https:' || LOOPBACK_NAME.test(url.hostname)
    ? undefined
    : 'has to begin with https:// (http:// is for this machine only: localhost, 127.0.0.1 or [::1])'
}
