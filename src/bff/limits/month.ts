/** The month in the snapshot (8.3): this app's count, the count by the readings, and the forecast. */
import { ASSUMED, type Assumptions } from '../../contract/assumptions.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/duration.ts'
import { forecastOf, type MonthSoFar } from '../../contract/forecast.ts'
import { countRequests, type Interval, type KindCount, monthSpan } from '../../contract/month.ts'
import {
  type CountedReading,
  type MonthKnown,
  organizationCount,
  readingWanted,
} from '../../contract/month-count.ts'
import { type StoredSuspicion, suspicionAt } from '../../contract/limit-notes.ts'
import { guessPlan } from '../../contract/plan.ts'
import type { MonthSnapshot, OrganizationCount, Suspicion } from '../../contract/quota.ts'
import type { StoredReading } from '../../store/store.ts'
import { type Context, serviceNowMs, type Within } from '../core/context.ts'
import { readOrganizationNote } from './note.ts'

/** Says which requests count, and in which zones the month may begin (8.3: not shown). */
export type MonthAssumptions = Pick<
  Assumptions,
  'counts_in_month' | 'failed_requests_count_in_month' | 'month_zones'
>

/** The earliest possible start of the present month, UNIX milliseconds (8.3: its zone is not shown). */
export const monthStartMs = (context: Context, assumed: MonthAssumptions): number =>
  monthSpan(serviceNowMs(context), assumed).startMs.earliest

/** False for a reading of the future: our clock was ahead then. @param nowMs the service's time */
export const isTimed =
  (nowMs: number) =>
  ({ readAtMs }: StoredReading): boolean =>
    readAtMs <= nowMs + MINUTE_MS

/** By the ledger and the two newest readings. @param nowMs the service's time, which decides the month */
export async function countMonth(
  context: Within,
  organization: string,
  nowMs: number,
  assumed: MonthAssumptions = ASSUMED,
): Promise<MonthKnown> {
  const { startMs } = monthSpan(nowMs, assumed)
  const countSince = async (sinceMs: number) =>
    countRequests(await context.store.countByKind(organization, sinceMs), assumed)
  const counted = async (reading: StoredReading): Promise<CountedReading> => ({
    ...reading,
    // A request of the same millisecond was recorded before the reading.
    ownSince: await countSince(reading.readAtMs + 1),
  })
  const newestReadings = async () => {
    const stored = await context.store.listReadings(organization, startMs.earliest)
    return Promise.all(stored.filter(isTimed(nowMs)).slice(0, 2).map(counted))
  }
  const [sinceEarliest, sinceLatest, readings] = await Promise.all([
    countSince(startMs.earliest),
    countSince(startMs.latest),
    newestReadings(),
  ])
  return { nowMs, startMs, own: { sinceEarliest, sinceLatest }, readings }
}

/** Delays in milliseconds. @param nowMs the service's time */
export async function readMonth(
  context: Context,
  organization: string,
  nowMs: number,
  assumed: MonthAssumptions = ASSUMED,
): Promise<MonthSnapshot> {
  const [known, { limits, suspicion: stored }] = await Promise.all([
    countMonth(context, organization, nowMs, assumed),
    readOrganizationNote(context, organization),
  ])
  const { endMs, mayHaveReset } = monthSpan(nowMs, assumed)
  const plan = guessPlan(limits)
  const limit = plan?.per_month
  const reserve = { person: context.config.reservePerson, sign_in: context.config.reserveSignIn }
  const suspicion = suspicionAt(stored, nowMs)
  const count = organizationCount(known)
  const wanted = readingWanted(known, limit, reserve, suspicion?.sinceMs)
  return {
    ...ownCount(known),
    ...(plan && { plan: plan.name }),
    resets_in_ms: { earliest: Math.ceil(endMs.earliest - nowMs), latest: Math.ceil(endMs.latest - nowMs) },
    may_have_reset: mayHaveReset,
    ...(count && { organization: count }),
    ...(suspicion && { suspected: suspicionOnWire(suspicion, nowMs) }),
    ...(wanted && { reading_wanted: wanted }),
    ...(limit !== undefined && {
      limit,
      reserve,
      ...forecastOf({
        ...monthSoFar(known, count, await readDays(context, organization, known.startMs.earliest, assumed)),
        endMs: endMs.latest,
        limit,
        // Presses may use the reserve, except the part for sign-ins.
        reserve: reserve.sign_in,
      }),
    }),
  }
}

const ownCount = ({ own }: MonthKnown): Interval => ({
  low: own.sinceLatest.low,
  high: own.sinceEarliest.high,
})

function monthSoFar(
  known: MonthKnown,
  count: OrganizationCount | undefined,
  days: (DayCount & { rows: number })[],
) {
  return {
    nowMs: known.nowMs,
    startMs: known.startMs.earliest,
    used: count ?? ownCount(known),
    days,
    rows: days.reduce((total, { rows }) => total + rows, 0),
    ...(count && { readingAgeMs: count.reading_age_ms }),
  }
}

type DayCount = MonthSoFar['days'][number]

/** By day of UTC: the greatest number that may count, and the number of rows. */
async function readDays(
  context: Context,
  organization: string,
  sinceMs: number,
  assumed: MonthAssumptions,
): Promise<(DayCount & { rows: number })[]> {
  const days = await countDays(context, organization, sinceMs)
  return days.map(({ startMs, counts }) => ({
    startMs,
    count: countRequests(counts, assumed).high,
    rows: counts.reduce((rows, { count }) => rows + count, 0),
  }))
}

export interface Day {
  startMs: number
  counts: KindCount[]
}

/** The newest day first. The earliest one begins at the instant. */
export async function countDays(context: Context, organization: string, sinceMs: number): Promise<Day[]> {
  const nextDayMs = Math.ceil(sinceMs / DAY_MS) * DAY_MS
  const [first, sorts] = await Promise.all([
    context.store.countByKind(organization, sinceMs, nextDayMs),
    context.store.countByDay(organization, nextDayMs),
  ])
  const days = new Map([[nextDayMs - DAY_MS, first]])
  for (const { startMs, ...sort } of sorts) days.set(startMs, [...(days.get(startMs) ?? []), sort])
  return [...days].map(([startMs, counts]) => ({ startMs, counts })).toSorted((a, b) => b.startMs - a.startMs)
}

const suspicionOnWire = ({ sinceMs, reasons }: StoredSuspicion, nowMs: number): Suspicion => ({
  age_ms: Math.max(0, Math.floor(nowMs - sinceMs)),
  reasons,
})
