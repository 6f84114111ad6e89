/** `/bff/evidence`: what the service turned out to do where its document leaves it open, and how it was found out. Nothing is sent to find out. */
import { closedObject } from './closed-object.ts'
import { flag, listOf, members, oneOf, text, time } from './json.ts'
import { Problem, readReply } from './problem.ts'

/** What can be found out. */
export const FINDINGS = [
  /** Status of the answer over the month (8.3: not shown). */
  'month_status',
  /** Whether an exchange of a code counts in the month (8.3: not shown); the same for the three after it. */
  'token_code_counts',
  'token_refresh_counts',
  'rate_limit_counts',
  'failed_requests_count',
  /** Time zones in which the month may be reset (8.3: not shown). */
  'month_zones',
  /** Whether a refresh answers with another refresh token (5.4: not shown). */
  'refresh_rotates',
  /** Which class the headers describe (8.4.4: not shown). */
  'headers_describe',
] as const
export type FindingName = (typeof FINDINGS)[number]

/** One finding. */
export interface Finding {
  name: FindingName
  /** What is assumed without evidence, in the words of `value`. */
  assumed: string
  /** What the evidence shows; absent while there is none. As `yes`, `no`, `402`, `Asia/Tokyo`; several joined by `, `. */
  value?: string
  /** Whether the app goes by it: the evidence is conclusive, or a person has confirmed it. */
  in_use: boolean
  /** Whether a person can confirm the value: the evidence fits it alone and does not prove it. */
  confirmable: boolean
  /** What was observed, the newest first: at most 5. */
  observations: Observation[]
}

export const OBSERVATIONS = [
  /** An answer while the month was used up had the status `value`. */
  'status_over_the_month',
  'refresh_rotated',
  'refresh_did_not_rotate',
  /** The headers of a read, beside the record of both classes, described the class `value`. */
  'headers_described',
  /** The month was reset after an instant, and by another. */
  'month_reset',
  'confirmed',
  /** Between two readings the count rose by less than it had to if such requests counted; by just what was sent with them; without. */
  'rose_by_less',
  'rose_with',
  'rose_without',
] as const

/** Something that was observed, without ids and tokens; the page has the words. Times are RFC 3339. */
export interface Observation {
  at: string
  code: (typeof OBSERVATIONS)[number]
  value?: string
  after?: string
  by?: string
}

/** The answer of `GET /bff/evidence`, with a row for each of FINDINGS. */
export interface Evidence {
  findings: Finding[]
}

/** Body of `POST /bff/evidence/{name}`: a person confirms the value that is shown. */
export interface EvidenceConfirmation {
  value: string
}

/** @throws Problem `invalid_request` for any other body */
export function parseEvidenceConfirmation(body: unknown): EvidenceConfirmation {
  const { value } = closedObject(body, ['value'])
  if (typeof value !== 'string') throw new Problem('invalid_request', { fault: 'value_not_a_string' })
  return { value }
}

const readFinding = members(
  {
    name: oneOf(FINDINGS),
    assumed: text,
    in_use: flag,
    confirmable: flag,
    observations: listOf(
      members({ at: time, code: oneOf(OBSERVATIONS) }, { value: text, after: time, by: time }),
    ),
  },
  { value: text },
)

/** @throws Problem `unexpected_reply` */
export const parseEvidence = (body: unknown): Evidence =>
  readReply(members({ findings: listOf(readFinding) }, {}), body)
