/** The meaning of an answer of the service: a table from status, body and known facts to a meaning. */

import { ASSUMED, type Assumptions } from './assumptions.ts'
import { MINUTE_MS, SECOND_MS } from './duration.ts'
import { isErrorBody, isJsonObject, type JsonObject } from './json.ts'
import type { RequestKind } from './month.ts'
import type { ProblemCode } from './problem.ts'
import type { RateReading } from './rate-limit.ts'
import type { Reason, ReasonCode } from './reason.ts'
import { readRetryAfter } from './refusal.ts'
import { OUTAGE_ERRORS, TOKEN_ERRORS } from './token.ts'

export interface AnsweredRequest {
  kind: RequestKind
  status: number
  headers: Pick<Headers, 'get'>
  text: string
}

/** The facts besides the answer. Requests to the token endpoint need only `serviceNowMs`. */
export interface KnownState {
  /** The service's time, UNIX milliseconds. */
  serviceNowMs: number
  /** By our own clock the access token is about to expire, or has. An API key never expires. */
  tokenExpired?: boolean
  /** Requests of this month by our own count (upper end), and the limit of the plan, if it is known. */
  month?: { sent: number; limit: number | undefined }
  minute?: MinuteUse
}

export interface MinuteUse {
  /** Of headers that describe the other class (8.4.4) only the limit, which shows that there were some. */
  reading: RateReading
  /** Requests of this class that were sent with this token in the last minute. */
  sent: number
  /** The limit of the class, if an answer has shown it. */
  limit: number | undefined
  /** The previous answer was `limit_unknown` too. */
  unknownBefore: boolean
}

export interface Meaning {
  code: 'success' | ProblemCode
  /** A fresh access token may help: repeat the request once with it. */
  renew: boolean
  /** Milliseconds to wait; undefined if the time is unknown, or only the end of the month helps. */
  retryInMs: number | undefined
  /** The reasons for the meaning; never texts of the service. */
  reasons: readonly Reason[]
}

/** The pause if the answer does not say which limit was reached: the length of a window (8.2). */
export const UNKNOWN_PAUSE_MS = MINUTE_MS
/** The longest time to the end of a one-minute window, with room for differing clocks. */
const LONGEST_MINUTE_MS = 65 * SECOND_MS
/** Above this share of the month's limit, a refusal more likely means the month than the credential. */
export const NEARLY = 0.9

/** A status of success is 2xx (RFC 9110 15.3). */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

const ERROR_WORDS = [...TOKEN_ERRORS, ...OUTAGE_ERRORS]
type TokenError = (typeof ERROR_WORDS)[number]

interface Facts extends MinuteUse {
  status: number
  errorBody: boolean
  error: () => TokenError | undefined
  retryAfterMs: number | undefined
  tokenExpired: boolean
  monthNearlyUsedUp: boolean
  /** This status may mean that the month is used up. */
  mayBeOfMonth: boolean
  resetInMs: number | undefined
}

const NOTHING_SENT: MinuteUse = { reading: {}, sent: 0, limit: undefined, unknownBefore: false }

interface MeaningRow {
  of: readonly RequestKind[]
  /** Statuses, or the first digit of a class of them; absent: any. */
  status?: readonly number[] | '2xx' | '5xx'
  when?: (facts: Facts) => boolean
  means: Meaning['code']
  renew?: true
  /** Milliseconds to wait. */
  wait?: (facts: Facts) => number | undefined
  reason?: ReasonCode
}

const CODE: readonly RequestKind[] = ['token.code']
const REFRESH: readonly RequestKind[] = ['token.refresh']
const TOKEN: readonly RequestKind[] = [...CODE, ...REFRESH]
const RECORDS: readonly RequestKind[] = ['api.read', 'api.update']
const API: readonly RequestKind[] = [...RECORDS, 'rate_limit']

