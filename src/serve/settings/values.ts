/** Parsers of single setting values. Each throws an Error with the expected form of the value; none quotes the value, which may be a secret. */

const VISIBLE_ASCII = /^[\x21-\x7e]+$/
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// Headers with a meaning of their own; a key in one of them would break the request or reach the wrong reader.
const RESERVED_HEADER =
  /^(authorization|cookie|host|connection|content-.*|transfer-encoding|accept.*|te|upgrade|expect|keep-alive|trailer|proxy-.*)$/i
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Any text as it is. */
export const parseText = (text: string): string => text

/** A parser of a whole number, called `what` in the message. */
const wholeNumber =
  (what: string, lowest: number, highest: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < lowest || value > highest)
      throw new Error(`has to be a ${what} from ${lowest} to ${highest}`)
    return value
  }

/** A parser of a port from 1 to `highest`. */
export const portUpTo = (highest: number) => wholeNumber('port', 1, highest)

/** A parser of a number from 0 to `highest`. */
export const numberUpTo = (highest: number) => wholeNumber('number', 0, highest)

/** A parser of one of these words. */
export const oneOf =
  <const Word extends string>(...words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((known) => known === text)
    if (word === undefined) throw new Error(`has to be one of ${words.join(', ')}`)
    return word
  }

/** An http or https URL without a slash at the end; plain http only on this machine. */
export function parseBaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    throw new Error('has to be an http or https address')
  const url = new URL(text)
  if (url.username || url.password) throw new Error('has to be an address without a user name or password')
  if (url.search || url.hash) throw new Error('has to be an address without ? and #')
  if (url.protocol === 'http:' && !isLoopback(text))
    throw new Error('has to be https, since it is not on this machine')
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** Whether an http or https address is one of this machine. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname)

/** The same without a path. */
export function parseOrigin(text: string): string {
  const url = parseBaseUrl(text)
  if (url !== new URL(url).origin) throw new Error('has to be an address without a path')
  return url
}

export function parseClientId(text: string): string {
  if (!VISIBLE_ASCII.test(text)) throw new Error('has to be visible ASCII characters')
  return text
}

/** A name or address to listen on; whether this machine has it is known only when the socket opens. */
export function parseHost(text: string): string {
  if (!/^[A-Za-z0-9.:-]+$/.test(text)) throw new Error('has to be an address or a name of this machine')
  return text
}

/** A header name that is free for the API key. */
export function parseHeaderName(text: string): string {
  if (!HEADER_NAME.test(text) || RESERVED_HEADER.test(text))
    throw new Error('has to be the name of a header that is free for it')
  return text
}

/** `sqlite:<file>`, `redis://...` or `rediss://...`. */
export function parseStore(text: string): { kind: 'sqlite'; path: string } | { kind: 'redis'; url: string } {
  if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length)
    return { kind: 'sqlite', path: text.slice('sqlite:'.length) }
  if (/^rediss?:\/\/./.test(text) && URL.canParse(text)) return { kind: 'redis', url: text }
  throw new Error('has to be sqlite:<file> or redis://<host>')
}
