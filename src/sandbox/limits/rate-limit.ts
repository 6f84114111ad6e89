/** Counts the minute of each class and credential, and reports it: in three headers, and as a record (2.2, 8.2, 8.4). */
import { PLANS } from '../../contract/plan.ts'
import { RATE_HEADERS, type RequestClass } from '../../contract/rate-limit.ts'
import { holderOf } from '../api/credential.ts'
import { minuteLimit } from './plan-limit.ts'
import type { Profile } from '../choices/choices.ts'
import { toldNowMs, toldSeconds } from '../state/service-clock.ts'
import { forget, lookUp, type OpenWindow } from '../state/state.ts'
import { isOpen, minuteFrom, nextFullMinute, WINDOWS } from './window.ts'
import type { Holder, Visit, World } from '../state/context.ts'

/** A window as it is reported; `reset` in UNIX seconds of the clock here. */
export interface ReportedWindow {
  limit: number
  remaining: number
  reset: number
}

/** A few more than the limit, where a burst is not counted exactly (U75). */
const FEW = 3

/** By what a minute is counted (U70). Limits are the organization's, so whoever is in two has two minutes. */
const COUNTED_BY: Record<Profile['pertoken'], (holder: Holder) => string> = {
  credential: ({ credential }) => credential,
  grant: ({ credential, grant_id }) => (grant_id === undefined ? credential : `grant ${grant_id}`),
  application: ({ credential, client_id, organization }) =>
    client_id === undefined ? credential : `application ${organization.id} ${client_id}`,
  user: ({ credential, person_id, organization }) =>
    person_id === undefined ? credential : `user ${organization.id} ${person_id}`,
}

/** The reset of a window in which nothing was counted yet (U57). */
const RESET_WHEN_IDLE: Record<Profile['resetidle'], (nowMs: number) => number> = {
  now_plus_60: minuteFrom,
  next_minute: nextFullMinute,
  zero: () => 0,
  past: (nowMs) => minuteFrom(nowMs) - 120,
}

/** What is told of a remainder that is below zero (U59). */
const LEAST: Record<Profile['remneg'], number> = { never: 0, negative_after_cut: -Infinity, string: 0 }

/**
 * A window as it stands. An untouched one has all left.
 * @param holder `undefined`: nobody has it; then it is the read window of the Standard plan, since every answer has one (8.4.2)
 * @param counted the class that this very request was counted in
 */
export function windowOf(
  world: World,
  holder: Holder | undefined,
  requestClass: RequestClass,
  counted?: RequestClass,
): ReportedWindow {
  const { profile, nowMs } = world
  const reset = RESET_WHEN_IDLE[profile.resetidle](nowMs)
  if (holder === undefined)
    return { limit: PLANS.standard.read_per_minute, remaining: PLANS.standard.read_per_minute, reset }
  const { open, limit } = openWindow(world, holder, requestClass)
  if (open === undefined) return { limit, remaining: limit, reset }
  const { used, resetAtSeconds } = WINDOWS[profile.window].read(open, nowMs, limit)
  const own = profile.remaining === 'before_request' && counted === requestClass ? 1 : 0
  // What flows back little by little is a fraction, which sums in binary miss by a hair.
  const remaining = Math.floor(limit - used + 1e-9) + own
  return { limit, remaining: Math.max(LEAST[profile.remneg], remaining), reset: resetAtSeconds }
}

/** Whether one more would be too many (8.4.3). */
export function isMinuteOver(world: World, holder: Holder, requestClass: RequestClass): boolean {
  const { open, limit } = openWindow(world, holder, requestClass)
  if (open === undefined) return limit <= 0
  const { used } = WINDOWS[world.profile.window].read(open, world.nowMs, limit)
  const slips = world.profile.concurrency === 'few_over' && open.counted_at_ms === world.nowMs ? FEW : 0
  return used + 1 > limit + slips + 1e-9
}

/** Adds one request to the window of its credential and class, and opens it where none is open (8.2). */
export function countMinute(world: World, holder: Holder, requestClass: RequestClass): void {
  const { nowMs, profile } = world
  const { by, open, limit } = openWindow(world, holder, requestClass)
  const window: OpenWindow = {
    ...WINDOWS[profile.window].add(open, nowMs, limit),
    counted_at_ms: nowMs,
    limit: open?.limit ?? limit,
    plan: open?.plan ?? holder.organization.plan,
  }
  world.change(({ windows }) => {
    if (open === undefined)
      forget(windows, (both) => [both.read, both.update].every((known) => !known || !isOpen(known, nowMs)))
    windows[by] = { ...windows[by], [requestClass]: window }
  })
}

function openWindow(world: World, holder: Holder, requestClass: RequestClass) {
  const by = COUNTED_BY[world.profile.pertoken](holder)
  const known = lookUp(world.state.windows, by)?.[requestClass]
  const open = known && isOpen(known, world.nowMs) ? known : undefined
  return { by, open, limit: minuteLimit(world, holder.organization, requestClass, open) }
}

/** `GET /rate_limit` (2.2, 4.3). */
export function rateLimit(c: Visit): Response {
  const [world, holder, counted] = [c.get('world'), holderOf(c), c.get('cost')?.minute]
  const member = (requestClass: RequestClass) => {
    const { limit, remaining, reset } = windowOf(world, holder, requestClass, counted)
    return {
      limit,
      remaining: world.profile.remneg === 'string' ? String(remaining) : remaining,
      reset: toldSeconds(world, reset),
    }
  }
  return c.json({ get: member('read'), update: member('update') })
}

/** In which unit the header says the reset; the record has seconds (U55). */
const RESET_UNIT: Record<Profile['resetunit'], (resetSeconds: number, nowMs: number) => string> = {
  epoch_seconds: String,
  epoch_milliseconds: (seconds) => String(seconds * 1000),
  seconds_left: (seconds, nowMs) => String(seconds - Math.floor(nowMs / 1000)),
  iso_date: (seconds) => new Date(seconds * 1000).toISOString(),
}

/** The three headers (8.4.2). */
export function writeRateHeaders(
  headers: Headers,
  world: World,
  { limit, remaining, reset }: ReportedWindow,
): void {
  const unit = RESET_UNIT[world.profile.resetunit]
  headers.set(RATE_HEADERS.limit, String(limit))
  headers.set(RATE_HEADERS.remaining, String(remaining))
  headers.set(RATE_HEADERS.reset, unit(toldSeconds(world, reset), toldNowMs(world)))
}
