import type { Inbound } from '../../contract/answer.ts'
import type { Handler } from './handler-context.ts'

/** This much more is read and discarded, so the connection can be used again after the refusal. */
const DISCARDED_BYTES = 1024 * 1024
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE']

export type BodyError = 'too_large' | 'incomplete'

/**
 * Reads the body before the handler and counts its bytes, with or without a Content-Length.
 * @param refuse gets `Connection: close` if part of the body was not read (RFC 9112 9.3)
 */
export const bodyLimit =
  (largestBytes: number, refuse: (error: BodyError, headers: { Connection?: 'close' }) => Error): Handler =>
  async (c, next) => {
    const { raw } = c.req
    if (!METHODS_WITH_BODY.includes(raw.method)) return next()
    if (Number(raw.headers.get('Content-Length') ?? 0) >= largestBytes + DISCARDED_BYTES)
      throw refuse('too_large', { Connection: 'close' })
    const body = await readUpTo(largestBytes, raw).catch(() => {
      throw refuse('incomplete', { Connection: 'close' })
    })
    if (typeof body === 'string') throw refuse('too_large', body === 'unread' ? { Connection: 'close' } : {})
    c.req.keepBody(body)
    return next()
  }

/** @returns the body; `discarded` if it was larger and was read to its end, `unread` if it goes on */
async function readUpTo(
  largestBytes: number,
  request: Pick<Inbound, 'body'>,
): Promise<Uint8Array | 'discarded' | 'unread'> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > largestBytes + DISCARDED_BYTES) return 'unread'
    if (size <= largestBytes) chunks.push(chunk)
  }
  return size > largestBytes ? 'discarded' : Buffer.concat(chunks)
}
