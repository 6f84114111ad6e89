/** What a run is recorded as: the requests of browsers and of the client, and each session. */
import { isErrorBody } from '../../src/contract/json.ts'
import type { ProblemBody } from '../../src/contract/problem.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'

export interface Session {
  openedAtMs: number
  usedAtMs: number
  /** True from its first good read on, perhaps that of the sign-in. */
  isProven: boolean
  /** True if a person or the service has ended it. */
  mayEnd: boolean
  /** The number of the last action that was begun before its end. */
  endedBy?: number
}

/** One request of a browser to the bff. `free` is every one that promises to send nothing. */
export interface Action {
  number: number
  kind: 'sign_in' | 'press' | 'free'
  /** As in `GET /api/rate_limit`. */
  what: string
  /** That of the cookie, or the one that a sign-in is to open. */
  session?: Session | undefined
  /** The organization that its person signed in to. */
  organization: string
  /** The state that came back with a sign-in. */
  state?: string | undefined
  /** Those that it led to. */
  calls: Call[]
}

/** One request that reached the service. */
export interface Call {
  number: number
  /** Absent if no action led to it. */
  action: Action | undefined
  method: string
  path: string
  query: string
  /** The body, a form or JSON. */
  parameters: ReadonlyMap<string, string>
  headers: Headers
  sentAtMs: number
  answer?: { status: number; headers: Headers; text: string }
  /** That of the service's log, which says what it cost. */
  line?: ReturnType<Sandbox['state']>['request_log'][number] | undefined
  /** The limit that is over by the service's own count. */
  over?: 'minute' | 'month'
  /** Requests that were in flight when it was sent. */
  alongside: Call[]
  /** False if the ledger had no row for it at that time. */
  isRecorded: boolean
}

export interface Reply {
  action: Action
  atMs: number
  status: number
  headers: Headers
  text: string
  /** True if the session was proven by then. */
  isProven: boolean
}

export const isToken = ({ path }: Call): boolean => path === '/oauth2/token'
export const isRead = ({ path }: Call): boolean => /^\/(organizations|rate_limit)/.test(path)
export const isRefresh = (call: Call): boolean => call.parameters.get('grant_type') === 'refresh_token'
export const isGood = ({ answer }: Call): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300 && !isErrorBody(answer.text)

/** The service's count in the month for these requests. */
export const costOf = (calls: readonly Call[]): number =>
  calls.reduce((sum, { line }) => sum + (line?.cost.month ?? 0), 0)

export const credentialOf = ({ headers }: Call): string =>
  headers.get('Authorization')?.replace('Bearer ', '') ?? headers.get('X-Service-Api-Key') ?? ''

/** The error that ends a grant (RFC 6749 5.2). */
export const isEnd = (answer: Call['answer']): boolean =>
  answer !== undefined &&
  answer.status !== 429 &&
  answer.status < 500 &&
  answer.text.includes('invalid_grant')

/** The code of a problem; empty if the text is none. */
export const codeOf = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

export function parse(text: string): Partial<ProblemBody> | undefined {
  try {
    return JSON.parse(text) as Partial<ProblemBody>
  } catch {
    return undefined
  }
}

export function parametersOf(contentType: string, body: string): ReadonlyMap<string, string> {
  if (!/json/i.test(contentType)) return new Map(new URLSearchParams(body))
  return new Map(Object.entries(JSON.parse(body) as Record<string, string>))
}
