/** `/bff/evidence`: the service's behaviour where its document is open. No request is sent to find out. */
import type { Weighed } from './month-weights.ts'

export const FINDINGS = [
  /** If exchanges of a code, refreshes, checks and failed requests count in the month (8.3: not shown). */
  'token_code_counts',
  'token_refresh_counts',
  'rate_limit_counts',
  'failed_requests_count',
  /** Time zones in which the month may be reset (8.3: not shown). */
  'month_zones',
] as const
export type FindingName = (typeof FINDINGS)[number]

/** The sort of requests that a finding is about. */
export const SORTS = {
  token_code_counts: 'token.code',
  token_refresh_counts: 'token.refresh',
  rate_limit_counts: 'rate_limit',
  failed_requests_count: 'failed',
} as const satisfies { [Name in FindingName]?: Weighed }
export type CountFinding = keyof typeof SORTS

export const isCountFinding = (name: FindingName): name is CountFinding => name in SORTS

export interface Finding {
  name: FindingName
  /** The assumption without evidence, in the words of `value`. */
  assumed: string
  /** The value: `yes`, `no`, `Asia/Tokyo`; several are joined by `, `. Absent without evidence. */
  value?: string
  /** What the operator of this Plimsoll has stated, which is in use whatever the evidence shows. */
  stated?: string
  /** The evidence is conclusive, or a person has confirmed it. */
  in_use: boolean
  /** The evidence fits only this value, but does not prove it. */
  confirmable: boolean
  /** At most 5 observations, the newest first. */
  observations: Observation[]
}

export type ObservationCode =
  /** The month was reset between two instants. */
  | 'month_reset'
  | 'confirmed'
  /** The count rose by less than if such requests counted; by exactly the requests with, or without them. */
  | 'rose_by_less'
  | 'rose_with'
  | 'rose_without'

/** An observation without ids and tokens; the page has the words. Times are RFC 3339. */
export interface Observation {
  at: string
  code: ObservationCode
  after?: string
  by?: string
}

/** What an operator may state, by its finding. */
export type Stated = { readonly [Name in FindingName]?: string }

/** The answer of `GET /bff/evidence`, with a row for each of FINDINGS. */
export interface Evidence {
  findings: Finding[]
}
