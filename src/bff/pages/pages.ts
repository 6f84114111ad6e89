/** Serves documents and static files, under the strict Content-Security-Policy. */
import { Answer, HeaderFields, type Inbound, pathOf } from '../../contract/answer.ts'
import type { Counts } from '../../contract/assumptions.ts'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { isOwnPage, isSidePage, placeOf } from '../../contract/page.ts'
import { asProblem } from '../../contract/problem.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import type { Context } from '../core/context.ts'
import { briefly } from '../core/deferred-writes.ts'
import { logProblem } from '../core/problem.ts'
import { type CookieNames, readCookies } from '../http/cookie.ts'
import { accepted, acceptedLanguage, entityTag, isNamed } from '../http/representation.ts'
import { readSnapshot } from '../quota/snapshot.ts'
import { requireSession } from '../session/use.ts'
import { otherSessions } from '../sign-in/organization-sessions.ts'
import { signedIn } from '../sign-in/session-answer.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The smallest copy first. */
const ENCODINGS = ['br', 'gzip'] as const

export interface StaticFile {
  body: Bytes
  encoded?: { [Of in (typeof ENCODINGS)[number]]?: Bytes }
  contentType: string
}

/** By path: `/index.html`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>

/**
 * Documents by what they show until the script runs. `waiting`: the app is opening. `sign-in`: the sign-in
 * page. `page`: an organization's page without data. `side`: like `waiting`, for other pages of a person who
 * is signed in. `posted`: the service redirected with POST, against RFC 9700 4.12; it has no script.
 */
export type DocumentKind = 'waiting' | 'sign-in' | 'page' | 'side' | 'posted'

export interface PageData {
  session: SignedIn
  quota: QuotaSnapshot
}

export interface OwnDocument {
  file: StaticFile
  /** The hash sources of its own style elements. */
  styles: readonly string[]
}

/** By language. */
export interface Documents {
  /**
   * @param isChosen whether the first paint waits for the start script, which sets the theme
   * @param counts whether a code exchange counts, for the price on the sign-in page
   */
  get: (language: string, kind: DocumentKind, isChosen: boolean, counts?: Counts) => StaticFile | undefined
  /** The document of kind `page` with its data. */
  getOwn?: (language: string, isChosen: boolean, data: PageData) => OwnDocument | undefined
  /** The hash sources of their style elements (CSP 3 2.3.1). */
  styles: readonly string[]
}

/** Draws a person's document of kind `page`; `undefined` if it cannot be drawn at once. */
export type DrawOwn = (language: string, isChosen: boolean) => Promise<OwnDocument | undefined>

