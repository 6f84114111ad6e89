/** A whole organization's month (8.3): the service's count as a person read it, and the requests after it. */
import { DAY_MS } from './duration.ts'
import type { Interval } from './month.ts'
import type { OrganizationCount, ReadingWanted } from './quota.ts'
import type { Reason } from './reason.ts'

/** From this age on, a reading shows too little of others' requests. */
export const READING_IS_OLD_MS = 5 * DAY_MS

/** The service's count at an instant, with this app's requests since. Times in UNIX milliseconds. */
export interface CountedReading {
  count: number
  readAtMs: number
  /** Requests of this app without an answer at that instant: `count` may include them. */
  inFlight: number
  /** The month was reset since the previous reading. */
  monthWasReset: boolean
  ownSince: Interval
}

export interface MonthKnown {
  nowMs: number
  /** The first and the last instant at which the month may have started (8.3: its zone is not shown). */
  startMs: { earliest: number; latest: number }
  own: { sinceEarliest: Interval; sinceLatest: Interval }
  /** The readings since the earliest start, the latest first. Only two are used. */
  readings: readonly CountedReading[]
}

/** The upper end, by this app's own count, or by the newest reading if that gives more. */
export function usedAtMost({ nowMs, own, readings: [newest] }: MonthKnown): {
  atMost: number
  reason: Reason
} {
  const ownAtMost = own.sinceEarliest.high
  const since = newest === undefined ? 0 : newest.inFlight + newest.ownSince.high
  if (newest === undefined || newest.count + since <= ownAtMost)
    return { atMost: ownAtMost, reason: { code: 'month_used_by_app', count: ownAtMost } }
  const { count, readAtMs } = newest
  const age_ms = Math.max(0, Math.floor(nowMs - readAtMs))
  return { atMost: count + since, reason: { code: 'month_used_by_reading', count, since, age_ms } }
}

/**
 * All requests of the organization in this month: the newest reading and this app's requests since. The upper
 * end adds requests of others, at their rate up to the reading. `undefined` without a reading of this month.
 */
export function organizationCount(known: MonthKnown): OrganizationCount | undefined {
  const [newest, before] = known.readings
  return newest && countFrom(newest, before, known)
}

function countFrom(
  newest: CountedReading,
  before: CountedReading | undefined,
  known: MonthKnown,
): OrganizationCount {
  const { nowMs, startMs, own } = known
  const { count, readAtMs, inFlight, ownSince } = newest
  const ageMs = Math.max(0, nowMs - readAtMs)
  const low = count + ownSince.low
  const byOthers = Math.floor(othersPerMs(newest, before, known) * ageMs + ROUNDING)
  const high = count + inFlight + ownSince.high + byOthers
  return {
    // A reading before the latest start may belong to the previous month.
    low: isOfThisMonth(newest, startMs) ? low : Math.min(low, own.sinceLatest.low),
    // A reading below the requests that surely count belongs to an earlier count.
    high: isBelowOwn(newest, known) ? Math.max(high, own.sinceEarliest.high) : high,
    reading_age_ms: Math.floor(ageMs),
  }
}

/** Keeps a whole number of requests whole despite rounding errors of the product. */
const ROUNDING = 1e-9

/** For every possible start of the month. */
const isOfThisMonth = ({ readAtMs }: CountedReading, { latest }: MonthKnown['startMs']): boolean =>
  readAtMs >= latest

/** The upper end, since the previous reading or the start of the month; over a day at least. */
function othersPerMs(
  newest: CountedReading,
  before: CountedReading | undefined,
  { startMs, own }: MonthKnown,
): number {
  const [sinceStart, startedMs] = isOfThisMonth(newest, startMs)
    ? [own.sinceLatest, startMs.latest]
    : [own.sinceEarliest, startMs.earliest]
  const isPair =
    before !== undefined &&
    !newest.monthWasReset &&
    isOfThisMonth(before, startMs) === isOfThisMonth(newest, startMs)
  const [countBefore, ownBefore, fromMs] = isPair
    ? [before.count, before.ownSince, before.readAtMs]
    : [0, sinceStart, startedMs]
  const sentByUs = ownBefore.low - newest.ownSince.low
  const others = newest.count + newest.inFlight - countBefore - sentByUs
  return Math.max(0, others) / Math.max(DAY_MS, newest.readAtMs - fromMs)
}

/** A reading is below the requests that surely counted by then, for every possible start of the month. */
const isBelowOwn = (newest: CountedReading, { startMs, own }: MonthKnown): boolean =>
  isOfThisMonth(newest, startMs) && newest.count + newest.inFlight < own.sinceLatest.low - newest.ownSince.low

/** Once this month has surely begun, such a reading would hold it back. */
const mayBeOfMonthBefore = (newest: CountedReading, { nowMs, startMs }: MonthKnown): boolean =>
  nowMs >= startMs.latest && !isOfThisMonth(newest, startMs)

/**
 * The reason why a new reading would help; `undefined` if it would not.
 * @param limit of the month; absent if it is unlimited or unknown
 * @param reserve the requests at the end of the limit that only a person's presses, or only sign-ins, may use
 * @param suspectedAtMs time of the refusal that seems to mean the month; absent if there is none
 */
export function readingWanted(
  known: MonthKnown,
  limit: number | undefined,
  reserve: { person: number; sign_in: number },
  suspectedAtMs = -Infinity,
): ReadingWanted | undefined {
  const [newest, before] = known.readings
  if (suspectedAtMs > (newest?.readAtMs ?? -Infinity)) return 'suspected'
  if (limit === undefined) return undefined
  if (newest === undefined) return 'none'
  if (isBelowOwn(newest, known)) return 'below_own'
  if (mayBeOfMonthBefore(newest, known)) return 'old'
  const organization = countFrom(newest, before, known)
  const steps = [
    ['reserve', limit - reserve.sign_in],
    ['reserve', limit - reserve.person],
    ['four_fifths', limit * 0.8],
    ['half', limit * 0.5],
  ] as const
  const reached = steps.find(([, used]) => newest.count < used && organization.high >= used)
  return reached?.[0] ?? (organization.reading_age_ms >= READING_IS_OLD_MS ? 'old' : undefined)
}
