/** Finds the id of a request, which its log lines have. */
import { randomUUID } from 'node:crypto'

/** The forms of common proxies: hexadecimal digits, a UUID, Base64, and `Root=1-67891233-...`. */
const GIVEN = /^[\w.:=+/-]{1,64}$/

/**
 * A request that has the header twice, or a proxy that sends another form, gets an id of our own.
 * @param header X-Request-Id
 * @param trustedProxies without one, anybody could have chosen the id
 * @returns the id that the proxy gave the request
 */
export const givenRequestId = (header: string | null, trustedProxies: number): string | undefined =>
  trustedProxies > 0 && header !== null && GIVEN.test(header) ? header : undefined

/** The last 12 digits of a UUID are 48 random bits. */
export const newRequestId = (): string => randomUUID().slice(-12)
