/** The recording of a run: requests to the service, answers to the browser, and what people saw. */
import type { LogEntry } from '../../src/bff/core/context.ts'
import { SESSION_COOKIE } from '../../test/kit/config.ts'
import { isErrorBody } from '../../src/contract/error-body.ts'
import type { Press, Price } from '../../src/contract/price.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'

/** One request of a browser to the bff. `free` is every one that promises to send nothing. */
export interface Action {
  number: number
  kind: 'sign_in' | 'press' | 'free'
  /** As in `GET /api/rate_limit`. */
  what: string
  /** The cookie of the session, and the organization that its person signed in to. */
  session?: string | undefined
  organization?: string | undefined
  /** The state that came back with a sign-in. */
  state?: string | undefined
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
  authorization: string | null
  apiKey: string | null
  otherHeaders: readonly string[]
  sentAtMs: number
  /** Infinite without an answer. */
  answeredAtMs: number
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
  headers: string
  text: string
}

/** The month as a person saw it, beside the service's own number. */
export interface SeenMonth {
  at: string
  low: number
  high: number
  truth: number
  /** Requests that the service may or may not have counted in this month. */
  unknown: number
  /** Only with a reading; `truth` is the service's whole count. */
  organization?: { low: number; high: number; truth: number }
}

/** What a button said, and what the press cost by the service's own count. */
export interface PricedPress {
  at: string
  press: Press
  said: Price
  cost: number
  isOk: boolean
  /** False if the service refused an access token that should have been good. */
  isForeseeable: boolean
  /** The answer says that the read was sent twice. */
  isExplained: boolean
}

export interface Recording {
  choices: Choices
  calls: Call[]
  replies: Reply[]
  log: LogEntry[]
  months: SeenMonth[]
  prices: PricedPress[]
  /** What the figures of an organization were before and after a failed sign-in to it. */
  figures: { at: string; before: string; after: string }[]
  learnt: { at: string; name: string; value: string; isTrue: boolean }[]
  /** Neither the browser nor the log may ever contain them. */
  secrets: Set<string>
  /** Session cookies, with the number of the action that ended each. */
  ended: Map<string, number>
  /** How each command ended, as `command: ending`. */
  endings: string[]
  /** Endings that the person had no reason to expect. */
  faults: string[]
  /** Lines of the service's own log that accuse the client. */
  verdicts: string[]
  /** Requests of the client that the service counted in a month. */
  counted: { atMs: number; what: string }[]
}

export const newRecording = (choices: Choices): Recording => ({
  choices,
  calls: [],
  replies: [],
  log: [],
  months: [],
  prices: [],
  figures: [],
  learnt: [],
  secrets: new Set(),
  ended: new Map(),
  endings: [],
  faults: [],
  verdicts: [],
  counted: [],
})

export const isToken = ({ path }: Pick<Call, 'path'>): boolean => path === '/oauth2/token'
export const isRead = ({ path }: Pick<Call, 'path'>): boolean => /^\/(organizations|rate_limit)/.test(path)
export const isRefresh = (call: Call): boolean =>
  isToken(call) && call.parameters.get('grant_type') === 'refresh_token'
export const credentialOf = ({ authorization, apiKey }: Call): string => authorization ?? apiKey ?? ''
export const isGood = ({ answer }: Pick<Call, 'answer'>): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300 && !isErrorBody(answer.text)

/** The code of a problem; empty if the text is none. */
export const codeOf = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

const openedBy = ({ headers }: Reply): string =>
  new RegExp(`${SESSION_COOKIE}=([^;]+)`).exec(headers)?.[1] ?? ''

/** A session is proven by its first good read, perhaps that of the sign-in. */
export function isProven({ calls, replies }: Recording, session = '', byMs = Infinity): boolean {
  const opening = replies.find((one) => one.action.kind === 'sign_in' && openedBy(one) === session)?.action
  return calls.some(
    (call) =>
      isRead(call) &&
      isGood(call) &&
      call.answeredAtMs <= byMs &&
      (call.action?.session === session || (opening !== undefined && call.action === opening)),
  )
}

/** Until a sign-in is proven, its requests count for no organization. */
export function unprovenCalls(recording: Recording): Set<Call> {
  const { calls, replies } = recording
  const signIns = replies.filter(
    (one) => one.action.kind === 'sign_in' && (one.status >= 400 || !isProven(recording, openedBy(one))),
  )
  const actions = new Set(signIns.map(({ action }) => action))
  const sessions = new Set(signIns.map(openedBy).filter((session) => session !== ''))
  return new Set(
    calls.filter(({ action }) => action && (actions.has(action) || sessions.has(action.session ?? ''))),
  )
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
