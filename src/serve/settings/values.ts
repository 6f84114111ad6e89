/** Schemas of values. A message says which form is expected, and quotes no value: it may be a secret. */
import * as v from 'valibot'
import { SORTS, type Stated } from '../../contract/evidence.ts'
import { hostNameOf, isLoopbackName } from '../../contract/host.ts'

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// Headers with their own meaning; a key in one of them would break the request or reach the wrong reader.
const RESERVED_HEADERS = [
  /^(authorization|cookie|host|connection|te|upgrade|expect|keep-alive|trailer|transfer-encoding)$/i,
  /^(content-|accept|proxy-)/i,
]

/** @param parse returns undefined for a text of another form */
const parsed = <Value>(parse: (text: string) => Value | undefined, wish: string) =>
  v.pipe(
    v.string(),
    v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
      const value = parse(dataset.value)
      if (value === undefined) addIssue({ message: wish })
      return value ?? NEVER
    }),
  )

export function wholeNumber(lowest: number, highest: number, what = 'number') {
  const wish = `must be a ${what} from ${lowest} to ${highest}`
  return v.pipe(
    v.string(),
    v.digits(wish),
    v.transform(Number),
    v.minValue(lowest, wish),
    v.maxValue(highest, wish),
  )
}

export const portUpTo = (highest: number) => wholeNumber(1, highest, 'port')

export const oneOf = <const Word extends string>(...words: Word[]) =>
  v.picklist(words, `must be one of ${words.join(', ')}`)

/** A URL of http(s), without slashes at its end. Plain http is allowed only on this machine. */
export const baseUrl = parsed((text) => {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(text))
  if (!isSafe || username || password || search || hash) return undefined
  return (origin + pathname).replace(/\/+$/, '')
}, 'must be an https address, or http on this machine, without a user name, password, ? or #')

/** In the operator's own settings, also a name under `.localhost`, which browsers open on this machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return isLoopbackName(hostname) || hostname.endsWith('.localhost')
}

export const origin = v.pipe(
  baseUrl,
  v.check((text) => new URL(text).pathname === '/', 'must be an address without a path'),
)

export const clientId = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters'))

/** A name or address to listen on. Only opening the socket shows if this machine has it. */
export const host = parsed(
  (text) => (/^[A-Za-z0-9.:-]+$/.test(text) && hostNameOf(text) ? text : undefined),
  'must be an address or a name of this machine, without a port',
)

/** Host names and addresses, as they are in a request. */
export const hosts = parsed((text) => {
  const names = text.split(',').map((one) => hostNameOf(one.trim()))
  return names.every((name) => name !== undefined) ? names : undefined
}, 'must be host names or addresses, separated by commas, each without scheme and port')

/** The name of a header that is free for the API key. */
export const headerName = v.pipe(
  v.string(),
  v.check(
    (text) => HEADER_NAME.test(text) && !RESERVED_HEADERS.some((name) => name.test(text)),
    'must be the name of a header that is free for the key',
  ),
)

/** The name of a time zone (IANA). */
export const zone = parsed((timeZone) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}, 'must be the name of a time zone, such as Asia/Tokyo')

/** Which sorts of requests count in the month, such as `token.refresh=no,rate_limit=yes`. */
export const counts = parsed(
  (text) => {
    const stated = text.split(',').map((one) => {
      const [, sort, value] = /^\s*([\w.]+)\s*=\s*(yes|no)\s*$/.exec(one) ?? []
      return [Object.entries(SORTS).find(([, known]) => known === sort)?.[0], value]
    })
    return stated.every(([finding]) => finding !== undefined)
      ? (Object.fromEntries(stated) as Stated)
      : undefined
  },
  `must be a list such as token.refresh=no, of ${Object.values(SORTS).join(', ')}`,
)

type StoreSetting = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }

/** `sqlite:<file>` or `postgres://...`. */
export const store = parsed((text): StoreSetting | undefined => {
  const [, path] = /^sqlite:(.+)$/s.exec(text) ?? []
  if (path !== undefined) return { kind: 'sqlite', path }
  return /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text)
    ? { kind: 'postgres', url: text }
    : undefined
}, 'must be sqlite:<file> or postgres://<host>')
