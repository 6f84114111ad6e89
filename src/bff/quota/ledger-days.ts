/** `GET /bff/ledger/days`: the month's requests by day and kind (8.3). Sends nothing to the service. */
import type { ClockCorrection } from '../../contract/clock-correction.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { DAY_MS } from '../../contract/duration.ts'
import { foldedBeforeMs } from '../../contract/ledger-fold.ts'
import { type LedgerDays, REQUEST_KINDS, utcDayOf } from '../../contract/ledger.ts'
import { countRequests, type KindCount } from '../../contract/month.ts'
import { correctionsOf } from '../core/clock.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import type { DayCount } from '../../store/store.ts'
import { sumOf } from '../limits/sent.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { monthStartMs } from '../limits/month.ts'
import { queryParameters } from '../http/input.ts'
import { limitOwner } from '../session/record.ts'
import { requireSession } from '../session/use.ts'

/**
 * Days of UTC, newest first. A kind without a request that may count is left out of a day.
 * @throws Problem `signed_out`, `invalid_request` (any parameter)
 */
export async function getLedgerDays(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  queryParameters(request)
  const { organization } = limitOwner(session)
  return Response.json({ days: await readDays(context, organization) } satisfies LedgerDays)
}

/** The days of this month, as {@link getLedgerDays} answers them. */
export async function readDays(context: Context, organization: string): Promise<LedgerDays['days']> {
  const assumed = await readAssumptions(context)
  const days = await countDays(context, organization, monthStartMs(context, assumed))
  return days.flatMap((day) => byKind(day, assumed))
}

interface Day {
  startMs: number
  counts: KindCount[]
}

/** The newest day first. The earliest one begins at the instant. */
export async function countDays(context: Context, organization: string, sinceMs: number): Promise<Day[]> {
  const nextDayMs = Math.ceil(sinceMs / DAY_MS) * DAY_MS
  const corrections = correctionsOf(context.memory)
  const [all, later, sorts, moved] = await Promise.all([
    context.store.countByKind(organization, sinceMs),
    context.store.countByKind(organization, nextDayMs),
    context.store.countByDay(organization, nextDayMs),
    Promise.all(corrections.map((one) => countCorrected(context, organization, one))),
  ])
  const first = [...all, ...later.map((sort) => ({ ...sort, count: -sort.count }))]
  const days = new Map([[nextDayMs - DAY_MS, first]])
  for (const { startMs, ...sort } of [...sorts, ...moved.flat()])
    if (startMs >= nextDayMs - DAY_MS) days.set(startMs, [...(days.get(startMs) ?? []), sort])
  return [...days].map(([startMs, counts]) => ({ startMs, counts })).toSorted((a, b) => b.startMs - a.startMs)
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS

/** The clock was wrong for a while: moves its requests from the day of their record to the day of sending. */
async function countCorrected(
  context: Context,
  organization: string,
  { fromMs, toMs, byMs }: ClockCorrection,
): Promise<DayCount[]> {
  const foldedMs = foldedBeforeMs(Math.min(context.now(), serviceNowMs(context)))
  const endMs = toMs + 1
  const instants = [fromMs, ...daysIn(fromMs, endMs), ...daysIn(fromMs + byMs, endMs + byMs, byMs), endMs]
  // Only whole days of folded rows are known.
  const known = instants.filter((ms) => ms >= foldedMs || ms % DAY_MS === 0).toSorted((a, b) => a - b)
  const counts = await Promise.all(known.map((ms) => context.store.countByKind(organization, ms)))
  return known.slice(0, -1).flatMap((partMs, nth) =>
    sumOf(counts.slice(nth, nth + 2), [{ by: 1 }, { by: -1 }]).flatMap((sort) => [
      { ...sort, startMs: dayOf(partMs), count: -sort.count },
      { ...sort, startMs: dayOf(partMs + byMs) },
    ]),
  )
}

/** The days that start between two instants, each less `byMs`. */
function daysIn(fromMs: number, endMs: number, byMs = 0): number[] {
  const firstMs = dayOf(fromMs) + DAY_MS
  const days = Math.max(0, Math.ceil((endMs - firstMs) / DAY_MS))
  return Array.from({ length: days }, (_, nth) => firstMs + nth * DAY_MS - byMs)
}

function byKind({ startMs, counts }: Day, assumed: Assumptions): LedgerDays['days'] {
  const day = utcDayOf(startMs)
  return REQUEST_KINDS.flatMap((kind) => {
    const ofKind = counts.filter((sort) => sort.kind === kind)
    const { low, high } = countRequests(ofKind, assumed)
    // Another process may write between the counts, so the difference may be inexact.
    return high > 0 ? [{ day, kind, low: Math.max(0, low), high }] : []
  })
}
