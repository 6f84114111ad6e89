/** Authenticates and counts every API request, and refuses those over a limit (8). */
import { SECOND_MS } from '../../contract/duration.ts'
import { RATE_LIMIT_PATH, type RequestClass, requestClass } from '../../contract/rate-limit.ts'
import { authenticate, bearerChallenge } from '../api/credential.ts'
import type { Choices } from '../choices/choices.ts'
import type { Handler, HandlerContext } from '../http/handler.ts'
import { Refusal } from '../http/problem.tsx'
import type { Holder } from '../state/context.ts'
import { countMonth, isMonthOver, monthOf } from './month.ts'
import { countMinute, isMinuteOver, windowOf, windowsOf, retryAfter } from './rate-limit.ts'

/**
 * Counts every request that has a valid credential and a method with a class, whatever its answer.
 * @throws Refusal `minute_over`, `month_over`
 */
export const meter: Handler = async (c, next) => {
  const context = c.get('context')
  const requestClass = classOf(context.choices, c.req.method)
  const { failures, refusedCredentials } = monthCounts(context.choices)
  const found = authenticate(context, c.req.raw.headers, c.req.path)
  if (found.holder) {
    c.set('holder', found.holder)
    if (requestClass) admit(c, found.holder, requestClass)
    // RFC 9110 9.3.2: a HEAD that is not counted is refused where its GET would be.
    else if (c.req.method === 'HEAD') refuseOver(c, found.holder, 'read', NEITHER)
  } else if (refusedCredentials && requestClass && found.organization) {
    countMonth(context, found.organization)
    c.set('cost', { month: 1 })
  }
  await next()
  if (found.holder && !failures && !c.res.ok) uncountMonth(c, found.holder)
}

/** Subtracts a failed request (U62). Its count on arrival keeps concurrent requests within the limit. */
function uncountMonth(c: HandlerContext, { organization }: Holder): void {
  const cost = c.get('cost')
  if (cost === undefined || cost.month === 0) return
  countMonth(c.get('context'), organization, -1)
  c.set('cost', { ...cost, month: 0 })
}

export function admit(c: HandlerContext, holder: Holder, requestClass: RequestClass): void {
  const { choices } = c.get('context')
  refuseOver(c, holder, requestClass, refusedCounts(choices))
  count(c, holder, requestClass, servedCounts(choices, c.req.path))
}

/** First by the minute (8.4.3), then by the month (8.3). @param counts where a refused request is counted */
function refuseOver(c: HandlerContext, holder: Holder, requestClass: RequestClass, counts: CountedIn): void {
  const context = c.get('context')
  const where = servedCounts(context.choices, c.req.path)
  if (where.minute && isMinuteOver(context, holder, requestClass))
    refuse(c, holder, requestClass, 'minute_over', counts)
  if (where.month && isMonthOver(context, holder.organization))
    refuse(c, holder, requestClass, 'month_over', counts)
}

function count(
  c: HandlerContext,
  holder: Holder,
  requestClass: RequestClass,
  { minute, month }: CountedIn,
): void {
  const context = c.get('context')
  const others = minute ? countMinute(context, holder, requestClass) : 0
  if (others > 0) countMonth(context, holder.organization, others)
  if (month) countMonth(context, holder.organization)
  c.set('cost', { ...(minute && { minute: requestClass }), month: month ? 1 : 0 })
  // The headers report this request's own count, whatever is counted before they are written (8.4).
  c.set('windows', windowsOf(context, holder, minute ? requestClass : undefined))
}

interface OverLimitAnswer {
  status: number
  word: string
  headers?: Record<string, string>
}
const MINUTE_OVER: OverLimitAnswer = { status: 429, word: 'too_many_requests' }

/** U66. RFC 9110 15.5.2: a 401 has a challenge. */
const MONTH_OVER: Record<Choices['monthly'], OverLimitAnswer> = {
  status_429: MINUTE_OVER,
  status_403: { status: 403, word: 'monthly_limit_exceeded' },
  status_402: { status: 402, word: 'monthly_limit_exceeded' },
  error_200: { status: 200, word: 'monthly_limit_exceeded' },
  status_401: {
    status: 401,
    word: 'monthly_limit_exceeded',
    headers: bearerChallenge({ error: 'monthly_limit_exceeded' }),
  },
}

function refuse(
  c: HandlerContext,
  holder: Holder,
  requestClass: RequestClass,
  rule: 'minute_over' | 'month_over',
  counts: CountedIn,
): never {
  const context = c.get('context')
  count(c, holder, requestClass, counts)
  c.set('rule', rule)
  const answer = rule === 'month_over' ? MONTH_OVER[context.choices.monthly] : MINUTE_OVER
  const reset =
    rule === 'month_over'
      ? monthOf(context, holder.organization).ends_at_ms / SECOND_MS
      : windowOf(context, holder, requestClass).reset
  const headers = { ...answer.headers, ...(answer.status === 429 && retryAfter(context, reset)) }
  throw new Refusal(rule, { ...answer, headers })
}

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
