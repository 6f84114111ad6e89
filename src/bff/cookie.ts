/** Our two cookies (RFC 6265): always `__Host-`, Secure, HttpOnly, SameSite=Strict; read so that a planted second one helps nobody. */

export const SESSION_COOKIE = '__Host-plimsoll'
/** Followed by the beginning of the state's fingerprint: one cookie for each sign-in under way, so that ten tabs can each have theirs. */
export const LOGIN_COOKIE = '__Host-plimsoll-login-'

/** The cookies of a request by name. One that stands twice is not there: nobody can say which of the two is ours. */
export function readCookies(request: Request): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  const twice = new Set<string>()
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at === -1) continue
    const name = bare(pair.slice(0, at))
    if (cookies.has(name)) twice.add(name)
    cookies.set(name, bare(pair.slice(at + 1)))
  }
  for (const name of twice) cookies.delete(name)
  return cookies
}

/** Blanks and tabs alone, as browsers do: trim() would also turn "\u00a0__Host-...", which any sibling host may set, into ours. */
const bare = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '')

/** `Set-Cookie` for a cookie that lasts; 0 seconds removes it. */
export const cookie = (name: string, value: string, maxAgeSeconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${Math.floor(maxAgeSeconds)}; Secure; HttpOnly; SameSite=Strict`

export const noCookie = (name: string): string => cookie(name, '', 0)
