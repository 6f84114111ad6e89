/** What an answer of the service means: one table from status, body and what is known beside them to a meaning. */
import { MINUTE_MS, SECOND_MS } from './duration.ts'
import { ASSUMED, type Assumptions } from './assumptions.ts'
import { isErrorBody } from './error-body.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import type { RequestKind } from './month.ts'
import type { ProblemCode } from './problem.ts'
import type { RateReading } from './rate-limit.ts'
import type { Reason, ReasonCode } from './reason.ts'
import { readRetryAfter } from './refusal.ts'
import { OUTAGE_ERRORS, TOKEN_ERRORS } from './token.ts'

/** An answer of the service, and the request that it answers. */
export interface AnsweredRequest {
  kind: RequestKind
  status: number
  headers: Pick<Headers, 'get'>
  text: string
}

/** What decides beside the answer itself. Requests to the token endpoint need `serviceNowMs` alone. */
export interface KnownState {
  /** The service's time, UNIX milliseconds. */
  serviceNowMs: number
  /** Whether the access token has reached its end by our own clock; an API key never does. */
  tokenExpired?: boolean
  /** Requests of this month by our own count (upper end), and the limit of the plan; no limit while it is not known. */
  month?: { sent: number; limit: number | undefined }
  minute?: MinuteUse
}

export interface MinuteUse {
  /** What the headers say of the class of this request; empty where they describe the other class (8.4.4). */
  reading: RateReading
  /** Requests of this class that were sent with this token in the last minute. */
  sent: number
  /** The limit of the class, where an answer has shown it. */
  limit: number | undefined
  /** Whether the answer before this one was `limit_unknown` too. */
  unknownBefore: boolean
}

export interface Meaning {
  code: 'success' | ProblemCode
  /** A fresh access token may help: the request is worth one repetition with it. */
  renew: boolean
  /** Milliseconds to wait; undefined where no length is known, or only the end of the month helps. */
  retryInMs: number | undefined
  /** Why; never anything that the service sent. */
  reasons: readonly Reason[]
}

/** The pause where a limit is reached and the answer does not say which: the length of a window (8.2). */
export const UNKNOWN_PAUSE_MS = MINUTE_MS
/** The longest time to the end of a window of one minute, with room for clocks that differ. */
const LONGEST_MINUTE_MS = 65 * SECOND_MS
/** From this part of the month's limit on, a refusal is more likely the month's than the credential's. */
export const NEARLY = 0.9

/** Whether the status is one of success (RFC 9110 15.3). */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

const ERROR_WORDS = [...TOKEN_ERRORS, ...OUTAGE_ERRORS]
type TokenError = (typeof ERROR_WORDS)[number]

/** Everything that a row may ask about. */
interface Facts {
  status: number
  errorBody: boolean
  /** The word of RFC 6749 in the body. */
  error: () => TokenError | undefined
  retryAfterMs: number | undefined
  tokenExpired: boolean
  monthNearlyUsedUp: boolean
  /** Whether the month may be answered with this status when it is used up. */
  mayBeOfMonth: boolean
  reading: RateReading
  resetInMs: number | undefined
  sent: number
  limit: number | undefined
  unknownBefore: boolean
}

