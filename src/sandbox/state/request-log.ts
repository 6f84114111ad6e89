/** The requests that the sandbox got, one entry each: without a secret, and of bounded length. */
import { createHash } from 'node:crypto'
import type { RequestClass } from '../../contract/rate-limit.ts'

/** How a client misbehaved. */
export type Verdict =
  | 'refresh_token_used_twice'
  | 'code_sent_twice'
  | 'sent_while_over'
  | 'secret_in_url'
  | 'two_credentials'
  | 'unknown_endpoint'

/** What a request cost: one of a class of its minute (8.2), and so many of the month (8.3). */
export interface Cost {
  minute?: RequestClass
  month: number
}

/** One request. Every value that could be a secret is a fingerprint. */
export interface RequestLogEntry {
  /** From 1, without gaps, also beyond the length of the log. */
  number: number
  /** When it arrived. */
  at_ms: number
  method: string
  path: string
  /** Which rule it met: `served`, the word of a refusal, or that of a fault. */
  rule: string
  /** Absent where no answer was sent. */
  status?: number
  cost: Cost
  organization_id?: number
  /** As `oauth 3f9a2c1b` or `api_key 3f9a2c1b`. */
  credential?: string
  grant_id?: string
  verdict?: Verdict
  /** All of them, where there is more than one. */
  verdicts?: Verdict[]
  seen: Seen
}

/** What a request carried. */
export interface Seen {
  query?: Record<string, string>
  body?: Record<string, string>
}

/** How many entries are stored. */
export const MOST_LOG_ENTRIES = 2000

/** Adds an entry, and drops the oldest where there are too many. */
export function write(requestLog: RequestLogEntry[], entry: RequestLogEntry): void {
  requestLog.push(entry)
  if (requestLog.length > MOST_LOG_ENTRIES) requestLog.splice(0, requestLog.length - MOST_LOG_ENTRIES)
}

/** Eight characters that tell two secrets apart, and neither of them. */
export const fingerprint = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex').slice(0, 8)

// What these hold is in the document, in an address bar or on a page, so it is readable; all else may be a secret.
const PUBLIC = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'organization_id',
  'grant_type',
  'scope',
  'code_challenge_method',
  'token_type_hint',
])
const LONGEST_SHOWN = 200

/** The parameters of a query or a form, masked; where one stands twice, both. */
export function mask(parameters: URLSearchParams): Record<string, string> {
  const masked: Record<string, string> = {}
  for (const [name, value] of parameters) {
    const shown = PUBLIC.has(name) ? value.slice(0, LONGEST_SHOWN) : `~${fingerprint(value)}`
    const key = name.slice(0, 40)
    masked[key] = Object.hasOwn(masked, key) ? `${masked[key]}, ${shown}` : shown
  }
  return masked
}
