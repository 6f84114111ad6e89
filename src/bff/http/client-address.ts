/** What a proxy says of a request: the client's address, by which it is limited, and the request's id. */
import { randomUUID } from 'node:crypto'
import {
  convertIPv4BinaryToString,
  convertIPv4MappedIPv6ToIPv4,
  convertIPv6BinaryToString,
  convertIPv6ToBinary,
  distinctRemoteAddr,
  isIPv4MappedIPv6,
} from 'hono/utils/ipaddr'

const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/
const IPV6_WITH_PORT = /^\[([\d.:a-f]+)\](?::\d{1,5})?$/i

/**
 * An IPv4 address in full; an IPv6 address by its first 64 bits, which belong to one customer (RFC 6177);
 * `unknown` if the connection has been closed already.
 * @param socketAddress the other end of the connection
 * @param forwardedFor X-Forwarded-For, to which each proxy appends the address of its client
 * @param trustedProxies our own proxies in front of the app; they wrote this many entries from the right
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  trustedProxies: number,
): string {
  const entries = trustedProxies > 0 && forwardedFor !== null ? forwardedFor.split(',') : []
  const forwarded = parseAddress(entries.at(-trustedProxies)?.trim() ?? '')
  return forwarded ?? parseAddress(socketAddress ?? '') ?? 'unknown'
}

function parseAddress(text: string): string | undefined {
  const bare = (IPV4_WITH_PORT.exec(text) ?? IPV6_WITH_PORT.exec(text))?.[1] ?? text.replace(/%.*$/, '')
  const family = distinctRemoteAddr(bare)
  if (family === undefined) return undefined
  if (family === 'IPv4') return bare
  try {
    const all = convertIPv6ToBinary(bare)
    if (isIPv4MappedIPv6(all)) return convertIPv4BinaryToString(convertIPv4MappedIPv6ToIPv4(all))
    return `${convertIPv6BinaryToString((all >> 64n) << 64n)}/64`
  } catch {
    return undefined
  }
}

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