interface MeaningRow {
  /** The requests that the row is for. */
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
// To wait for nothing is no statement about a limit.
const asksToWait = ({ retryAfterMs = 0 }: Facts) => retryAfterMs > 0
const asksForMoreThanAMinute = ({ retryAfterMs = 0 }: Facts) => retryAfterMs > LONGEST_MINUTE_MS
const someRemain = ({ reading: { remaining = 0 } }: Facts) => remaining > 0
const resetIsFar = ({ reading, resetInMs = 0 }: Facts) =>
  reading.notes.includes('reset_far') || (reading.remaining !== undefined && resetInMs > LONGEST_MINUTE_MS)
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
 * The first row that fits decides; an answer that fits none is unexpected. Only 429 is in the document (7, 8.4.3); bodies and
 * all other codes are not shown (5.5, 7, 8.3), so these rows follow the RFCs, and where those say nothing, the reading that
 * loses least.
 */
// biome-ignore format: one row a line
const MEANINGS: readonly MeaningRow[] = [
  // A limit is reached (8.4.3): Retry-After is the service's own statement and comes first, then the headers, then our count.
  { of: API, status: [429], when: asksForMoreThanAMinute, means: 'month_suspected', reason: 'long_wait_asked' },
  { of: API, status: [429], when: asksToWait, means: 'rate_limited', wait: retryAfter, reason: 'short_wait_asked' },
  { of: API, status: [429], when: someRemain, means: 'month_suspected', reason: 'minute_has_requests_left' },
  { of: API, status: [429], when: resetIsFar, means: 'month_suspected', reason: 'reset_is_far' },
  { of: API, status: [429], when: noneRemainUntilReset, means: 'rate_limited', wait: ({ resetInMs = 0 }) => resetInMs + SECOND_MS, reason: 'minute_used_up' },
  { of: API, status: [429], when: noHeadersAndFewSent, means: 'month_suspected', reason: 'few_were_sent' },
  { of: API, status: [429], when: secondTimeUnknown, means: 'month_suspected', reason: 'refused_again' },
  { of: API, status: [429], means: 'limit_unknown', wait: () => UNKNOWN_PAUSE_MS, reason: 'limit_not_named' },
  // The month may be used up, whose answer is not shown (8.3). Payment is what a used-up month needs (RFC 9110 15.5.3).
  { of: API, status: [402], when: mayBeOfMonth, means: 'month_suspected', reason: 'payment_asked' },
  { of: API, status: [401, 403], when: monthNearlyUsedUp, means: 'month_suspected', reason: 'refused_near_the_end_of_the_month' },
  { of: API, status: '2xx', when: errorBodyNearMonthEnd, means: 'month_suspected', reason: 'refused_near_the_end_of_the_month' },
  // Success, unless the body is an error or no JSON.
  { of: API, status: '2xx', when: errorBody, means: 'unexpected_reply' },
  { of: API, status: '2xx', means: 'success' },
  // The credential is refused (RFC 6750 3.1), surely or because it has expired by our own clock.
  { of: API, status: [401], means: 'credential_refused', renew: true },
  { of: API, status: [440], when: tokenExpired, means: 'credential_refused', renew: true },
  { of: API, status: [440], means: 'credential_refused' },
  { of: RECORDS, status: [403], when: tokenExpired, means: 'organization_refused', renew: true },
  { of: API, status: [403], when: tokenExpired, means: 'unexpected_reply', renew: true },
  // The record is refused or does not exist: the service need not say which (RFC 9110 15.5.4).
  { of: RECORDS, status: [400, 403, 404], means: 'organization_refused' },
  { of: API, status: '5xx', means: 'upstream_failed', wait: retryAfter },

  // The token endpoint: the word of RFC 6749 5.2 where there is one, else the status. The end of a grant has a word, and without
  // it nothing ends.
  { of: TOKEN, status: [429], means: 'limit_unknown', wait: retryAfter },
  { of: TOKEN, status: '5xx', means: 'upstream_failed', wait: retryAfter },
  { of: TOKEN, status: [408, 425], means: 'upstream_failed', wait: retryAfter },
  { of: TOKEN, when: error(...OUTAGE_ERRORS), means: 'upstream_failed', wait: retryAfter },
  { of: TOKEN, when: error('invalid_client', 'unauthorized_client'), means: 'client_rejected' },
  { of: TOKEN, status: [401], when: error(undefined), means: 'client_rejected' },
  { of: CODE, when: error('invalid_grant'), means: 'code_rejected' },
  { of: REFRESH, when: error('invalid_grant'), means: 'access_withdrawn' },
  // A 400 without a word: a wrong client or parameter would have failed at the first sign-in, so it is the code.
  { of: CODE, status: [400], when: error(undefined), means: 'code_rejected' },
  { of: TOKEN, status: '2xx', when: error(undefined), means: 'success' },
]

/** Looks an answer up in the table (5.5, 7, 8.3, 8.4; RFC 6749 5.2). A wait of `rate_limited` is at least a second. */
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

/** The first row that fits; an answer that fits none is unexpected. */
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
  const { serviceNowMs, tokenExpired = false, month, minute } = known
  const reading = minute?.reading ?? { notes: [] }
  const { resetAtSeconds } = reading
  return {
    status,
    errorBody: isErrorBody(text),
    error: () => errorWord(text),
    retryAfterMs: readRetryAfter(headers, serviceNowMs),
    tokenExpired,
    monthNearlyUsedUp: month?.limit !== undefined && month.sent >= NEARLY * month.limit,
    reading,
    resetInMs: resetAtSeconds === undefined ? undefined : resetAtSeconds * SECOND_MS - serviceNowMs,
    sent: minute?.sent ?? 0,
    limit: minute?.limit,
    unknownBefore: minute?.unknownBefore ?? false,
  }
}

/** The word of RFC 6749 5.2 or 4.1.2.1, also where it stands as the code of the first of several errors (7: the shape is not shown). */
export function errorWord(text: string): TokenError | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // What is no JSON has no word.
  }
  const { error: word, code, errors }: JsonObject = isJsonObject(body) ? body : {}
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  const words = [word, code, isJsonObject(first) ? first['code'] : undefined]
  return ERROR_WORDS.find((known) => words.includes(known))
}
