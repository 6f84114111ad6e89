/** The recording of a run: the requests of browsers and of the client, and each session. */
import type { LogEntry } from '../../src/bff/core/context.ts'
import { isErrorBody } from '../../src/contract/json.ts'
import type { ProblemBody } from '../../src/contract/problem.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'

/** Rules that the world and its people check at once; `invariants.ts` has those on the whole recording. */
export type SeenAtOnce =
  | 'a session ends for one of the reasons'
  | 'the month is between low and high'
  | 'the month is no wider than what is unknown'
  | 'with a reading, the month of the organization is between low and high'
  | 'what is learnt of the service is so'
  | 'a press costs what its button said'
  | 'a sign-in that is not proven changes no figures'
  | 'every ending has a reason'

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

export class Recording {
  readonly calls: Call[] = []
  readonly replies: Reply[] = []
  /** Violations of the rules that are checked at once. */
  readonly seen: { violates: SeenAtOnce; what: string }[] = []
  /** The zones in which the client has learnt that the month may be reset. */
  readonly zones = new Set<string>()
  /** Neither the browser nor the log may ever contain them. */
  readonly secrets = new Set<string>()
  /** How each command ended, as `command: ending`. */
  readonly endings: string[] = []
  /** Requests of the client that the service counted in a month, and that it never sent here. */
  counted: string[] = []
  /** Those that the service says were sent although the answers before them showed that a limit was over. */
  sentWhileOver: string[] = []
  readonly choices: Choices
  readonly log: readonly LogEntry[]

  constructor(choices: Choices, log: readonly LogEntry[]) {
    this.choices = choices
    this.log = log
  }
}

export const isToken = ({ path }: Call): boolean => path === '/oauth2/token'
export const isRead = ({ path }: Call): boolean => /^\/(organizations|rate_limit)/.test(path)
export const isRefresh = (call: Call): boolean => call.parameters.get('grant_type') === 'refresh_token'
export const isGood = ({ answer }: Call): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300 && !isErrorBody(answer.text)

export const credentialOf = ({ headers }: Call): string =>
  headers.get('Authorization')?.replace('Bearer ', '') ?? headers.get('X-Service-Api-Key') ?? ''

/** Tokens, or the error that ends a grant (RFC 6749 5.2). */
export const isEnd = ({ status, text }: NonNullable<Call['answer']>): boolean =>
  status !== 429 && status < 500 && (text.includes('access_token') || text.includes('invalid_grant'))

/** The code of a problem; empty if the text is none. */
export const codeOf = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

export function parse(text: string): Partial<ProblemBody> | undefined {
  try {
    return JSON.parse(text) as Partial<ProblemBody>
  } catch {
    return undefined
  }
}

/** Tokens in every form in which the service writes them. */
const SECRETS =
  /"(?:access_token|refresh_token)"\s*:\s*"([^"]{8,})"|(?:^|&)(?:access_token|refresh_token)=([^&]{8,})/g

export const secretsIn = (text: string): string[] =>
  [...text.matchAll(SECRETS)].map(([, json, form]) =>
    json === undefined ? decodeURIComponent(form ?? '') : (JSON.parse(`"${json}"`) as string),
  )

export function parametersOf(contentType: string, body: string): ReadonlyMap<string, string> {
  if (!/json/i.test(contentType)) return new Map(new URLSearchParams(body))
  return new Map(Object.entries(JSON.parse(body) as Record<string, string>))
}
