/** The requests that the sandbox got, one entry each: without a secret, and of bounded length. */
import { hash } from 'node:crypto'
import type { RequestClass } from '../../contract/rate-limit.ts'

/** What a client did wrong. */
export type Verdict =
  | 'refresh_token_used_twice'
  | 'code_sent_twice'
  | 'sent_while_over'
  | 'secret_in_url'
  | 'two_credentials'
  | 'unknown_endpoint'

/** Where a request was counted: in the minute of a class (8.2), and how often in the month (8.3). */
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
  // `shift` moves the start of the array, `splice` all entries.
  while (requestLog.length > MOST_LOG_ENTRIES) requestLog.shift()
}

/** Eight characters by which secrets can be compared, and from which none can be computed. */
export const fingerprint = (secret: string): string => hash('sha256', secret, 'hex').slice(0, 8)

// The values of these are no secrets; those of all other parameters may be.
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

/** The parameters of a query or a form, masked; of a repeated one, every value. */
export function mask(parameters: URLSearchParams): Record<string, string> {
  const masked: Record<string, string> = {}
  for (const [name, value] of parameters) {
    const shown = PUBLIC.has(name) ? value.slice(0, LONGEST_SHOWN) : `~${fingerprint(value)}`
    const key = name.slice(0, 40)
    masked[key] = Object.hasOwn(masked, key) ? `${masked[key]}, ${shown}` : shown
  }
  return masked
}
