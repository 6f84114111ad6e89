/** Serves the static files of the app, under the strict Content-Security-Policy. */
import { CALLBACK_PATH } from '../contract/authorize.ts'

export interface StaticFile {
  body: Uint8Array<ArrayBuffer>
  gzipped?: Uint8Array<ArrayBuffer>
  contentType: string
}

/** By path, as `/index.html`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>

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

/** Pages of the app: their addresses are answered with the one HTML document, which renders them. */
const isPage = (pathname: string) =>
  pathname === CALLBACK_PATH ||
  /^\/(guide|ledger|learnt|sessions|organizations\/[1-9]\d{0,18}\/?)?$/.test(pathname)

// A weight of 0 means not acceptable (RFC 9110 12.4.2).
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i

// Shown when the service redirects with the method of its form, against RFC 9700 4.12.
const CALLBACK_POSTED =
  'The service redirected your browser with POST, which a sign-in does not accept. Nothing was sent to the service, and you are not signed in. Open the start page to begin again.'

/** Answers a GET or HEAD for a file; an address that is no page gets the document too, with 404, except under /assets. */
export function servePage(files: StaticFiles, request: Request): Response {
  if (request.method === 'GET') return getPage(files, request)
  if (request.method === 'HEAD') {
    const { status, headers } = getPage(files, request)
    return new Response(null, { status, headers })
  }
  const text = new URL(request.url).pathname === CALLBACK_PATH ? CALLBACK_POSTED : null
  return answer(405, { Allow: 'GET, HEAD', 'Content-Type': TEXT }, text)
}

const TEXT = 'text/plain; charset=utf-8'

function getPage(files: StaticFiles, request: Request): Response {
  const { pathname } = new URL(request.url)
  const file = pathname === '/index.html' ? undefined : files.get(pathname)
  const shown = file ?? (pathname.startsWith('/assets/') ? undefined : files.get('/index.html'))
  if (shown === undefined) return answer(404, { 'Content-Type': TEXT }, 'Not found')
  return sendFile(request, shown, file !== undefined || isPage(pathname) ? 200 : 404)
}

function sendFile(request: Request, { body, gzipped, contentType }: StaticFile, status: number): Response {
  const zipped = ACCEPTS_GZIP.test(request.headers.get('Accept-Encoding') ?? '') ? gzipped : undefined
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': cacheControl(new URL(request.url).pathname),
    'Content-Length': String((zipped ?? body).length),
    Vary: 'Accept-Encoding',
    ...(zipped && { 'Content-Encoding': 'gzip' }),
  }
  return answer(status, headers, zipped ?? body)
}

function answer(status: number, headers: Record<string, string>, body: BodyInit | null = null): Response {
  return new Response(body, {
    status,
    // What is missing now may exist after the next deployment.
    headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Cache-Control': 'no-store', ...headers },
  })
}

function cacheControl(pathname: string): string {
  // Names under /assets contain a hash of the file.
  if (pathname.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  // The address of a callback contains the code, so no cache may store it (RFC 9700 4.2.4).
  return pathname === CALLBACK_PATH ? 'no-store' : 'no-cache'
}
