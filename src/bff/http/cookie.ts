/**
 * The cookies of the bff (RFC 6265). All are HttpOnly and SameSite=Strict, and everywhere but at
 * `http://localhost` and `http://127.0.0.1` they are Secure and `__Host-Http-`, so that no sibling host sets
 * them. That of a watch link is SameSite=Lax: mails link to it.
 */
import { choicesCookieName, plainCookiePrefix } from '../../contract/cookie-name.ts'

/** The names at one public URL. A cookie of another name is not read. */
export interface CookieNames {
  readonly session: string
  /** Followed by the state's fingerprint: one for each sign-in in progress, so that tabs do not interfere. */
  readonly login: string
  /** Names the browser, so that its sessions can be listed together. Gives access to nothing. */
  readonly browser: string
  /** Proves that this browser has entered the code of a pairing. */
  readonly pairing: string
  /** Followed by the id of a watch link. */
  readonly watch: string
  /** Written by the page, which keeps it after a sign-out. */
  readonly choices: string
  readonly areSecure: boolean
}

export function cookieNames(publicUrl: string): CookieNames {
  const plain = plainCookiePrefix(publicUrl)
  const session = plain ?? '__Host-Http-plimsoll'
  return {
    session,
    login: `${session}-login-`,
    browser: `${session}-browser`,
    pairing: `${session}-pairing`,
    watch: `${session}-watch-`,
    choices: choicesCookieName(publicUrl),
    areSecure: plain === undefined,
  }
}

/**
 * Of a person, for a sign-out: not the page's choices or a watch link, and not those of an app on another port,
 * such as 8080 beside 80.
 */
export const isOwnCookie = ({ session, choices, watch }: CookieNames, name: string): boolean =>
  name === session || (name.startsWith(`${session}-`) && name !== choices && !name.startsWith(watch))

/** A name that appears twice is left out, because either value may be forged. */
export function readCookies(request: Request): ReadonlyMap<string, string> {
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
export const cookie = (
  { areSecure }: Pick<CookieNames, 'areSecure'>,
  name: string,
  value: string,
  maxAgeSeconds: number,
  sameSite: 'Strict' | 'Lax' = 'Strict',
): string =>
  `${name}=${value}; Path=/; Max-Age=${Math.floor(maxAgeSeconds)}; ` +
  `${areSecure ? 'Secure; ' : ''}HttpOnly; SameSite=${sameSite}`

export const expiredCookie = (names: Pick<CookieNames, 'areSecure'>, name: string): string =>
  cookie(names, name, '', 0)
