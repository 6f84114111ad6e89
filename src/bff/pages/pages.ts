/** Serves documents and static files, under the strict Content-Security-Policy. */
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import type { View } from '../../contract/boot.ts'
import { readChoices } from '../../contract/choices.ts'
import { isOwnPage, isSidePage, placeOf } from '../../contract/page.ts'
import { asProblem } from '../../contract/problem.ts'
import type { SignedOut } from '../../contract/session.ts'
import { briefly, type Context } from '../core/context.ts'
import { logProblem } from '../core/problem.ts'
import { type CookieNames, readCookies } from '../http/cookie.ts'
import { accepted, entityTagOf, isNamed } from '../http/representation.ts'
import { readSnapshot } from '../quota/snapshot.ts'
import { findBrowser, sessionsOf, without } from '../session/browser.ts'
import { requireSession } from '../session/use.ts'
import { signedIn, signedOut } from '../sign-in/session-answer.ts'

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

export interface Documents {
  /** Drawn once for everybody, and each time with the time of the drawing. */
  get: (view: View) => StaticFile
  /** The hash sources of their style elements (CSP 3 2.3.1). */
  styles: readonly string[]
  /** The name of the build, if it is known. */
  build?: string | undefined
}

export interface Site {
  files: StaticFiles
  cookies: CookieNames
  /** Absent: `/index.html` is the only document. */
  documents?: Documents
}

/** What documents are drawn from. It is read from the store, and nothing is sent to the service. */
export interface Facts {
  /** `undefined` if nobody is signed in, or the store does not answer at once: then the page asks. */
  ofPerson: () => Promise<Required<Pick<View, 'session' | 'quota'>> | undefined>
  /** The answer to a browser without a session. */
  ofStranger: () => Promise<SignedOut>
  now: () => number
  /** A document that cannot be drawn is that of everybody. */
  onFault: (error: unknown) => void
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

const pathnameOf = ({ url }: Request): string => new URL(url).pathname

const TEXT = 'text/plain; charset=utf-8'

export function factsOf(context: Context, request: Request): Facts {
  const onFault = (error: unknown): undefined => {
    const problem = asProblem(error)
    if (problem.code === 'unknown') logProblem(context, request, problem)
  }
  const read = async () => {
    const session = await requireSession(context, request)
    const others = without(session, await sessionsOf(context, await findBrowser(context, request)))
    return { session: await signedIn(context, session, others), quota: await readSnapshot(context, session) }
  }
  return {
    ofPerson: () => briefly(context, read().catch(onFault)),
    ofStranger: () => signedOut(context),
    now: context.now,
    onFault,
  }
}

/** Answers a GET or HEAD. An address that is no page gets a document too, with 404, except under /assets. */
export async function servePage(site: Site, request: Request, facts: Facts): Promise<Response> {
  const { status, headers, body } = await answerFor(site, request, facts)
  const fields = new Headers({
    'Content-Security-Policy': contentSecurityPolicy(site.documents?.styles ?? []),
    // A missing file may exist after the next deployment.
    'Cache-Control': 'no-store',
    ...headers,
  })
  return new Response(request.method === 'HEAD' ? null : body, { status, headers: fields })
}

interface PageAnswer {
  status: number
  headers: Record<string, string>
  body?: Bytes | string | undefined
}

interface FileAnswer extends PageAnswer {
  headers: Record<'Cache-Control' | 'Vary', string> & Record<string, string>
  body: Bytes
}

async function answerFor(site: Site, request: Request, facts: Facts): Promise<PageAnswer> {
  const pathname = pathnameOf(request)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, headers: { Allow: 'GET, HEAD', 'Content-Type': TEXT } }
  const file = pathname === '/index.html' ? undefined : site.files.get(pathname)
  if (file !== undefined) return unlessKnown(request, fileAnswer(request, pathname, file, 200))
  const view = await viewFor(site, request, facts)
  const document = pathname.startsWith('/assets/') ? undefined : documentFor(site, view, facts)
  if (document === undefined) return { status: 404, headers: { 'Content-Type': TEXT }, body: 'Not found' }
  const status = placeOf(pathname).name === 'unknown' ? 404 : 200
  const answer = fileAnswer(request, pathname, document, status)
  if (site.documents) answer.headers['Vary'] += ', Accept-Language, Cookie, Sec-Fetch-Site'
  // It shows one person's data at one moment.
  if (view.quota) answer.headers['Cache-Control'] = 'no-store'
  return answer
}

function documentFor({ files, documents }: Site, view: View, { onFault }: Facts): StaticFile | undefined {
  if (documents === undefined) return files.get('/index.html')
  try {
    return documents.get(view)
  } catch (error) {
    onFault(error)
    const { languages, choices } = view
    return documents.get({ kind: 'frame', path: '/', languages, choices })
  }
}

/** What a document needs that depends on no person and no time. */
function ofEverybody({ choices: name }: CookieNames, request: Request): Omit<View, 'kind'> {
  const { language, theme } = readChoices(readCookies(request).get(name))
  const languages = accepted(request.headers.get('Accept-Language'))
  return { path: '/', languages, choices: { language, theme } }
}

async function viewFor({ cookies: names, documents }: Site, request: Request, facts: Facts): Promise<View> {
  const everybody = ofEverybody(names, request)
  const place = placeOf(pathnameOf(request))
  if (!documents || (!isOwnPage(place) && !isSidePage(place))) return { kind: 'frame', ...everybody }
  const cookies = readCookies(request)
  const choices = readChoices(cookies.get(names.choices))
  if (cookies.has(names.session)) return viewOfPerson(request, facts, everybody, choices.zone)
  if (isFromElsewhere(request)) return { kind: 'frame', ...everybody }
  const kind = choices.isOwn ? 'frame' : 'sign-in'
  const path = place.name === 'organization' ? pathnameOf(request) : '/'
  return { ...everybody, kind, path, session: await facts.ofStranger() }
}

/** Without a zone its dates would be of another one, so the page draws them. */
async function viewOfPerson(
  request: Request,
  facts: Facts,
  everybody: Omit<View, 'kind'>,
  zone: string | undefined,
): Promise<View> {
  // Only a browser that opens the page gets the person's data, and no script that fetches the document.
  const isOpened = request.headers.get('Sec-Fetch-Dest') === 'document'
  const known = isOpened ? await facts.ofPerson() : undefined
  if (!known) return { kind: 'person', ...everybody }
  const path = pathnameOf(request)
  const kind = isOwnPage(placeOf(path)) && zone !== undefined ? 'page' : 'person'
  return { ...everybody, kind, path, nowMs: facts.now(), ...known, choices: { ...everybody.choices, zone } }
}

/** A request from another site lacks the session's cookie (SameSite=Strict), but the session may be open. */
const isFromElsewhere = ({ headers }: Request): boolean =>
  !['none', 'same-origin', 'same-site'].includes(headers.get('Sec-Fetch-Site') ?? '')

/** 304 if the browser has the file already (RFC 9110 15.4.5). */
function unlessKnown(request: Request, answer: FileAnswer): PageAnswer {
  const ETag = entityTagOf(answer.body)
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
  request: Request,
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
