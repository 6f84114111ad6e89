/** Our cookies (RFC 6265): always `__Host-Http-`, Secure, HttpOnly, SameSite=Strict; a name that a request has twice is ignored. */

import type { Inbound } from '../../contract/answer.ts'
export const SESSION_COOKIE = '__Host-Http-plimsoll'
/** Followed by the beginning of the state's fingerprint: one cookie for each sign-in in progress, so that tabs do not interfere. */
export const LOGIN_COOKIE = '__Host-Http-plimsoll-login-'
/** Followed by a name made of that of a session: one cookie for each session of this browser, where it has several. */
export const OTHER_COOKIE = `${SESSION_COOKIE}-of-`
/** Names the browser, so that the sessions that it opened can be listed together. It opens nothing. */
export const BROWSER_COOKIE = `${SESSION_COOKIE}-browser`

/** Set by the page itself, where a person has chosen a theme or a language: no first paint before its script has set them. */
export const CHOICES_COOKIE = '__Host-plimsoll-choices'

/** The cookies of a request by name, without those of a name that is there twice: it is not known which of them is ours. */
export function readCookies(request: Inbound): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  const twice = new Set<string>()
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at === -1) continue
    const name = trimBlanks(pair.slice(0, at))
    if (cookies.has(name)) twice.add(name)
    cookies.set(name, trimBlanks(pair.slice(at + 1)))
  }
  for (const name of twice) cookies.delete(name)
  return cookies
}

/** Spaces and tabs only, as browsers do: trim() would also turn "\u00a0__Host-Http-...", which any sibling host may set, into our name. */
const trimBlanks = (text: string) => {
  let [start, end] = [0, text.length]
  while (isBlank(text, start)) start += 1
  while (end > start && isBlank(text, end - 1)) end -= 1
  return text.slice(start, end)
}

const isBlank = (text: string, at: number) => text[at] === ' ' || text[at] === '\t'

/** `Set-Cookie` for a cookie with a lifetime; 0 seconds removes it. */
export const cookie = (name: string, value: string, maxAgeSeconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${Math.floor(maxAgeSeconds)}; Secure; HttpOnly; SameSite=Strict`

/** `Set-Cookie` that removes a cookie. */
export const expiredCookie = (name: string): string => cookie(name, '', 0)
