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
  reportedNowMs,
  reportedSeconds,
  type ReportedWindow,
} from '../state/context.ts'
import { type OpenWindow, ownValue } from '../state/state.ts'
import { addRecord } from '../state/issued.ts'
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

/**
 * @param holder `undefined`: the result is an unused read window of Standard, for the headers of 8.4.2
 * @param counted the class in which this request was counted
 */
export function windowOf(
  context: Context,
  holder: Holder | undefined,
  requestClass: RequestClass,
  counted?: RequestClass,
): ReportedWindow {
  const { choices, nowMs } = context
  const reset = WINDOWS[choices.window].idleReset(nowMs)
  if (holder === undefined)
    return { limit: PLANS.standard.read_per_minute, remaining: PLANS.standard.read_per_minute, reset }
  const { by, open, limit } = openWindow(context, holder, requestClass)
  if (open === undefined) return { limit, remaining: limit, reset }
  const { resetAtSeconds } = WINDOWS[choices.window].read(open, nowMs, limit)
  const own = choices.remaining === 'before_request' && counted === requestClass ? 1 : 0
  const used = usedIn(context, { by, requestClass }, open, limit, own)
  // The epsilon corrects rounding errors of the fractions in a token bucket.
  const remaining = Math.floor(limit - used + 1e-9)
  return { limit, remaining: Math.max(0, remaining), reset: resetAtSeconds }
}

/** True if one more request would exceed the limit (8.4.3). */
export function isMinuteOver(context: Context, holder: Holder, requestClass: RequestClass): boolean {
  const { by, open, limit } = openWindow(context, holder, requestClass)
  if (open === undefined) return limit <= 0
  const used = usedIn(context, { by, requestClass }, open, limit)
  return used + 1 > limit + 1e-9
}

/** Adds another client's requests, up to the limit. @param excluded number of own requests to leave out */
function usedIn(
  context: Context,
  key: { by: string; requestClass: RequestClass },
  open: OpenWindow,
  limit: number,
  excluded = 0,
): number {
  const { used: counted } = WINDOWS[context.choices.window].read(open, context.nowMs, limit)
  const used = counted - excluded
  return used + Math.min(requestsOfOthers(context, key, open, limit), Math.max(0, limit - used))
}

/** Opens a window if none is open (8.2). @returns another client's requests since the last count (U71) */
export function countMinute(context: Context, holder: Holder, requestClass: RequestClass): number {
  const { by, open, limit } = openWindow(context, holder, requestClass)
  const others = open ? requestsOfOthers(context, { by, requestClass }, open, limit) : 0
  const window = windowAfter(context, { organization: holder.organization, open, limit }, 1)
  if (others > 0) window.others_in_month = others
  setWindow(context, by, requestClass, window)
  return Math.max(0, others - (open?.others_in_month ?? 0))
}

function windowAfter(
  { nowMs, choices }: Context,
  { organization, open, limit }: Pick<Holder, 'organization'> & Pick<Opened, 'open' | 'limit'>,
  count: number,
): OpenWindow {
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

/**
 * Replaces the windows of a class by one with so many requests, the same for all; 0 closes them.
 * @param keys what `countedBy` gives for credentials of the organization
 */
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

interface Opened {
  by: string
  open: OpenWindow | undefined
  limit: number
}

function openWindow(context: Context, holder: Holder, requestClass: RequestClass): Opened {
  const by = countedBy(context, holder)
  const known = ownValue(context.state.windows, by)?.[requestClass]
  const open = known && isOpen(known, context.nowMs) ? known : undefined
  return { by, open, limit: minuteLimit(context, holder.organization, requestClass, open) }
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

/** @param inSeconds the seconds until the limit is reset, at least 1 */
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
