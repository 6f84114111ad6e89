/** Parsers throw an Error with the expected form, and never quote the value: it may be a secret. */
import { SORTS, type Stated } from '../../contract/evidence.ts'
import { hostNameOf, isLoopbackName } from '../../contract/host.ts'

const VISIBLE_ASCII = /^[\x21-\x7e]+$/
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// Headers with their own meaning; a key in one of them would break the request or reach the wrong reader.
const RESERVED_HEADERS = [
  /^(authorization|cookie|host|connection|te|upgrade|expect|keep-alive|trailer|transfer-encoding)$/i,
  /^(content-|accept|proxy-)/i,
]

export const parseText = (text: string): string => text

/** @param what its name in the message */
const wholeNumber =
  (what: string, lowest: number, highest: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < lowest || value > highest)
      throw new Error(`must be a ${what} from ${lowest} to ${highest}`)
    return value
  }

export const portUpTo = (highest: number) => wholeNumber('port', 1, highest)

export const numberUpTo = (highest: number) => wholeNumber('number', 0, highest)

export const daysUpTo = (highest: number) => wholeNumber('number', 1, highest)

export const oneOf =
  <const Word extends string>(...words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((known) => known === text)
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return word
  }

/** Parses a URL of http(s), and removes slashes at its end. Plain http is allowed only on this machine. */
export function parseBaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) throw new Error('must be an http or https address')
  const url = new URL(text)
  if (url.username || url.password) throw new Error('must be an address without a user name or password')
  if (url.search || url.hash) throw new Error('must be an address without ? and #')
  if (url.protocol === 'http:' && !isLoopback(text))
    throw new Error('must be https, since it is not on this machine')
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** In the operator's own settings, also a name under `.localhost`, which browsers open on this machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return isLoopbackName(hostname) || hostname.endsWith('.localhost')
}

/** Parses such a URL without a path. */
export function parseOrigin(text: string): string {
  const url = parseBaseUrl(text)
  if (url !== new URL(url).origin) throw new Error('must be an address without a path')
  return url
}

export function parseClientId(text: string): string {
  if (!VISIBLE_ASCII.test(text)) throw new Error('must be visible ASCII characters')
  return text
}

/** Parses a name or address to listen on. Only opening the socket shows if this machine has it. */
export function parseHost(text: string): string {
  if (!/^[A-Za-z0-9.:-]+$/.test(text)) throw new Error('must be an address or a name of this machine')
  return text
}

/** Parses a list of host names and addresses into what a request has in their place. */
export const parseHosts = (text: string): string[] =>
  text.split(',').map((one) => {
    const name = hostNameOf(one.trim())
    if (name === undefined)
      throw new Error('must be host names or addresses, separated by commas, each without scheme and port')
    return name
  })

/** Parses a header name that is free for the API key. */
export function parseHeaderName(text: string): string {
  if (!HEADER_NAME.test(text) || RESERVED_HEADERS.some((name) => name.test(text)))
    throw new Error('must be the name of a header that is free for the key')
  return text
}

/** Parses the name of a time zone (IANA). */
export function parseZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    throw new Error('must be the name of a time zone, such as Asia/Tokyo')
  }
}

/** Parses which sorts of requests count in the month, such as `token.refresh=no,rate_limit=yes`. */
export const parseCounts = (text: string): Stated =>
  Object.fromEntries(
    text.split(',').map((one) => {
      const [, sort, counts] = /^\s*([\w.]+)\s*=\s*(yes|no)\s*$/.exec(one) ?? []
      const finding = Object.entries(SORTS).find(([, known]) => known === sort)
      if (finding === undefined)
        throw new Error(`must be a list such as token.refresh=no, of ${Object.values(SORTS).join(', ')}`)
      return [finding[0], counts]
    }),
  )

/** Parses `sqlite:<file>` or `postgres://...`. */
export function parseStore(
  text: string,
): { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string } {
  if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length)
    return { kind: 'sqlite', path: text.slice('sqlite:'.length) }
  if (/^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text)) return { kind: 'postgres', url: text }
  throw new Error('must be sqlite:<file> or postgres://<host>')
}
