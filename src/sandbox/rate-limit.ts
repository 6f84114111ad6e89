/** Counts the minute: one window for each class and credential, opened by its first request (2.2, 8.2). */
import { PLANS } from '../contract/plan.ts'
import { RATE_HEADERS, type RateLimitRecord, type RequestClass } from '../contract/rate-limit.ts'
import { Refusal } from './problem.tsx'
import { forget, lookUp } from './state.ts'
import type { Holder, World } from './world.ts'

type ReportedWindow = RateLimitRecord['get']

const WINDOW_SECONDS = 60

/**
 * A window as it is reported, `reset` in UNIX seconds. An untouched one has all left, and would be reset a minute from now.
 * @param holder `undefined`: nobody has it; then it is the read window of the Standard plan, since every answer has one (8.4.2)
 */
export function windowOf(
  world: World,
  holder: Holder | undefined,
  requestClass: RequestClass,
): ReportedWindow {
  const limits = PLANS[holder?.organization.plan ?? 'standard']
  const limit = holder && requestClass === 'update' ? limits.update_per_minute : limits.read_per_minute
  const open = holder && openWindow(world, holder, requestClass)
  return {
    limit,
    remaining: Math.max(0, limit - (open?.used ?? 0)),
    reset: open?.reset_at_seconds ?? nextReset(world),
  }
}

/** The body of `GET /rate_limit` (2.2). */
export const rateLimitRecord = (world: World, holder: Holder): RateLimitRecord => ({
  get: windowOf(world, holder, 'read'),
  update: windowOf(world, holder, 'update'),
})

/** The three headers (8.4.2). */
export function writeRateHeaders(headers: Headers, { limit, remaining, reset }: ReportedWindow): void {
  headers.set(RATE_HEADERS.limit, String(limit))
  headers.set(RATE_HEADERS.remaining, String(remaining))
  headers.set(RATE_HEADERS.reset, String(reset))
}

/** @throws Refusal `too_many_requests` where the window is used up (8.4.3) */
export function assertMinute(world: World, holder: Holder, requestClass: RequestClass): void {
  if (windowOf(world, holder, requestClass).remaining === 0) throw new Refusal('too_many_requests')
}

/** Adds one request to the window of its credential and class, and opens it where none is open (8.2). */
export function countMinute(
  world: World,
  { credential, organization }: Holder,
  requestClass: RequestClass,
): void {
  const open = openWindow(world, { credential, organization }, requestClass)
  const window = { used: (open?.used ?? 0) + 1, reset_at_seconds: open?.reset_at_seconds ?? nextReset(world) }
  world.change(({ windows }) => {
    if (open === undefined)
      forget(windows, (both) =>
        [both.read, both.update].every((known) => !known || isOver(world, known.reset_at_seconds)),
      )
    windows[credential] = { ...windows[credential], [requestClass]: window }
  })
}

function openWindow(world: World, { credential }: Holder, requestClass: RequestClass) {
  const window = lookUp(world.state.windows, credential)?.[requestClass]
  return window === undefined || isOver(world, window.reset_at_seconds) ? undefined : window
}

const isOver = ({ nowMs }: World, resetAtSeconds: number): boolean => nowMs >= resetAtSeconds * 1000
const nextReset = ({ nowMs }: World): number => Math.floor(nowMs / 1000) + WINDOW_SECONDS
