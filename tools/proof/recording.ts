/** The recording of a journey: requests to the service, answers to the browser, the service's counts. */
import type { LogEntry } from '../../src/bff/core/context.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'

/** One action of a user, or of the page by itself, at the bff. */
export interface Action {
  number: number
  /** `free` is every request that promises to send nothing. */
  kind: 'sign_in' | 'press' | 'free'
  /** As in `GET /api/rate_limit`. */
  what: string
  /** The session of the cookie that came with the action; absent for a sign-in. */
  session?: string
  /** The organization that the user signed in to, with its id as in an address. */
  organization?: string
  /** The state that came back with a sign-in. */
  state?: string
}

/** One request that reached the service. */
export interface Call {
  number: number
  /** Absent if no action led to it. */
  action: Action | undefined
  method: string
  path: string
  query: string
  /** The body, parsed as a form or as JSON. */
  parameters: ReadonlyMap<string, string>
  authorization: string | null
  apiKey: string | null
  otherHeaders: readonly string[]
  sentAtMs: number
  /** The time of the answer; infinite without one. */
  answeredAtMs: number
  answer?: { status: number; headers: Headers; text: string }
  /** The limit that is over by the service's own statement. */
  over?: 'minute' | 'month'
  /** Requests that were in flight when it was sent. */
  alongside: Call[]
}

export interface Reply {
  action: Action
  atMs: number
  status: number
  contentType: string
  headers: string
  text: string
}

/** The month as the page shows it, beside the service's number. */
export interface MonthCheck {
  at: string
  low: number
  high: number
  truth: number
  /** Requests that the service may or may not have counted in this month. */
  unknown: number
  /** Absent without a reading of this month. `truth` is the service's whole count. */
  organization?: { low: number; high: number; truth: number }
}

export interface LearntCheck {
  at: string
  name: string
  value: string
  isTrue: boolean
}

/** A person's view of an organization, before and after a failed sign-in to it. */
export interface FiguresCheck {
  at: string
  before: string
  after: string
}

export interface StepOutcome {
  step: string
  outcome: string
}

/** A line of the service's own log that accuses the client. */
export interface Verdict {
  atMs: number
  what: string
}

export interface Recording {
  choices: Choices
  calls: Call[]
  replies: Reply[]
  log: LogEntry[]
  months: MonthCheck[]
  figures: FiguresCheck[]
  learnt: LearntCheck[]
  /** The number of readings that a person entered. */
  readings: number
  /** Neither the browser nor the log may ever contain them. */
  secrets: Set<string>
  /** Session cookies, with the number of the action that ended each. */
  ended: Map<string, number>
  outcomes: StepOutcome[]
  /** The end of every action, for reading one journey. */
  steps: string[]
  /** Faults that the journey itself found. */
  faults: string[]
  verdicts: Verdict[]
  /** The app's requests that the service counted in its months. */
  counted: { atMs: number; what: string }[]
}

/** A violation; with the time of sending if it is a request. */
export interface Found {
  what: string
  atMs?: number
}

export const isToken = ({ path }: Call): boolean => path === '/oauth2/token'
export const isRead = ({ path }: Call): boolean => /^\/(organizations|rate_limit)/.test(path)
export const credentialOf = ({ authorization, apiKey }: Call): string => authorization ?? apiKey ?? ''

export const atCall = ({ number, method, path, action, sentAtMs }: Call): Found => ({
  what: `call ${number}, ${method} ${path}, in ${action ? `${action.kind} ${action.number}` : 'no action'}`,
  atMs: sentAtMs,
})

/** The code of a problem; empty if the text is no problem. */
export const codeOf = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

/** A request without an action is a group of its own. */
export function byAction(calls: readonly Call[]): Call[][] {
  const groups = new Map<number, Call[]>()
  for (const call of calls) {
    const number = call.action?.number ?? -call.number
    const group = groups.get(number)
    if (group === undefined) groups.set(number, [call])
    else group.push(call)
  }
  return [...groups.values()]
}

export const newRecording = (choices: Choices): Recording => ({
  choices,
  calls: [],
  replies: [],
  log: [],
  months: [],
  figures: [],
  learnt: [],
  readings: 0,
  secrets: new Set(),
  ended: new Map(),
  outcomes: [],
  steps: [],
  faults: [],
  verdicts: [],
  counted: [],
})

/** Tokens and codes by name, in every form in which the service writes them. */
const SECRET_FIELDS =
  /"(?:access_token|refresh_token)"\s*:\s*"([^"]{8,})"|(?:^|&)(?:access_token|refresh_token)=([^&]{8,})/g

export function noteSecrets({ secrets }: Recording, text: string): void {
  for (const [, json, form] of text.matchAll(SECRET_FIELDS)) {
    secrets.add(json === undefined ? decodeURIComponent(form ?? '') : (JSON.parse(`"${json}"`) as string))
  }
}

export function readParameters(contentType: string, body: string): ReadonlyMap<string, string> {
  if (!/json/i.test(contentType)) return new Map(new URLSearchParams(body))
  try {
    return new Map(Object.entries(JSON.parse(body) as Record<string, string>))
  } catch {
    return new Map()
  }
}
