/** Serves the static files of the app, under the strict Content-Security-Policy. */
import { CALLBACK_PATH } from '../contract/authorize.ts'
import { CHOICES_COOKIE, readCookies, SESSION_COOKIE } from './cookie.ts'
import { accepted, acceptedLanguage } from './negotiation.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The smallest first. */
const ENCODINGS = ['br', 'gzip'] as const

export interface StaticFile {
  body: Bytes
  /** The same, compressed. */
  encoded?: { [Of in (typeof ENCODINGS)[number]]?: Bytes }
  contentType: string
}

/** By path, as `/index.html`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>

/**
 * What a document shows until its script runs. `waiting`: that it is opened. `sign-in`: the sign-in. `page`: the page of an
 * organization whose data are not there yet. `side`: like waiting, for the other pages of a person who is signed in.
 */
export type DocumentKind = 'waiting' | 'sign-in' | 'page' | 'side'

/** The HTML documents in each language. */
export interface Documents {
  /** @param isChosen whether the first paint waits for the start script, which sets the theme */
  get: (language: string, kind: DocumentKind, isChosen: boolean) => StaticFile | undefined
  /** The hash sources of their style elements (CSP 3 2.3.1). */
  styles: readonly string[]
}

export interface Site {
  files: StaticFiles
  /** Absent: `/index.html` is the only document. */
  documents?: Documents
}

const contentSecurityPolicy = (styles: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles].join(' '),
    "connect-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** Of the organization, and the others of a person who is signed in. */
const OWN_PAGE = /^\/(organizations\/[1-9]\d{0,18}\/?)?$/
const SIDE_PAGE = /^\/(organizations|ledger|learnt|sessions)$/

/** Pages of the app: their addresses are answered with an HTML document, whose script renders them. */
const isPage = (pathname: string) =>
  pathname === CALLBACK_PATH || pathname === '/guide' || OWN_PAGE.test(pathname) || SIDE_PAGE.test(pathname)

// Shown when the service redirects with the method of its form, against RFC 9700 4.12.
const CALLBACK_POSTED =
  'The service redirected your browser with POST, which a sign-in does not accept. Nothing was sent to the service, and you are not signed in. Open the start page to begin again.'

const TEXT = 'text/plain; charset=utf-8'

/** Answers a GET or HEAD for a file; an address that is no page gets the document too, with 404, except under /assets. */
export function servePage(site: Site, request: Request): Response {
  const { status, headers, body } = answerFor(site, request)
  return new Response(request.method === 'HEAD' ? null : body, {
    status,
    headers: {
      'Content-Security-Policy': contentSecurityPolicy(site.documents?.styles ?? []),
      // What is missing now may exist after the next deployment.
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Bytes | string | null
}

function answerFor(site: Site, request: Request): Answer {
  const { pathname } = new URL(request.url)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const body = pathname === CALLBACK_PATH ? CALLBACK_POSTED : null
    return { status: 405, headers: { Allow: 'GET, HEAD', 'Content-Type': TEXT }, body }
  }
  const file = pathname === '/index.html' ? undefined : site.files.get(pathname)
  if (file !== undefined) return fileAnswer(request, file, 200)
  const document = pathname.startsWith('/assets/') ? undefined : documentFor(site, request, pathname)
  if (document === undefined) return { status: 404, headers: { 'Content-Type': TEXT }, body: 'Not found' }
  const answer = fileAnswer(request, document, isPage(pathname) ? 200 : 404)
  if (site.documents) answer.headers['Vary'] += ', Accept-Language, Cookie, Sec-Fetch-Site'
  return answer
}

function documentFor({ files, documents }: Site, request: Request, pathname: string) {
  const preferred = request.headers.get('Accept-Language')
  const cookies = readCookies(request)
  const kind = kindFor(request, pathname, cookies.has(SESSION_COOKIE))
  const find = (language: string) => documents?.get(language, kind, cookies.has(CHOICES_COOKIE))
  return find(acceptedLanguage(preferred, (name) => find(name) !== undefined)) ?? files.get('/index.html')
}

/** A guess: the script asks who is signed in, and shows that. */
function kindFor(request: Request, pathname: string, hasSession: boolean): DocumentKind {
  const isOwnPage = OWN_PAGE.test(pathname)
  if (!isOwnPage && !SIDE_PAGE.test(pathname)) return 'waiting'
  if (hasSession) return isOwnPage ? 'page' : 'side'
  // A request that another site began comes without the cookie, though the browser may have it (SameSite=Strict).
  const site = request.headers.get('Sec-Fetch-Site')
  return site === 'none' || site === 'same-origin' || site === 'same-site' ? 'sign-in' : 'waiting'
}

function fileAnswer(request: Request, { body, encoded, contentType }: StaticFile, status: number): Answer {
  const names = accepted(request.headers.get('Accept-Encoding'))
  const encoding = ENCODINGS.find((name) => encoded?.[name] !== undefined && names.includes(name))
  const sent = (encoding && encoded?.[encoding]) ?? body
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': cacheControl(new URL(request.url).pathname),
    'Content-Length': String(sent.length),
    Vary: 'Accept-Encoding',
    ...(encoding && { 'Content-Encoding': encoding }),
  }
  return { status, headers, body: sent }
}

function cacheControl(pathname: string): string {
  // Names under /assets contain a hash of the file.
  if (pathname.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  // The address of a callback contains the code, so no cache may store it (RFC 9700 4.2.4).
  return pathname === CALLBACK_PATH ? 'no-store' : 'no-cache'
}
