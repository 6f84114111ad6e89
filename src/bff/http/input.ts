/** Reads the JSON body of a request: at most 16 kB, with the media type of JSON. */
import type { Inbound } from '../../contract/answer.ts'
import { Problem } from '../../contract/problem.ts'

/** Enough for every code, state and key. */
const MAX_BYTES = 16_384

/** @throws Problem `unsupported_media_type`, `too_large`, `invalid_request` */
export async function readJson(request: Inbound): Promise<unknown> {
  // A form can send only three media types, and this is none of them.
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('Content-Type') ?? ''))
    throw new Problem('unsupported_media_type')
  if (Number(request.headers.get('Content-Length')) > MAX_BYTES) throw new Problem('too_large')
  const bytes = await readBytes(request)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Problem('invalid_request', { fault: 'body_not_json' })
  }
}

async function readBytes(request: Inbound): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      if (length > MAX_BYTES) throw new Problem('too_large')
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem('invalid_request', { cause, fault: 'body_incomplete' })
  }
  return Buffer.concat(chunks)
}
