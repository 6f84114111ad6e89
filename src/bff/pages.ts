/** The static files of the app: the same for everyone, under the strict Content-Security-Policy. */
import { CALLBACK_PATH } from '../contract/authorize.ts'

export interface StaticFile {
  body: Uint8Array<ArrayBuffer>
  gzipped?: Uint8Array<ArrayBuffer>
  contentType: string
}

/** By path, as `/index.html`; read by whoever knows the disk. */
export type StaticFiles = ReadonlyMap<string, StaticFile>

/** By the ending of a file's name; what has no type is nobody's to see. */
export const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Pages of the app: their addresses are answered with the one document, which draws them. */
const PAGES = /^\/(callback|organizations\/[1-9]\d{0,18}\/?)?$/

// A weight of 0 is a no (RFC 9110 12.4.2).
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i

// What a person sees whom the service sent back with its form, against RFC 9700 4.12.
const POSTED_BACK =
  'The service sent your browser back in a way that a sign-in does not end in (POST). Nothing was sent on, and nobody is signed in. Go back to the start page to begin again.'

/** Answers a GET or HEAD for a file; an address that is no page gets the document too, with 404, but never under /assets. */
export function servePage(files: StaticFiles, request: Request): Response {
  const { pathname } = new URL(request.url)
  const head = request.method === 'HEAD'
  if (request.method !== 'GET' && !head) {
    const why = pathname === CALLBACK_PATH ? POSTED_BACK : null
    return answer(405, { Allow: 'GET, HEAD', 'Content-Type': 'text/plain; charset=utf-8' }, why)
  }
  const file = pathname === '/index.html' ? undefined : files.get(pathname)
  const shown = file ?? (pathname.startsWith('/assets/') ? undefined : files.get('/index.html'))
  if (shown === undefined)
    return answer(404, { 'Content-Type': 'text/plain; charset=utf-8' }, head ? null : 'Not found')
  const zipped = TAKES_GZIP.test(request.headers.get('Accept-Encoding') ?? '') ? shown.gzipped : undefined
  return answer(
    file !== undefined || PAGES.test(pathname) ? 200 : 404,
    {
      'Content-Type': shown.contentType,
      'Cache-Control': cacheControl(pathname),
      'Content-Length': String((zipped ?? shown.body).length),
      Vary: 'Accept-Encoding',
      ...(zipped && { 'Content-Encoding': 'gzip' }),
    },
    head ? null : (zipped ?? shown.body),
  )
}

function answer(status: number, headers: Record<string, string>, body: BodyInit | null = null): Response {
  return new Response(body, {
    status,
    // What is not there today may be there after the next deployment.
    headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Cache-Control': 'no-store', ...headers },
  })
}

function cacheControl(pathname: string): string {
  // Names under /assets carry a hash of what is in them.
  if (pathname.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  // The address of a callback holds the code, and no cache is to hold the address (RFC 9700 4.2.4).
  return pathname === CALLBACK_PATH ? 'no-store' : 'no-cache'
}
