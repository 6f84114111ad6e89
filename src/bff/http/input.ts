/** Refuses requests of another site (CSRF), and reads what a request has beside its headers. */

import { CSRF_HEADER } from '../../contract/api.ts'
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

// Any other value is ignored (Fetch Metadata 2.3).
const SITES: readonly (string | null)[] = ['same-origin', 'same-site', 'cross-site', 'none']

/**
 * @param publicUrl `Origin` must equal it if the browser sends no known Fetch Metadata
 * @param isStream an EventSource sets no header: only Fetch Metadata or `Origin` decides
 * @throws Problem `forged_request`, also if both are missing: every browser that runs our page sends one
 */
export function assertSameOrigin(request: Request, publicUrl: string, isStream: boolean): void {
  if (!isStream && request.headers.get(CSRF_HEADER) !== '1')
    throw new Problem('forged_request', { fault: 'csrf_header_missing' })
  const site = request.headers.get('Sec-Fetch-Site')
  const isSameOrigin = SITES.includes(site)
    ? site === 'same-origin'
    : request.headers.get('Origin') === publicUrl
  if (!isSameOrigin) throw new Problem('forged_request', { fault: 'not_same_origin' })
}
