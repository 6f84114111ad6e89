/** Reads requests with no or a short body, without the fetch API's objects, which cost more than the work. */
import type { IncomingMessage } from 'node:http'
import type { Inbound } from '../../contract/answer.ts'

/** A target that a URL parser leaves unchanged: no dot segments, no escapes. Other requests are parsed. */
const TARGET = /^(?:\/(?![/.])(?:[\w-]|\.(?!\.))*)+(?:\?[\x21\x24-\x3b\x3d\x3f-\x7e]*)?$/
const HOST = /^[\w.-]+(?::\d{1,5})?$/

/**
 * A GET or HEAD without a body, to an address that parsing leaves unchanged.
 * @param largestBodyBytes a POST that announces at most so many bytes is plain too; by default none is
 */
export function isPlain({ method, url = '', headers }: IncomingMessage, largestBodyBytes = -1): boolean {
  const { host = '', 'content-length': length, 'transfer-encoding': coding } = headers
  if (coding !== undefined || !isPlainHost(host) || !TARGET.test(url)) return false
  if (length === undefined) return method === 'GET' || method === 'HEAD'
  return method === 'POST' && Number(length) <= largestBodyBytes
}

/** The last parsed host: nearly all requests have the same. */
let plainHost = ''

function isPlainHost(host: string): boolean {
  if (host === plainHost && host !== '') return true
  const address = `http://${host}/`
  if (!HOST.test(host) || !URL.canParse(address) || new URL(address).href !== address) return false
  plainHost = host
  return true
}

/** @param incoming is plain */
export function inboundOf(incoming: IncomingMessage): Inbound {
  const { method = '', url, headers } = incoming
  return {
    method,
    url: `http://${headers.host}${url}`,
    headers: {
      get(name) {
        const value = headers[name.toLowerCase()]
        return value === undefined ? null : String(value)
      },
    },
    body: headers['content-length'] === undefined ? null : bodyOf(incoming),
  }
}

/** Yields a short body in one piece. Throws if it breaks off. */
async function* bodyOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  yield await new Promise<Uint8Array>((resolve, reject) => {
    // A connection that was cut emits no more events.
    if (incoming.destroyed) return reject(new Error('the body was cut'))
    const chunks: Uint8Array[] = []
    incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    incoming.on('end', () => resolve(Buffer.concat(chunks)))
    incoming.on('error', reject)
  })
}
