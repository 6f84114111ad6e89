/** Authenticates and counts every API request, refuses those over a limit, and reports the minute (8). */
import { SECOND_MS } from '../../contract/duration.ts'
import { RATE_LIMIT_PATH, type RequestClass, requestClass } from '../../contract/rate-limit.ts'
import { authenticate, bearerChallenge } from '../api/credential.ts'
import { type Choices, numberIn } from '../choices/choices.ts'
import { type Handler, type HandlerContext, Refusal } from '../http/handler.ts'
import type { Holder, ReportedWindow } from '../state/context.ts'
import { countMonth, isMonthOver, monthOf } from './month.ts'
import { countMinute, isMinuteOver, retryAfter, windowOf, windowsOf, writeRateHeaders } from './rate-limit.ts'

/** Counts a request with a valid credential and a class. @throws Refusal `minute_over`, `month_over` */
export const meter: Handler = async (c, next) => {
  const context = c.get('context')
  const requestClass = classOf(context.choices, c.req.method)
  // U62: the requests that the month counts besides the successful ones.
  const { failcount } = context.choices
  const found = authenticate(context, c.req.raw.headers, c.req.path)
  if (found.holder) {
    c.set('holder', found.holder)
    if (requestClass) admit(c, found.holder, requestClass)
    // RFC 9110 9.3.2: a HEAD that is not counted is refused where its GET would be.
    else if (c.req.method === 'HEAD') refuseOver(c, found.holder, 'read', countedIn('none'))
  } else if (failcount === 'all' && requestClass && found.organization) {
    countMonth(context, found.organization)
    c.set('cost', { month: 1 })
  }
  await next()
  if (!c.res.ok) uncountFailed(c)
}

/** Subtracts a failed request (U62). Its count on arrival keeps concurrent requests within the limit. */
export function uncountFailed(c: HandlerContext): void {
  const [context, cost, organization] = [c.get('contextNow')(), c.get('cost'), c.get('admittedFor')]
  if (context.choices.failcount !== 'only_2xx' || !organization || !cost?.month) return
  const isSameMonth = c.get('context').nowMs >= monthOf(context, organization).starts_at_ms
  if (isSameMonth) countMonth(context, organization, -1)
  c.set('cost', { ...cost, month: 0 })
}

export function admit(c: HandlerContext, holder: Holder, requestClass: RequestClass): void {
  const { choices } = c.get('context')
  refuseOver(c, holder, requestClass, countedIn(choices.refusedcount))
  count(c, holder, requestClass, servedCounts(choices, c.req.path))
  c.set('admittedFor', holder.organization)
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

function count(c: HandlerContext, holder: Holder, requestClass: RequestClass, where: CountedIn): void {
  const context = c.get('context')
  const { minute, month } = where
  const others = minute ? countMinute(context, holder, requestClass) : 0
  if (others > 0) countMonth(context, holder.organization, others)
  if (month) countMonth(context, holder.organization)
  c.set('cost', { ...(minute && { minute: requestClass }), month: month ? 1 : 0 })
  // The headers report this request's own count, whatever is counted before they are written (8.4).
  c.set('windows', windowsOf(context, holder, minute ? requestClass : undefined))
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
  const isMonth = rule === 'month_over'
  // U66.
  const status = isMonth ? numberIn(context.choices.monthly) : 429
  const word = status === 429 ? 'too_many_requests' : 'monthly_limit_exceeded'
  const reset = isMonth
    ? monthOf(context, holder.organization).ends_at_ms / SECOND_MS
    : windowOf(context, holder, requestClass).reset
  const headers = {
    ...(status === 429 && retryAfter(context, reset)),
    // RFC 9110 15.5.2: a 401 has a challenge.
    ...(status === 401 && bearerChallenge({ error: word })),
  }
  throw new Refusal(rule, { status, word, headers })
}

/** The value of a choice, such as `minute_and_month`, names where a request is counted. */
type CountedIn = Record<'minute' | 'month', boolean>
const countedIn = (named: string): CountedIn => ({
  minute: named.includes('minute'),
  month: named.includes('month'),
})

/** U61: a served `GET /rate_limit`. */
const servedCounts = ({ ratelimitcount }: Choices, path: string): CountedIn =>
  countedIn(path === RATE_LIMIT_PATH ? ratelimitcount : 'minute_and_month')

/** Section 8.2, U63; `undefined`: the method has no class and is not counted. */
function classOf({ preflight }: Choices, method: string): RequestClass | undefined {
  const isRead =
    method === 'HEAD' ? preflight !== 'not_counted' : method === 'OPTIONS' && preflight === 'both_count'
  return isRead ? 'read' : requestClass(method)
}

/** U54. */
const HAS_HEADERS: Record<Choices['hdrscope'], (c: HandlerContext) => boolean> = {
  all: () => true,
  authenticated: (c) => c.get('holder') !== undefined,
  only_2xx: (c) => c.res.ok,
  not_on_429: (c) => c.res.status !== 429,
  also_token: () => true,
}

/** The three headers, for every API answer, refusals included (8.4.2). */
export const rateHeaders: Handler = async (c, next) => {
  c.set('api', true)
  await next()
  const window = HAS_HEADERS[c.get('context').choices.hdrscope](c) ? describedWindow(c) : undefined
  if (window) writeRateHeaders(c.res.headers, c.get('context'), window)
}

/** For the token endpoint, if chosen (U54). No request there has a token. */
export const tokenRateHeaders: Handler = async (c, next) => {
  await next()
  const context = c.get('context')
  if (context.choices.hdrscope === 'also_token')
    writeRateHeaders(c.res.headers, context, windowOf(context, undefined, 'read'))
}

/** U53, and for a refusal over the month U67; `undefined`: no headers. */
function describedWindow(c: HandlerContext): ReportedWindow | undefined {
  const [context, holder] = [c.get('context'), c.get('holder')]
  const { hdrclass, monthlyhdr } = context.choices
  const both = c.get('windows') ?? windowsOf(context, holder)
  const fewer = both.update.remaining < both.read.remaining ? 'update' : 'read'
  const ofRequest = classOf(context.choices, c.req.method) ?? 'read'
  const minute =
    both[hdrclass === 'of_request' ? ofRequest : hdrclass === 'fewer_remaining' ? fewer : hdrclass]
  const isMonthOver = holder !== undefined && c.get('rule') === 'month_over'
  if (!isMonthOver || monthlyhdr === 'minute_values') return minute
  const reset = monthOf(context, holder.organization).ends_at_ms / SECOND_MS
  return monthlyhdr === 'absent' ? undefined : { limit: minute.limit, remaining: 0, reset }
}
