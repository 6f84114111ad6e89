/** Decides which requests are counted in the minute and in the month (8). */
import { RATE_LIMIT_PATH, type RequestClass, requestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'

export interface CountedIn {
  minute: boolean
  month: boolean
}

const BOTH: CountedIn = { minute: true, month: true }
export const NEITHER: CountedIn = { minute: false, month: false }
const MINUTE: CountedIn = { minute: true, month: false }

/** U63: the two methods that 8.2 does not list. */
const FURTHER_CLASSES: Record<Choices['preflight'], Record<string, RequestClass>> = {
  not_counted: {},
  head_as_read: { HEAD: 'read' },
  both_count: { HEAD: 'read', OPTIONS: 'read' },
}

/** Section 8.2; `undefined`: the method has no class and is not counted. */
export const classOf = (
  { preflight }: Pick<Choices, 'preflight'>,
  method: string,
): RequestClass | undefined => requestClass(method) ?? FURTHER_CLASSES[preflight][method]

/** U61: a served `GET /rate_limit`. */
const RATE_LIMIT_COUNTS: Record<Choices['ratelimitcount'], CountedIn> = {
  minute_and_month: BOTH,
  none: NEITHER,
  minute: MINUTE,
}
export const servedCounts = ({ ratelimitcount }: Pick<Choices, 'ratelimitcount'>, path: string): CountedIn =>
  path === RATE_LIMIT_PATH ? RATE_LIMIT_COUNTS[ratelimitcount] : BOTH

/** U60: a request over a limit. */
const REFUSED_COUNTS: Record<Choices['refusedcount'], CountedIn> = {
  none: NEITHER,
  minute: MINUTE,
  month: { minute: false, month: true },
  minute_and_month: BOTH,
}
export const refusedCounts = ({ refusedcount }: Pick<Choices, 'refusedcount'>): CountedIn =>
  REFUSED_COUNTS[refusedcount]

/** U62: the requests that the month counts besides the successful ones. */
const MONTH_COUNTS: Record<Choices['failcount'], { failures: boolean; refusedCredentials: boolean }> = {
  valid_credential: { failures: true, refusedCredentials: false },
  all: { failures: true, refusedCredentials: true },
  only_2xx: { failures: false, refusedCredentials: false },
}
export const monthCounts = ({ failcount }: Pick<Choices, 'failcount'>) => MONTH_COUNTS[failcount]