const retryAfter = ({ retryAfterMs }: Facts) => retryAfterMs
// A wait of 0 says nothing about a limit.
const asksToWait = ({ retryAfterMs = 0 }: Facts) => retryAfterMs > 0
const asksForMoreThanAMinute = ({ retryAfterMs = 0 }: Facts) => retryAfterMs > LONGEST_MINUTE_MS
const someRemain = ({ reading: { remaining = 0 } }: Facts) => remaining > 0
const resetIsFar = ({ reading, resetInMs = 0 }: Facts) =>
  reading.isResetFar === true || (reading.remaining !== undefined && resetInMs > LONGEST_MINUTE_MS)
const noneRemainUntilReset = ({ reading, resetInMs }: Facts) =>
  reading.remaining !== undefined && resetInMs !== undefined
const noHeadersAndFewSent = ({ reading, sent, limit = 0 }: Facts) =>
  (reading.remaining ?? reading.limit ?? reading.resetAtSeconds) === undefined && sent < limit / 2
const secondTimeUnknown = ({ unknownBefore, limit, sent }: Facts) =>
  unknownBefore && (limit === undefined || sent < limit)
const mayBeOfMonth = (facts: Facts) => facts.mayBeOfMonth
const monthNearlyUsedUp = (facts: Facts) => facts.monthNearlyUsedUp && facts.mayBeOfMonth
const errorBodyNearMonthEnd = (facts: Facts) => facts.errorBody && monthNearlyUsedUp(facts)
const errorBody = (facts: Facts) => facts.errorBody
const tokenExpired = (facts: Facts) => facts.tokenExpired
const error =
  (...words: (TokenError | undefined)[]) =>
  (facts: Facts) =>
    words.includes(facts.error())

/**
 * The first row that fits decides; an answer that fits none is unexpected. The document shows only 429 (7,
 * 8.4.3), and neither bodies nor other codes (5.5, 7, 8.3). So the rows follow the RFCs; where the RFCs say
 * nothing, they follow the reading that loses least.
 */
// biome-ignore format: one row a line
const MEANINGS: readonly MeaningRow[] = [
  // A limit is reached (8.4.3): first the service's own statement (Retry-After), then the headers, our count.
  { of: API, status: [429], when: asksForMoreThanAMinute, means: 'month_suspected', reason: 'long_wait_asked' },
  { of: API, status: [429], when: asksToWait, means: 'rate_limited', wait: retryAfter, reason: 'short_wait_asked' },
  { of: API, status: [429], when: someRemain, means: 'month_suspected', reason: 'minute_has_requests_left' },
  { of: API, status: [429], when: resetIsFar, means: 'month_suspected', reason: 'reset_is_far' },
  { of: API, status: [429], when: noneRemainUntilReset, means: 'rate_limited', wait: ({ resetInMs = 0 }) => resetInMs + SECOND_MS, reason: 'minute_used_up' },
  { of: API, status: [429], when: noHeadersAndFewSent, means: 'month_suspected', reason: 'few_were_sent' },
  { of: API, status: [429], when: secondTimeUnknown, means: 'month_suspected', reason: 'refused_again' },
  { of: API, status: [429], means: 'limit_unknown', wait: () => UNKNOWN_PAUSE_MS, reason: 'limit_not_named' },
  // The month may be used up; its answer is not shown (8.3). A used-up month needs payment (RFC 9110 15.5.3).
  { of: API, status: [402], when: mayBeOfMonth, means: 'month_suspected', reason: 'payment_asked' },
  { of: API, status: [401, 403], when: monthNearlyUsedUp, means: 'month_suspected', reason: 'refused_near_the_end_of_the_month' },
  { of: API, status: '2xx', when: errorBodyNearMonthEnd, means: 'month_suspected', reason: 'refused_near_the_end_of_the_month' },
  // Success, unless the body is an error or is not JSON.
  { of: API, status: '2xx', when: errorBody, means: 'unexpected_reply' },
  { of: API, status: '2xx', means: 'success' },
  // The credential is refused (RFC 6750 3.1), certainly or because it has expired by our own clock.
  { of: API, status: [401], means: 'credential_refused', renew: true },
  { of: API, status: [440], when: tokenExpired, means: 'credential_refused', renew: true },
  { of: API, status: [440], means: 'credential_refused' },
  { of: RECORDS, status: [403], when: tokenExpired, means: 'organization_refused', renew: true },
  { of: API, status: [403], when: tokenExpired, means: 'unexpected_reply', renew: true },
  // The record is refused or does not exist; the service need not say which (RFC 9110 15.5.4).
  { of: RECORDS, status: [400, 403, 404], means: 'organization_refused' },
  { of: API, status: '5xx', means: 'upstream_failed', wait: retryAfter },

  // The token endpoint: the error code of RFC 6749 5.2, else the status. Only an error code ends a grant.
  { of: TOKEN, status: [429], means: 'limit_unknown', wait: retryAfter },
  { of: TOKEN, status: '5xx', means: 'upstream_failed', wait: retryAfter },
  { of: TOKEN, status: [408, 425], means: 'upstream_failed', wait: retryAfter },
  { of: TOKEN, when: error(...OUTAGE_ERRORS), means: 'upstream_failed', wait: retryAfter },
  { of: TOKEN, when: error('invalid_client', 'unauthorized_client'), means: 'client_rejected' },
  { of: TOKEN, status: [401], when: error(undefined), means: 'client_rejected' },
  { of: CODE, when: error('invalid_grant'), means: 'code_rejected' },
  { of: REFRESH, when: error('invalid_grant'), means: 'access_withdrawn' },
  // A 400 without an error code is the code: a wrong client or parameter would have failed before.
  { of: CODE, status: [400], when: error(undefined), means: 'code_rejected' },
  { of: TOKEN, status: '2xx', when: error(undefined), means: 'success' },
]

