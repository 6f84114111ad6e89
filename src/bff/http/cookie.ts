/** The cookies of the bff (RFC 6265): all are `__Host-Http-`, Secure, HttpOnly and SameSite=Strict. */
import type { Inbound } from '../../contract/answer.ts'

export const SESSION_COOKIE = '__Host-Http-plimsoll'
/** Followed by the state's fingerprint: one for each sign-in in progress, so that tabs do not interfere. */
export const LOGIN_COOKIE = '__Host-Http-plimsoll-login-'
/** Followed by a fingerprint of the session: one for each session of a browser that has several. */
export const OTHER_COOKIE = `${SESSION_COOKIE}-of-`
/** Names the browser, so that its sessions can be listed together. Gives access to nothing. */
export const BROWSER_COOKIE = `${SESSION_COOKIE}-browser`

/** Set by the page with a chosen theme or language: the first paint waits for the script that applies it. */
export const CHOICES_COOKIE = '__Host-plimsoll-choices'

/** A name that appears twice is left out, because either value may be forged. */
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

/**
 * Trims spaces and tabs, as browsers do. `trim()` would also turn "\u00a0__Host-Http-...", which any sibling
 * host may set, into our name.
 */
const trimBlanks = (text: string) => {
  let [start, end] = [0, text.length]
  while (isBlank(text, start)) start += 1
  while (end > start && isBlank(text, end - 1)) end -= 1
  return text.slice(start, end)
}

const isBlank = (text: string, at: number) => text[at] === ' ' || text[at] === '\t'

/** 0 seconds removes the cookie. */
export const cookie = (name: string, value: string, maxAgeSeconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${Math.floor(maxAgeSeconds)}; Secure; HttpOnly; SameSite=Strict`

export const expiredCookie = (name: string): string => cookie(name, '', 0)
