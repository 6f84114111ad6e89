/** What an answer teaches about the month: its plan, its refusals and its reset (8.3: mostly not shown). */
import { type Meaning, NEARLY } from './answer-meaning.ts'
import { ASSUMED, type Assumptions } from './assumptions.ts'
import { MINUTE_MS } from './duration.ts'
import type { MonthRefusal, OrganizationNote } from './limit-notes.ts'
import type { MonthKnown } from './month-count.ts'
import { type ResetSpan, zonesThatFit } from './month-zones.ts'
import { certainMonth, monthNameAt, type NotedMonth } from './months.ts'
import { guessPlan } from './plan.ts'

/** The error of our estimate of the service's time, and the time that a request may take. */
const CLOCK_MS = MINUTE_MS
const MOST_MONTHS_NOTED = 36

export interface MonthAnswer {
  /** The service's time, UNIX milliseconds. */
  nowMs: number
  /** It follows from its answers, and nothing contradicts it. */
  isClockKnown: boolean
  assumed: Assumptions
}

export interface MonthShown {
  /** The month was reset in this span, which excludes some zones. */
  reset?: ResetSpan
}

/** The plan that the month showed, and when the service refused for it. */
export function monthsAfter(
  before: OrganizationNote['months'],
  code: Meaning['code'],
  shown: NotedMonth,
  { nowMs, assumed }: MonthAnswer,
): OrganizationNote['months'] {
  const month = monthNameAt(nowMs, assumed)
  const { refusedAtMs: _, ...known } = before[month] ?? {}
  const plan = shown.plan === undefined ? known : shown
  const refusedAtMs = refusedAfter(before[month], code, plan, { nowMs, assumed })
  const next: NotedMonth = { ...plan, refusedAtMs }
  if (JSON.stringify(next) === JSON.stringify(before[month] ?? {})) return before
  const all = Object.entries({ ...before, [month]: next }).toSorted(([a], [b]) => (a < b ? 1 : -1))
  return Object.fromEntries(all.slice(0, MOST_MONTHS_NOTED))
}

/** A success ends it, unless the plan changed in between: then the month had run out all the same. */
function refusedAfter(
  before: NotedMonth = {},
  code: Meaning['code'],
  { plan }: NotedMonth,
  { nowMs, assumed }: Pick<MonthAnswer, 'nowMs' | 'assumed'>,
): number | undefined {
  // Another month may have begun.
  if (certainMonth(nowMs, assumed) === undefined) return before.refusedAtMs
  if (code === 'success' && plan === (before.plan ?? plan)) return undefined
  return code === 'month_suspected' && plan !== 'business'
    ? (before.refusedAtMs ?? nowMs)
    : before.refusedAtMs
}

export function refusalAfter(
  before: MonthRefusal | undefined,
  limits: OrganizationNote['limits'],
  counted: MonthKnown | undefined,
  { code }: Meaning,
  { nowMs }: MonthAnswer,
): MonthRefusal | undefined {
  if (code === 'success') return undefined
  const limit = guessPlan(limits)?.per_month
  if (code !== 'month_suspected' || limit === undefined || counted === undefined) return before
  const { own, readings } = counted
  const [newest] = readings
  const used = Math.max(own.sinceEarliest.low, newest === undefined ? 0 : newest.count + newest.ownSince.low)
  return { atMs: nowMs, limit, isNearLimit: used >= NEARLY * limit }
}

/** The first success after a refusal comes after the month's reset, unless the refusal had another cause. */
export function resetAfter(
  { atMs, isNearLimit, limit }: MonthRefusal,
  limits: OrganizationNote['limits'],
  { nowMs, isClockKnown }: MonthAnswer,
): MonthShown {
  // A change of the plan ends a refusal without a reset.
  if (!isNearLimit || !isClockKnown || limit !== guessPlan(limits)?.per_month) return {}
  const reset = { afterMs: atMs - CLOCK_MS, byMs: nowMs + CLOCK_MS }
  // All assumed zones: they are narrowed by all resets together.
  const fitting = zonesThatFit(ASSUMED.month_zones, reset)
  return fitting.length === 0 || fitting === ASSUMED.month_zones ? {} : { reset }
}
