/** What a proxy says of a request: the client's address, by which it is limited, and the request's id. */
import { randomUUID } from 'node:crypto'

// RFC 3986 3.2.2
const IPV4 = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/
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
  return forwarded ?? parseAddress(socketAddress?.replace(/%.*$/, '') ?? '') ?? 'unknown'
}

function parseAddress(text: string): string | undefined {
  const bare = (IPV4_WITH_PORT.exec(text) ?? IPV6_WITH_PORT.exec(text))?.[1] ?? text
  return IPV4.test(bare) ? bare : parseIpv6(bare)
}

function parseIpv6(text: string): string | undefined {
  if (!/^[\d.:a-f]{2,45}$/i.test(text) || !URL.canParse(`http://[${text}]`)) return undefined
  // The URL parser writes the canonical form (RFC 5952).
  const [left = '', right] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [groups(left), groups(right ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  const all = [...before, ...zeros, ...after]
  if (all.slice(0, 6).join() === '0,0,0,0,0,65535') return mapped(all)
  return `${all
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

const groups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

/** The IPv4 address in an IPv4-mapped one (RFC 4291 2.5.5.2). */
const mapped = (all: readonly number[]): string =>
  all
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')

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
