/** Counts the minute of each class and credential, and reports it in headers and a record (2.2, 8.2, 8.4). */
import { SECOND_MS } from '../../contract/duration.ts'
import { PLANS } from '../../contract/plan.ts'
import { RATE_HEADERS, type RequestClass } from '../../contract/rate-limit.ts'
import { holderOf } from '../api/credential.ts'
import type { Choices } from '../choices/choices.ts'
import { type HandlerContext, writeJson } from '../http/handler.ts'
import {
  type Context,
  type Holder,
  type ReportedWindow,
  reportedNowMs,
  reportedSeconds,
} from '../state/context.ts'
import { addRecord } from '../state/issued.ts'
import { type OpenWindow, ownValue } from '../state/state.ts'
import { minuteLimit } from './month.ts'
import { isOpen, requestsOfOthers, WINDOWS } from './window.ts'

/** U70. A person in two organizations has two windows. */
const COUNTED_BY: Record<Choices['pertoken'], (holder: Holder) => string> = {
  credential: ({ credential }) => credential,
  grant: ({ credential, grant_id }) => (grant_id === undefined ? credential : `grant ${grant_id}`),
  application: ({ credential, client_id, organization }) =>
    client_id === undefined ? credential : `application ${organization.id} ${client_id}`,
  user: ({ credential, person_id, organization }) =>
    person_id === undefined ? credential : `user ${organization.id} ${person_id}`,
}

export const countedBy = ({ choices }: Context, holder: Holder): string =>
  COUNTED_BY[choices.pertoken](holder)

/** @param holder absent: an unused window of Standard, for the headers of 8.4.2 */
export function windowOf(
  context: Context,
  holder: Holder | undefined,
  requestClass: RequestClass,
  counted?: RequestClass,
): ReportedWindow {
  const { choices, nowMs } = context
  const own = choices.remaining === 'before_request' && counted === requestClass ? 1 : 0
  const { limit, used, reset } = holder
    ? openWindow(context, holder, requestClass, own)
    : {
        limit: PLANS.standard[`${requestClass}_per_minute`],
        used: 0,
        reset: WINDOWS[choices.window].idleReset(nowMs),
      }
  // The epsilon corrects rounding errors of the fractions in a token bucket.
  return { limit, remaining: Math.max(0, Math.floor(limit - used + 1e-9)), reset }
}

/** True if one more request would exceed the limit (8.4.3). */
export function isMinuteOver(context: Context, holder: Holder, requestClass: RequestClass): boolean {
  const { used, limit } = openWindow(context, holder, requestClass)
  return used + 1 > limit + 1e-9
}

/** Opens a window if none is open (8.2). @returns another client's requests since the last count (U71) */
export function countMinute(context: Context, holder: Holder, requestClass: RequestClass): number {
  const { by, open, limit, others } = openWindow(context, holder, requestClass)
  const window: OpenWindow = windowAfter(context, { organization: holder.organization, open, limit }, 1)
  if (others > 0) window.others_in_month = others
  setWindow(context, by, requestClass, window)
  return Math.max(0, others - (open?.others_in_month ?? 0))
}

type Opening = Pick<Holder, 'organization'> & { open: OpenWindow | undefined; limit: number }

function windowAfter({ nowMs, choices }: Context, { organization, open, limit }: Opening, count: number) {
  return {
    ...WINDOWS[choices.window].add(open, nowMs, limit, count),
    counted_at_ms: nowMs,
    opened_at_ms: open?.opened_at_ms ?? nowMs,
    limit: open?.limit ?? limit,
    plan: open?.plan ?? organization.plan,
  }
}

function setWindow({ state, nowMs }: Context, by: string, requestClass: RequestClass, window?: OpenWindow) {
  const { [requestClass]: replaced, ...other } = ownValue(state.windows, by) ?? {}
  if (window === undefined && replaced === undefined) return
  const both = window ? { ...other, [requestClass]: window } : other
  addRecord(state, 'windows', [by, both], ({ read, update }) =>
    [read, update].every((one) => !one || !isOpen(one, nowMs)),
  )
}

