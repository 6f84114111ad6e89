/** Answers requests without a body as Node has them, past the objects of the fetch API, which cost more than the work. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, Inbound } from '../bff/answer.ts'
import { isPushed, type PushedBody } from '../bff/pushed-body.ts'

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
export function writeAnswer(
  outgoing: ServerResponse,
  { status, headers, body }: Answer,
  isLast: boolean,
): void {
  const fields = [...headers].flat()
  // A connection that stays would only be cut (RFC 9112 9.6).
  if (isLast) fields.push('Connection', 'close')
  if (isPushed(body)) {
    outgoing.writeHead(status, fields)
    return writeParts(outgoing, body)
  }
  if (headers.get('Content-Length') === null && (body !== null || status >= 400))
    fields.push('Content-Length', String(body === null ? 0 : Buffer.byteLength(body)))
  outgoing.writeHead(status, fields)
  outgoing.end(body)
}

/** Writes the parts of a body as they come. Each is asked to be taken before the next one, so that at most one waits here. */
function writeParts(outgoing: ServerResponse, body: PushedBody): void {
  const { socket } = outgoing
  const close = body.writeTo({
    write(part, onTaken) {
      // Else it leaves when all that is to be written at this time is there, which for thousands of streams is long.
      socket?.cork()
      outgoing.write(part, (error) => error ?? onTaken())
      socket?.uncork()
    },
    end: () => void outgoing.end(),
  })
  if (outgoing.destroyed) close()
  else outgoing.once('close', close)
}
