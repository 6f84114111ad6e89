/** Reads the JSON body of a request: small, really JSON, and said to be. */
import { Problem } from '../contract/problem.ts'

/** Enough for any code, state or key; an attacker gets no more of our memory. */
const MOST_BYTES = 16_384

/** @throws Problem `unsupported_media_type`, `too_large`, `invalid_request` */
export async function readJson(request: Request): Promise<unknown> {
  // A form can only send three content types, none of them this one.
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('Content-Type') ?? ''))
    throw new Problem('unsupported_media_type')
  if (Number(request.headers.get('Content-Length') ?? 0) > MOST_BYTES) throw new Problem('too_large')
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      if (length > MOST_BYTES) throw new Problem('too_large')
      chunks.push(chunk)
    }
  } catch (cause) {
    throw cause instanceof Problem
      ? cause
      : new Problem('invalid_request', { cause, detail: 'The body broke off.' })
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new Problem('invalid_request', { detail: 'The body is not JSON.' })
  }
}
