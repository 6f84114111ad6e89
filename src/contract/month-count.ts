/** The month of a whole organization (8.3): the service's own count as a person read it, and what came after it. */
import { DAY_MS } from './duration.ts'
import type { MonthCount } from './month.ts'
import type { OrganizationCount, ReadingWanted } from './quota.ts'

/** From this age on a reading shows too little of what others use. */
export const READING_IS_OLD_MS = 5 * DAY_MS

/** The service's count at an instant, with what this app has sent since. Times in UNIX milliseconds. */
export interface CountedReading {
  count: number
  readAtMs: number
  /** Requests of this app without an answer at that instant: `count` may have them or not. */
  inFlight: number
  /** Whether the month was reset since the reading before. */
  monthWasReset: boolean
  ownSince: MonthCount
}

/** What the count of an organization's month is made from. */
export interface MonthKnown {
  nowMs: number
  /** The first and the last instant at which the present month may have started (8.3: its zone is not shown). */
  startMs: { earliest: number; latest: number }
  /** Requests of this app since each of the two. */
  own: { sinceEarliest: MonthCount; sinceLatest: MonthCount }
  /** Those since the earliest start, the one read last first; more than two change nothing. */
  readings: readonly CountedReading[]
}

/** As many as may have been used, which decides whether another one is sent: by this app's own count or by the newest reading. */
export const usedAtMost = (own: MonthCount, newest: CountedReading | undefined): number =>
  Math.max(own.high, newest === undefined ? 0 : newest.count + newest.inFlight + newest.ownSince.high)

/**
 * All requests of the organization in this month: the newest reading, this app's requests since, and in the upper end as many
 * by others as their rate up to the reading makes likely. `undefined` without a reading of this month.
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
    // A reading before the latest start may be of the month before.
    low: isOfThisMonth(newest, startMs) ? low : Math.min(low, own.sinceLatest.low),
    // A reading below what surely counts was of an earlier count.
    high: isBelowOwn(newest, known) ? Math.max(high, own.sinceEarliest.high) : high,
    reading_age_ms: Math.floor(ageMs),
  }
}

/** A whole number of requests that a rate makes is not lost in the last digit of the product. */
const ROUNDING = 1e-9

/** Wherever the month started. */
const isOfThisMonth = ({ readAtMs }: CountedReading, { latest }: MonthKnown['startMs']): boolean =>
  readAtMs >= latest

/** At most how many requests others sent in a millisecond: since the reading before, or since the month started; over a day at least. */
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

/** Whether a reading has fewer than surely counted by then, wherever the month started. */
const isBelowOwn = (newest: CountedReading, { startMs, own }: MonthKnown): boolean =>
  isOfThisMonth(newest, startMs) && newest.count + newest.inFlight < own.sinceLatest.low - newest.ownSince.low

/**
 * Why a new reading would help; `undefined` while it would not.
 * @param limit of the month; absent where it is unlimited or not known
 * @param reserve how many of the last requests are for presses of a person and for sign-ins
 * @param suspectedAtMs since when the service seems to refuse over the month; absent where it does not
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