export interface Site {
  files: StaticFiles
  cookies: CookieNames
  /** Absent: `/index.html` is the only document. */
  documents?: Documents
  /** Says if a code exchange counts. */
  signInCounts?: () => Promise<Counts | undefined>
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

const TEXT = 'text/plain; charset=utf-8'

/**
 * Draws an organization's page from the store, and sends nothing to the service. If nobody is signed in or
 * the store does not answer at once, nothing is drawn; the page's script then asks, and shows the reason.
 */
export const drawOwnPage =
  (context: Context, request: Inbound, documents: Documents | undefined): DrawOwn =>
  async (language, isChosen) => {
    if (documents?.getOwn === undefined) return undefined
    const drawn = readPageData(context, request)
      .then((data) => documents.getOwn?.(language, isChosen, data))
      .catch((error: unknown) => {
        const problem = asProblem(error)
        if (problem.code === 'unknown') logProblem(context, request, problem)
        return undefined
      })
    return briefly(context, drawn)
  }

async function readPageData(context: Context, request: Inbound): Promise<PageData> {
  const session = await requireSession(context, request)
  const { open } = await otherSessions(context, request, session)
  return { session: await signedIn(context, session, open), quota: await readSnapshot(context, session) }
}

/**
 * Answers a GET or HEAD. An address that is no page gets the document too, with 404, except under /assets.
 * @param drawOwn is called only for the page of a person's organization
 */
export async function servePage(site: Site, request: Inbound, drawOwn: DrawOwn): Promise<Answer> {
  const { status, headers, body, styles = [] } = await answerFor(site, request, drawOwn)
  const fields = new HeaderFields({
    'Content-Security-Policy': contentSecurityPolicy([...(site.documents?.styles ?? []), ...styles]),
    // A missing file may exist after the next deployment.
    'Cache-Control': 'no-store',
    ...headers,
  })
  return new Answer(status, fields, request.method === 'HEAD' ? null : body)
}

interface PageAnswer {
  status: number
  headers: Record<string, string>
  body?: Bytes | string | undefined
  styles?: readonly string[]
}

interface FileAnswer extends PageAnswer {
  headers: Record<'Cache-Control' | 'Vary', string> & Record<string, string>
  body: Bytes
}

async function answerFor(site: Site, request: Inbound, drawOwn: DrawOwn): Promise<PageAnswer> {
  const pathname = pathOf(request)
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(site, request, pathname)
  const file = pathname === '/index.html' ? undefined : site.files.get(pathname)
  if (file !== undefined) return unlessKnown(request, fileAnswer(request, pathname, file, 200))
  const document = pathname.startsWith('/assets/') ? undefined : await documentFor(site, request, drawOwn)
  if (document === undefined) return { status: 404, headers: { 'Content-Type': TEXT }, body: 'Not found' }
  const answer = fileAnswer(
    request,
    pathname,
    document.file,
    placeOf(pathname).name === 'unknown' ? 404 : 200,
  )
  if (site.documents) answer.headers['Vary'] += ', Accept-Language, Cookie, Sec-Fetch-Site'
  if (document.styles === undefined) return answer
  // It shows one person's data at one moment.
  answer.headers['Cache-Control'] = 'no-store'
  return { ...answer, styles: document.styles }
}

function notAllowed({ documents }: Site, request: Inbound, pathname: string): PageAnswer {
  const Allow = 'GET, HEAD'
  const isPosted = request.method === 'POST' && pathname === CALLBACK_PATH
  const find = (language: string) => (isPosted ? documents?.get(language, 'posted', false) : undefined)
  const document = find(languageFor(request, find))
  if (document === undefined) return { status: 405, headers: { Allow, 'Content-Type': TEXT } }
  const answer = fileAnswer(request, pathname, document, 405)
  return { ...answer, headers: { ...answer.headers, Allow } }
}

/** Only languages that have a document (RFC 9110 12.5.4). */
const languageFor = (request: Inbound, find: (language: string) => unknown): string =>
  acceptedLanguage(request.headers.get('Accept-Language'), (name) => find(name) !== undefined)

async function documentFor(
  { files, documents, cookies: names, signInCounts }: Site,
  request: Inbound,
  drawOwn: DrawOwn,
): Promise<{ file: StaticFile; styles?: readonly string[] } | undefined> {
  const cookies = readCookies(request)
  const kind = kindFor(request, pathOf(request), cookies.has(names.session))
  const isChosen = cookies.has(names.choices)
  const counts = kind === 'sign-in' ? await signInCounts?.() : undefined
  const find = (language: string) => documents?.get(language, kind, isChosen, counts)
  const language = languageFor(request, find)
  // Only a browser that opens the page gets the person's data, and no script that fetches the document.
  const isOwn = kind === 'page' && request.headers.get('Sec-Fetch-Dest') === 'document'
  const own = isOwn ? await drawOwn(language, isChosen) : undefined
  if (own !== undefined) return own
  const file = find(language) ?? files.get('/index.html')
  return file && { file }
}

/** A guess: the script asks who is signed in, and shows that. */
function kindFor(request: Inbound, pathname: string, hasSession: boolean): DocumentKind {
  const place = placeOf(pathname)
  if (!isOwnPage(place) && !isSidePage(place)) return 'waiting'
  if (hasSession) return isOwnPage(place) ? 'page' : 'side'
  // A request from another site lacks the cookie (SameSite=Strict).
  const site = request.headers.get('Sec-Fetch-Site')
  return site === 'none' || site === 'same-origin' || site === 'same-site' ? 'sign-in' : 'waiting'
}

/** 304 if the browser has the file already (RFC 9110 15.4.5). */
function unlessKnown(request: Inbound, answer: FileAnswer): PageAnswer {
  const ETag = entityTag(answer.body)
  if (!isNamed(request.headers.get('If-None-Match'), ETag))
    return { ...answer, headers: { ...answer.headers, ETag } }
  const { 'Cache-Control': cacheControl, Vary } = answer.headers
  return { status: 304, headers: { 'Cache-Control': cacheControl, Vary, ETag } }
}

/** Stop at the first match: reading a getter compresses the file. */
function copyFor(names: readonly string[], encoded: StaticFile['encoded']) {
  for (const encoding of ENCODINGS) {
    const sent = names.includes(encoding) ? encoded?.[encoding] : undefined
    if (sent !== undefined) return { encoding, sent }
  }
  return undefined
}

function fileAnswer(
  request: Inbound,
  pathname: string,
  { body, encoded, contentType }: StaticFile,
  status: number,
): FileAnswer {
  const { encoding, sent } = copyFor(accepted(request.headers.get('Accept-Encoding')), encoded) ?? {
    sent: body,
  }
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': cacheControl(pathname),
    'Content-Length': String(sent.length),
    Vary: 'Accept-Encoding',
    ...(encoding && { 'Content-Encoding': encoding }),
  }
  return { status, headers, body: sent }
}

function cacheControl(pathname: string): string {
  // A name under /assets contains a hash of the file.
  if (pathname.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  // The address of a callback contains the code, so it is not cached (RFC 9700 4.2.4).
  return pathname === CALLBACK_PATH ? 'no-store' : 'no-cache'
}
