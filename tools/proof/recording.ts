/** What a journey leaves behind: every request to the service, every answer to the browser, and what the service itself counted. */
import type { LogEntry } from '../../src/bff/core/context.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'

/** What a user, or the page by itself, did to the bff. */
export interface Action {
  number: number
  /** `free` is everything that promises to send nothing. */
  kind: 'sign_in' | 'press' | 'free'
  /** As `GET /api/rate_limit`. */
  what: string
  /** Of the session cookie that came with it; for a sign-in, of nothing. */
  session?: string
  /** The organization that the user signed in to, as its id stands in an address. */
  organization?: string
  /** The state that came back with a sign-in. */
  state?: string
}

/** One request that reached the service. */
export interface Call {
  number: number
  /** Absent when no action led to it. */
  action: Action | undefined
  method: string
  path: string
  query: string
  /** The request's body, read as the form or the JSON that it is. */
  parameters: ReadonlyMap<string, string>
  authorization: string | null
  apiKey: string | null
  /** The values of all other headers. */
  otherHeaders: readonly string[]
  sentAtMs: number
  /** When the answer came; infinite where none did. */
  answeredAtMs: number
  /** Absent where no answer came. */
  answer?: { status: number; headers: Headers; text: string }
  /** Which limit the service itself states it is over. */
  over?: 'minute' | 'month'
  /** Requests that were under way when it was sent. */
  alongside: Call[]
}

/** One answer of the bff. */
export interface Reply {
  action: Action
  atMs: number
  status: number
  contentType: string
  headers: string
  text: string
}

/** The month as the page shows it beside the number of the service. */
export interface MonthCheck {
  at: string
  low: number
  high: number
  truth: number
  /** Requests of which it is unknown whether the service counted them in this month. */
  unknown: number
  /** Absent without a reading of this month. `truth`: all that the service counted in it. */
  organization?: { low: number; high: number; truth: number }
}

/** What the app has learnt of the service. */
export interface LearntCheck {
  at: string
  name: string
  value: string
  isTrue: boolean
}

/** What a person is shown of an organization, before and after a sign-in to it that did not succeed. */
export interface FiguresCheck {
  at: string
  before: string
  after: string
}

/** How one step ended, for the summary. */
export interface StepOutcome {
  step: string
  outcome: string
}

/** A line of the service's own log that states something against the client. */
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
  /** How many a person has entered. */
  readings: number
  /** All that the browser and the log may never see. */
  secrets: Set<string>
  /** Session cookies that have ended, each with the number of the action that ended it. */
  ended: Map<string, number>
  outcomes: StepOutcome[]
  /** Every single end, for reading one journey. */
  steps: string[]
  /** What the journey itself found wrong. */
  faults: string[]
  verdicts: Verdict[]
  /** The requests of the app that the service counted in its months. */
  counted: { atMs: number; what: string }[]
}

/** What breaks a rule; with the time at which it was sent, where it is a request. */
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

/** The code of a problem; empty where the text is none. */
export const codeOf = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

/** The requests of each action together; those of none one by one. */
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

/** Tokens and codes by name, in whatever form the service wrote them. */
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
