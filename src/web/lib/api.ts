/** The only file that sends requests. Every reply but a success becomes a Problem. */
import {
  API_PREFIX,
  BFF,
  BUILD_HEADER,
  CSRF_HEADER,
  REFRESHED_HEADER,
  SESSION_HEADER,
  SPENT_HEADER,
} from '../../contract/api.ts'
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { KeptLogin, Session, SignedIn } from '../../contract/session.ts'
import { type OrganizationId, organizationPath } from '../../contract/organization.ts'
import { asProblem, Problem, problemOf, type ProblemBody } from '../../contract/problem.ts'
import { noteServerTime } from './clock.ts'
import { noteBuild, notePress } from './upgrade.ts'

/** The service's answer: as text, so that no number in it loses a digit. */
export interface ReceivedAnswer {
  text: string
  /** Age of the copy at receipt, in milliseconds. */
  ageMs: number
  /** Reads that were sent for it. */
  spent: number
  /** Token requests that were sent for it. */
  refreshes: number
  /** Date.now() at receipt. */
  atMs: number
}

/** After this a request counts as unanswered. The bff waits for the service for a shorter time. */
const TIMEOUT_MS = MINUTE_MS

let ownSession: string | undefined

/** Names the page's session in every request: the server refuses one with the cookie of another session. */
export const sendAs = (session: Session | undefined): void => {
  ownSession = session?.signed_in ? session.id : undefined
}

interface RequestOptions {
  method?: 'POST' | 'PUT' | 'DELETE'
  /** The server checks it. */
  body?: object
  /** Besides those of every request. */
  headers?: Record<string, string> | undefined
  /** Gets the headers of every answer, also of a failure. */
  onHeaders?: ((headers: Headers) => void) | undefined
  signal?: AbortSignal
}

async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method, body, onHeaders, signal = AbortSignal.timeout(TIMEOUT_MS) } = options
  const own = ownSession === undefined ? {} : { [SESSION_HEADER]: ownSession }
  const headers = new Headers({ [CSRF_HEADER]: '1', ...own, ...options.headers })
  if (body) headers.set('Content-Type', 'application/json')
  const init: RequestInit = {
    method: method ?? 'GET',
    headers,
    body: body ? JSON.stringify(body) : null,
    cache: 'no-store',
    redirect: 'error',
    signal,
  }
  // What a press does is shown first.
  const isPress = method !== undefined || onHeaders !== undefined
  if (isPress) notePress()
  const response = await fetch(path, init).catch(throwUnreachable)
  noteServerTime(response)
  if (!isPress) noteBuild(response.headers.get(BUILD_HEADER))
  onHeaders?.(response.headers)
  if (response.ok) return response
  throw await readProblem(response)
}

const throwUnreachable = (cause: unknown): never => {
  throw new Problem('bff_unreachable', { cause })
}

async function readProblem(response: Response): Promise<Problem> {
  const isOurs = response.headers.get('Content-Type')?.startsWith('application/problem+json') ?? false
  // A proxy in front of our server answers so while the server is down.
  if (!isOurs && [502, 503, 504].includes(response.status)) return new Problem('bff_unreachable')
  return problemOf(await jsonOf<ProblemBody>(response).catch(() => undefined))
}

const textOf = (response: Response): Promise<string> => response.text().catch(throwUnreachable)

/** An empty body is `undefined`. @throws Problem `unexpected_reply` if the body is not JSON */
async function jsonOf<Body>(response: Response): Promise<Body> {
  const text = await textOf(response)
  try {
    return (text === '' ? undefined : JSON.parse(text)) as Body
  } catch (cause) {
    throw new Problem('unexpected_reply', { cause })
  }
}

/** Sends a free request. Page and server are one build, so the page trusts the shape of the body. */
export const requestJson = async <Body = void>(
  path: string,
  options?: Pick<RequestOptions, 'method' | 'body'>,
): Promise<Body> => jsonOf(await send(path, options))

/** A file that the server writes, free. */
export const getFile = async (path: string): Promise<Blob> =>
  (await send(path)).blob().catch(throwUnreachable)

/** The status of this page's own file; `undefined` if the server cannot be reached. */
const statusOfOwnFile = (): Promise<number | undefined> =>
  fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status,
    () => undefined,
  )

/** @returns true if the server has another build than this page, whose own file it does not know */
export const isReplaced = async (): Promise<boolean> => (await statusOfOwnFile()) === 404

/** False also if a proxy answers for the server. */
export const isReachable = async (): Promise<boolean> => ((await statusOfOwnFile()) ?? 502) < 500

/** @throws Problem `unexpected_reply` also if a proxy or a server of another build has answered */
export async function getSession(): Promise<Session> {
  const session = await requestJson<Session | null>(BFF.session)
  if (typeof session?.signed_in !== 'boolean') throw new Problem('unexpected_reply')
  return session
}

type Login = Partial<KeptLogin> & { state: string; organization_id: OrganizationId }
export const postLogin = (body: Login): Promise<void> => requestJson(BFF.login, { method: 'POST', body })

type Credential = { code: string; state: string; code_verifier?: string } | { api_key: string }
export const postSession = (body: Credential): Promise<SignedIn> =>
  requestJson(BFF.session, { method: 'POST', body })

/** Changes to another session of this browser, for free. @throws Problem `signed_out` if that has ended */
export const postUse = (id: string): Promise<SignedIn> =>
  requestJson<SignedIn>(`${BFF.sessions}/${id}`, { method: 'POST' }).catch((error: unknown) => {
    unlessGone(error)
    throw new Problem('signed_out')
  })

export const deleteSession = (): Promise<void> => requestJson(BFF.session, { method: 'DELETE' })

/** Ignores that something has ended already. @throws every error but `not_found` */
export function unlessGone(error: unknown): void {
  if (asProblem(error).code !== 'not_found') throw error
}

/**
 * By fetch: EventSource hides a refusal's status and the keep-alive comments.
 * @param session whose stream it is; another tab may show it
 */
export async function openEvents(
  path: string,
  signal: AbortSignal,
  session: string | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const as = session === undefined ? {} : { [SESSION_HEADER]: session }
  const { body, headers } = await send(path, { signal, headers: as })
  if (body === null || !headers.get('Content-Type')?.startsWith('text/event-stream'))
    throw new Problem('unexpected_reply')
  return body
}

/** The session's own organization. An API key belongs to one that no answer surely names (4.4). */
export const organizationAddress = ({ organization_id: id }: SignedIn): string =>
  API_PREFIX + (id === undefined ? '/organizations' : organizationPath(id))

export async function getAnswer(
  address: string,
  options?: Pick<RequestOptions, 'headers' | 'onHeaders'>,
): Promise<ReceivedAnswer> {
  const response = await send(address, options)
  return {
    text: await textOf(response),
    ageMs: countIn(response, 'Age') * SECOND_MS,
    spent: countIn(response, SPENT_HEADER),
    refreshes: countIn(response, REFRESHED_HEADER),
    atMs: Date.now(),
  }
}

/** 0 if the header is absent. @throws Problem `unexpected_reply` */
function countIn(response: Response, name: string): number {
  const value = response.headers.get(name) ?? '0'
  if (!/^\d{1,12}$/.test(value)) throw new Problem('unexpected_reply')
  return Number(value)
}
