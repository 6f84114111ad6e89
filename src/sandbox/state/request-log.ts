/** The log of requests. It has no secret and a bounded length. */
import { hash } from 'node:crypto'
import type { RequestClass } from '../../contract/rate-limit.ts'

export type Verdict =
  | 'refresh_token_used_twice'
  | 'code_sent_twice'
  | 'sent_while_over'
  | 'secret_in_url'
  | 'two_credentials'
  | 'unknown_endpoint'

/** The class of the minute (8.2), and the number in the month (8.3). */
export interface Cost {
  minute?: RequestClass
  month: number
}

/** Every value that could be a secret is a fingerprint. */
export interface RequestLogEntry {
  /** Begins at 1 and has no gap, also when old entries are dropped. */
  number: number
  at_ms: number
  method: string
  path: string
  /** `served`, the word of a refusal, or that of a fault. */
  rule: string
  status?: number
  cost: Cost
  organization_id?: number
  /** For example `oauth 3f9a2c1b` or `api_key 3f9a2c1b`. */
  credential?: string
  grant_id?: string
  verdict?: Verdict
  /** All verdicts, if there is more than one. */
  verdicts?: Verdict[]
  seen: { query?: Record<string, string>; body?: Record<string, string> }
}

export const MOST_LOG_ENTRIES = 2000

export function write(requestLog: RequestLogEntry[], entry: RequestLogEntry): void {
  requestLog.push(entry)
  // `shift` moves only the start of the array; `splice` moves all entries.
  while (requestLog.length > MOST_LOG_ENTRIES) requestLog.shift()
}

/** Eight characters that identify a secret and do not reveal it. */
export const fingerprint = (secret: string): string => hash('sha256', secret, 'hex').slice(0, 8)

// Their values are shown, unless a client has put a known secret there.
const PUBLIC = [
  ...'client_id redirect_uri response_type organization_id grant_type scope'.split(' '),
  'code_challenge_method',
  'token_type_hint',
]
const LONGEST_SHOWN = 200
const LONGEST_NAME = 24

/** A repeated parameter has all its values. A client may send a secret as a name by mistake. */
export function mask(
  parameters: URLSearchParams,
  isSecret: (text: string) => boolean,
): Record<string, string> {
  const masked: Record<string, string> = {}
  for (const [name, value] of parameters) {
    const isShown = PUBLIC.includes(name) && !isSecret(value)
    const shown = isShown ? value.slice(0, LONGEST_SHOWN) : `~${fingerprint(value)}`
    const key = name.length > LONGEST_NAME || isSecret(name) ? `~${fingerprint(name)}` : name
    masked[key] = Object.hasOwn(masked, key) ? `${masked[key]}, ${shown}` : shown
  }
  return masked
}