/** Replaces the windows of a class for all `keys`, which `countedBy` gives; 0 requests close them. */
export function setMinutes(
  context: Context,
  { organization, keys }: Pick<Holder, 'organization'> & { keys: Iterable<string> },
  requestClass: RequestClass,
  used: number,
): void {
  const limit = minuteLimit(context, organization, requestClass, undefined)
  const window = used > 0 ? windowAfter(context, { organization, open: undefined, limit }, used) : undefined
  for (const by of keys) setWindow(context, by, requestClass, window)
}

/** As used up as it is, with another client's requests up to the limit. @param own left out of the count */
function openWindow(context: Context, holder: Holder, requestClass: RequestClass, own = 0) {
  const { state, choices, nowMs } = context
  const by = countedBy(context, holder)
  const known = ownValue(state.windows, by)?.[requestClass]
  const open = known && isOpen(known, nowMs) ? known : undefined
  const limit = minuteLimit(context, holder.organization, requestClass, open)
  const algorithm = WINDOWS[choices.window]
  if (open === undefined) return { by, open, limit, others: 0, used: 0, reset: algorithm.idleReset(nowMs) }
  const { used: counted, reset } = algorithm.read(open, nowMs, limit)
  const others = requestsOfOthers(context, { by, requestClass }, open, limit)
  const used = counted - own
  return { by, open, limit, others, used: used + Math.min(others, Math.max(0, limit - used)), reset }
}

/** Both classes, as they are now. @param counted the class in which this request was counted */
export const windowsOf = (
  context: Context,
  holder: Holder | undefined,
  counted?: RequestClass,
): Record<RequestClass, ReportedWindow> => ({
  read: windowOf(context, holder, 'read', counted),
  update: windowOf(context, holder, 'update', counted),
})

export function rateLimit(c: HandlerContext): Response {
  const [context, holder] = [c.get('context'), holderOf(c)]
  const { read, update } = c.get('windows') ?? windowsOf(context, holder)
  const record = (window: ReportedWindow) => ({ ...window, reset: reportedSeconds(context, window.reset) })
  return writeJson(c, { get: record(read), update: record(update) })
}

/** U55. The record has seconds. */
const RESET_UNIT: Record<Choices['resetunit'], (resetSeconds: number, nowMs: number) => string> = {
  epoch_seconds: String,
  epoch_milliseconds: (seconds) => String(seconds * SECOND_MS),
  seconds_left: (seconds, nowMs) => String(seconds - Math.floor(nowMs / SECOND_MS)),
  iso_date: (seconds) => new Date(seconds * SECOND_MS).toISOString(),
}

export function writeRateHeaders(
  headers: Pick<Headers, 'set'>,
  context: Context,
  { limit, remaining, reset }: ReportedWindow,
): void {
  const unit = RESET_UNIT[context.choices.resetunit]
  headers.set(RATE_HEADERS.limit, String(limit))
  headers.set(RATE_HEADERS.remaining, String(remaining))
  headers.set(RATE_HEADERS.reset, unit(reportedSeconds(context, reset), reportedNowMs(context)))
}

type WriteRetryAfter = (inSeconds: number, reportedNowMs: number) => string | undefined

const RETRY_AFTER: Record<Choices['retryafter'], WriteRetryAfter> = {
  absent: () => undefined,
  seconds: (inSeconds) => String(inSeconds),
  http_date: (inSeconds, nowMs) => new Date(nowMs + inSeconds * SECOND_MS).toUTCString(),
  zero_or_negative: (inSeconds) => (inSeconds % 2 === 0 ? '0' : '-1'),
  // A client that follows this is refused again: it is before the reset.
  conflicts_with_reset: (inSeconds) => String(Math.max(1, Math.floor(inSeconds / 4))),
}

export function retryAfter(context: Context, resetSeconds: number): Record<string, string> {
  const inSeconds = Math.max(1, Math.ceil(resetSeconds - context.nowMs / SECOND_MS))
  const value = RETRY_AFTER[context.choices.retryafter](inSeconds, reportedNowMs(context))
  return value === undefined ? {} : { 'Retry-After': value }
}
