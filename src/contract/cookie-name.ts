/** The names of cookies by the app's own address: the bff and the page use the same. */

/**
 * WebKit refuses Secure cookies at these addresses. Requests to them stay on this machine, so a cookie
 * without Secure is as safe there as one with it.
 */
const PLAIN = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::(\d+))?$/

/**
 * The beginning of all names at an address whose cookies are not Secure; `undefined` at every other one. It
 * contains the port, since cookies do not (RFC 6265 8.5): two apps on one machine have names of their own.
 * @param origin as `location.origin` writes it
 */
export function plainCookiePrefix(origin: string): string | undefined {
  const found = PLAIN.exec(origin)
  return found ? `plimsoll-http-${found[1] ?? 80}` : undefined
}

/** Written by the page, and readable for it: see choices.ts. */
export const choicesCookieName = (origin: string): string =>
  `${plainCookiePrefix(origin) ?? '__Host-plimsoll'}-choices`

/** Safari makes no exception for the other http addresses of this machine, whose cookies are Secure. */
export const areRefusedBySafari = (origin: string): boolean =>
  origin.startsWith('http:') && plainCookiePrefix(origin) === undefined