/** Looks an answer up (5.5, 7, 8.3, 8.4; RFC 6749 5.2). `rate_limited` waits at least a second. */
export function answerMeaning(
  answer: AnsweredRequest,
  known: KnownState,
  { month_status }: Pick<Assumptions, 'month_status'> = ASSUMED,
): Meaning {
  const mayBeOfMonth = month_status === 'unknown' || month_status === answer.status
  const facts = { ...factsOf(answer, known), mayBeOfMonth }
  const { means, renew = false, wait, reason } = rowFor(answer, facts)
  const waitMs = wait?.(facts)
  const retryInMs = means === 'rate_limited' ? Math.max(SECOND_MS, waitMs ?? 0) : waitMs
  return {
    code: means,
    renew,
    retryInMs,
    reasons: reason === undefined ? [] : [{ code: reason }],
  }
}

const rowFor = ({ kind, status }: AnsweredRequest, facts: Facts): Omit<MeaningRow, 'of'> =>
  MEANINGS.find(
    (row) => row.of.includes(kind) && fits(row.status, status) && (row.when?.(facts) ?? true),
  ) ?? {
    means: 'unexpected_reply',
  }

function fits(wanted: MeaningRow['status'], status: number): boolean {
  if (wanted === undefined) return true
  if (wanted === '2xx') return isSuccess(status)
  return wanted === '5xx' ? status >= 500 : wanted.includes(status)
}

function factsOf({ status, headers, text }: AnsweredRequest, known: KnownState): Omit<Facts, 'mayBeOfMonth'> {
  const { serviceNowMs, tokenExpired = false, month, minute = NOTHING_SENT } = known
  const { resetAtSeconds } = minute.reading
  return {
    ...minute,
    status,
    errorBody: isErrorBody(text),
    error: () => errorWord(text),
    retryAfterMs: readRetryAfter(headers, serviceNowMs),
    tokenExpired,
    monthNearlyUsedUp: month?.limit !== undefined && month.sent >= NEARLY * month.limit,
    resetInMs: resetAtSeconds === undefined ? undefined : resetAtSeconds * SECOND_MS - serviceNowMs,
  }
}

/** The error code of RFC 6749 5.2 or 4.1.2.1; of several errors the first one's (7: not shown). */
export function errorWord(text: string): TokenError | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // A body that is not JSON has no error code.
  }
  const { error: word, code, errors }: JsonObject = isJsonObject(body) ? body : {}
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  const words = [word, code, isJsonObject(first) ? first['code'] : undefined]
  return ERROR_WORDS.find((known) => words.includes(known))
}
