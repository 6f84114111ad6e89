/** What a journey leaves behind: every request to the service, every answer to the browser, and what the service itself counted. */
import type { LogEntry } from '../../src/bff/context.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'

/** What a person, or the page by itself, did to the bff. */
export interface Action {
  number: number
  /** `free` is everything that promises to send nothing. */
  kind: 'sign_in' | 'press' | 'free'
  /** As `GET /api/rate_limit`. */
  what: string
}

/** One request that reached the service. */
export interface Call {
  number: number
  /** Absent when nobody did anything that led to it. */
  action: Action | undefined
  method: string
  path: string
  query: string
  /** The request's body, read as the form or the JSON that it is. */
  parameters: ReadonlyMap<string, string>
  authorization: string | null
  apiKey: string | null
  sentAtMs: number
  /** When the answer came; the end of all patience where none did. */
  answeredAtMs: number
  /** Absent where no answer came. */
  answer?: { status: number; headers: Headers; text: string }
  /** Which limit the service itself says it is over. */
  over?: 'minute' | 'month'
  /** Requests of the same credential, or other refreshes, that were under way when it was sent. */
  alongside: Call[]
}

/** One answer of the bff. */
export interface Reply {
  action: Action
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
}

export interface Recording {
  choices: Choices
  calls: Call[]
  replies: Reply[]
  log: LogEntry[]
  months: MonthCheck[]
  /** All that the browser and the log may never see. */
  secrets: Set<string>
  /** How each part of the journey ended, for the report. */
  steps: string[]
  /** What the journey itself found wrong. */
  faults: string[]
  /** What the service's own ledger says against the client. */
  verdicts: string[]
  /** What the service counted in its months because of the app, and what others spent. */
  counted: number
}

export const newRecording = (choices: Choices): Recording => ({
  choices,
  calls: [],
  replies: [],
  log: [],
  months: [],
  secrets: new Set(),
  steps: [],
  faults: [],
  verdicts: [],
  counted: 0,
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
