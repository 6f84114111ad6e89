/** Reads what a request has beside its headers. */
import { Problem } from '../../contract/problem.ts'

/** Long enough for every code, state and key. */
const MAX_BYTES = 16_384

/** Reads at most 16 kB. @throws Problem `unsupported_media_type`, `too_large`, `invalid_request` */
export async function readJson(request: Request): Promise<unknown> {
  // A form of another site cannot send this media type.
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

async function readBytes(request: Request): Promise<Uint8Array> {
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

/** @throws Problem `invalid_request` for a parameter of another name, and for one that is given twice */
export function queryParameters<Name extends string = never>(
  request: Request,
  names: readonly Name[] = [],
): { [name in Name]?: string } {
  const { searchParams } = new URL(request.url)
  const given = [...searchParams.keys()]
  if (given.some((name) => !names.includes(name as Name)))
    throw new Problem('invalid_request', { fault: 'unknown_parameter', known: names })
  if (new Set(given).size < given.length)
    throw new Problem('invalid_request', { fault: 'repeated_parameter' })
  return Object.fromEntries(searchParams) as { [name in Name]?: string }
}
