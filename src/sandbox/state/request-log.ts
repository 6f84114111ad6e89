/** The log of requests. It has no secret and a bounded length. */
import { hash } from 'node:crypto'
import * as v from 'valibot'
import { time, whole } from './parse.ts'

export const VERDICT = v.picklist([
  'refresh_token_used_twice',
  'code_sent_twice',
  'sent_while_over',
  'secret_in_url',
  'two_credentials',
  'unknown_endpoint',
])
export type Verdict = v.InferOutput<typeof VERDICT>

/** The class of the minute (8.2), and the number in the month (8.3). */
const COST = v.object({ minute: v.exactOptional(v.picklist(['read', 'update'])), month: whole() })
export type Cost = v.InferOutput<typeof COST>
const FIELDS = v.exactOptional(v.record(v.string(), v.string()))

/** Every value that could be a secret is a fingerprint. */
export const LOG_ENTRY = v.object({
  /** Begins at 1 and has no gap, also when old entries are dropped. */
  number: whole(1),
  at_ms: time,
  method: v.string(),
  path: v.string(),
  /** `served`, the word of a refusal, or that of a fault. */
  rule: v.string(),
  status: v.exactOptional(whole()),
  cost: COST,
  organization_id: v.exactOptional(whole()),
  /** For example `oauth 3f9a2c1b` or `api_key 3f9a2c1b`. */
  credential: v.exactOptional(v.string()),
  grant_id: v.exactOptional(v.string()),
  verdict: v.exactOptional(VERDICT),
  /** All verdicts, if there is more than one. */
  verdicts: v.exactOptional(v.array(VERDICT)),
  seen: v.object({ query: FIELDS, body: FIELDS }),
})
export type RequestLogEntry = v.InferOutput<typeof LOG_ENTRY>

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
