/** Answers requests without a body as Node has them, past the objects of the fetch API, which cost more than the work. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, Inbound } from '../bff/answer.ts'

/** No dots that lead elsewhere, no escapes, and nothing that a URL parser would change: those requests go through one. */
const TARGET = /^(?:\/(?![/.])(?:[\w-]|\.(?!\.))*)+(?:\?[\x21\x24-\x3b\x3d\x3f-\x7e]*)?$/
const HOST = /^[\w.-]+(?::\d{1,5})?$/

/** Whether a request is a GET or HEAD without a body, to an address that is the same however it is parsed. */
export function isPlain({ method, url = '', headers }: IncomingMessage): boolean {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && !hasBody && HOST.test(headers.host ?? '') && TARGET.test(url)
}

/** A plain request as handlers read it; its origin is that of no site. */
export const inboundOf = ({ method = '', url, headers }: IncomingMessage): Inbound => ({
  method,
  url: `http://app.invalid${url}`,
  headers: {
    get(name) {
      const value = headers[name.toLowerCase()]
      return value === undefined ? null : String(value)
    },
  },
  body: null,
})

/** Writes an answer, and ends its stream when the browser goes. @param isLast no other request of this connection is answered */
export async function writeAnswer(
  outgoing: ServerResponse,
  { status, headers, body }: Answer,
  isLast: boolean,
): Promise<void> {
  const fields = [...headers].flat()
  // A connection that stays would only be cut (RFC 9112 9.6).
  if (isLast) fields.push('Connection', 'close')
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, fields)
    return writeStream(outgoing, body)
  }
  if (headers.get('Content-Length') === null && (body !== null || status >= 400))
    fields.push('Content-Length', String(body === null ? 0 : Buffer.byteLength(body)))
  outgoing.writeHead(status, fields)
  outgoing.end(body)
}

async function writeStream(outgoing: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const closed = new Promise<void>((resolve) => outgoing.once('close', resolve))
  void closed.then(() => reader.cancel().catch(() => {}))
  outgoing.flushHeaders()
  for (;;) {
    const { done, value } = await reader.read()
    if (done || outgoing.destroyed) break
    if (!outgoing.write(value))
      await Promise.race([closed, new Promise((resolve) => outgoing.once('drain', resolve))])
  }
  outgoing.end()
}
