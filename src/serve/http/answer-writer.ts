import type { ServerResponse } from 'node:http'
import type { Answer } from '../../contract/answer.ts'
import { isPushed, type PushedBody } from '../../contract/pushed-body.ts'
import { atIterationEnd } from '../../bff/core/event-loop.ts'

/** Writes answers of an iteration together: waking their reader once saves a fifth of an answer's cost. */
export class AnswerWriter {
  readonly #isLast: () => boolean
  readonly #add = atIterationEnd<readonly [ServerResponse, Answer]>((waiting) => this.#writeAll(waiting))

  /** @param isLast whether this is the last answer of a connection */
  constructor(isLast: () => boolean) {
    this.#isLast = isLast
  }

  write(outgoing: ServerResponse, answer: Answer): void {
    this.#add([outgoing, answer])
  }

  #writeAll(waiting: readonly (readonly [ServerResponse, Answer])[]): void {
    for (const [outgoing, answer] of waiting)
      try {
        writeAnswer(outgoing, answer, this.#isLast())
      } catch {
        outgoing.destroy()
      }
  }
}

/** Writes an answer, and ends its stream when the browser disconnects. */
function writeAnswer(outgoing: ServerResponse, { status, headers, body }: Answer, isLast: boolean): void {
  const fields: string[] = []
  for (const [name, value] of headers) fields.push(name, value)
  // A connection that stays open would only be cut (RFC 9112 9.6).
  if (isLast) fields.push('Connection', 'close')
  if (isPushed(body)) {
    outgoing.writeHead(status, fields)
    return writeParts(outgoing, body)
  }
  // For a HEAD, Content-Length would be that of its GET (RFC 9110 9.3.2).
  const isUnknown = headers.get('Content-Length') === null && outgoing.req.method !== 'HEAD'
  if (isUnknown && (body !== null || status >= 400))
    fields.push('Content-Length', String(body === null ? 0 : Buffer.byteLength(body)))
  outgoing.writeHead(status, fields)
  const { socket } = outgoing
  if (body === null || socket === null) return void outgoing.end(body)
  // One write: `end` with a body also writes an empty chunk, and two chunks take a slower path.
  socket.cork()
  outgoing.write(body)
  socket.uncork()
  outgoing.end()
}

/** Each part must be taken before the next one, so at most one waits here. */
function writeParts(outgoing: ServerResponse, body: PushedBody): void {
  // Then parts can be written past the response, which has no socket while it waits for the previous one.
  outgoing.flushHeaders()
  const { socket, chunkedEncoding } = outgoing
  const close = body.writeTo({
    write(part, onTaken) {
      const whenTaken = (error: unknown) => error ?? onTaken()
      if (chunkedEncoding && socket !== null) socket.write(chunkOf(part), whenTaken)
      else outgoing.write(part, whenTaken)
    },
    end: () => void outgoing.end(),
  })
  if (outgoing.destroyed) close()
  else outgoing.once('close', close)
}

/** One chunk (RFC 9112 7.1) in one write. A response makes three, in the next iteration, which is slower. */
const chunkOf = (part: string): string => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`
