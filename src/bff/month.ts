/** The month of an organization in the snapshot (8.3): this app's own count, the organization's by its readings, and what follows from them. */
import { ASSUMED, type Assumptions } from '../contract/assumptions.ts'
import { countRequests, monthSpan } from '../contract/month.ts'
import {
  type CountedReading,
  type MonthKnown,
  organizationCount,
  readingWanted,
} from '../contract/month-count.ts'
import { guessPlan } from '../contract/plan.ts'
import type { MonthSnapshot, Suspicion } from '../contract/quota.ts'
import type { StoredReading } from '../store/store.ts'
import type { Context } from './context.ts'
import { readOrganizationNote, type StoredSuspicion, suspicionAt } from './limit-note.ts'

/** Which requests count, and in which zones the month may begin (8.3: not shown). */
export type MonthAssumptions = Pick<
  Assumptions,
  'counts_in_month' | 'failed_requests_count_in_month' | 'month_zones'
>

/**
 * Counts the requests of this month by the ledger and the two newest readings.
 * @param nowMs the service's time, which decides the month
 */
export async function countMonth(
  { store }: Context,
  organization: string,
  nowMs: number,
  assumed: MonthAssumptions = ASSUMED,
): Promise<MonthKnown> {
  const { startMs } = monthSpan(nowMs, assumed)
  const countSince = async (sinceMs: number) =>
    countRequests(await store.countByKind(organization, sinceMs), assumed)
  const counted = async (reading: StoredReading): Promise<CountedReading> => ({
    ...reading,
    // A request of the same millisecond was recorded before the number was read.
    ownSince: await countSince(reading.readAtMs + 1),
  })
  const newest = (await store.listReadings(organization, startMs.earliest)).slice(0, 2)
  const [sinceEarliest, sinceLatest, ...readings] = await Promise.all([
    countSince(startMs.earliest),
    countSince(startMs.latest),
    ...newest.map(counted),
  ])
  return { nowMs, startMs, own: { sinceEarliest, sinceLatest }, readings }
}

/** All that is known of the month now; delays in milliseconds. @param nowMs the service's time */
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
  const reserve = { person: context.config.reservePerson, sign_in: context.config.reserveSignIn }
  const suspicion = suspicionAt(stored, nowMs)
  const count = organizationCount(known)
  const wanted = readingWanted(known, plan?.per_month, reserve, suspicion?.sinceMs)
  return {
    low: known.own.sinceLatest.low,
    high: known.own.sinceEarliest.high,
    ...(plan && { plan: plan.name }),
    ...(plan?.per_month !== undefined && { limit: plan.per_month, reserve }),
    resets_in_ms: { earliest: Math.ceil(endMs.earliest - nowMs), latest: Math.ceil(endMs.latest - nowMs) },
    may_have_reset: mayHaveReset,
    ...(count && { organization: count }),
    ...(suspicion && { suspected: suspicionOnWire(suspicion, nowMs) }),
    ...(wanted && { reading_wanted: wanted }),
  }
}

const suspicionOnWire = ({ sinceMs, reasons }: StoredSuspicion, nowMs: number): Suspicion => ({
  age_ms: Math.max(0, Math.floor(nowMs - sinceMs)),
  reasons,
})
