/** `GET /bff/ledger/days`: the month's requests by day and kind (8.3). Sends nothing to the service. */
import { Answer, type Inbound } from '../../contract/answer.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { DAY_MS } from '../../contract/duration.ts'
import { type LedgerDays, REQUEST_KINDS, utcDayOf } from '../../contract/ledger.ts'
import { countRequests, type KindCount } from '../../contract/month.ts'
import type { Context } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { monthStartMs } from '../limits/month.ts'
import { queryParameters } from '../http/input.ts'
import { limitOwner } from '../session/record.ts'
import { requireSession } from '../session/use.ts'

/**
 * Days of UTC, newest first. A kind without a request that may count is left out of a day.
 * @throws Problem `signed_out`, `invalid_request` (any parameter)
 */
export async function getLedgerDays(context: Context, request: Inbound): Promise<Answer> {
  const session = await requireSession(context, request)
  queryParameters(request)
  const { organization } = limitOwner(session)
  return Answer.json({ days: await readDays(context, organization) } satisfies LedgerDays)
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
  const [all, later, sorts] = await Promise.all([
    context.store.countByKind(organization, sinceMs),
    context.store.countByKind(organization, nextDayMs),
    context.store.countByDay(organization, nextDayMs),
  ])
  const first = [...all, ...later.map((sort) => ({ ...sort, count: -sort.count }))]
  const days = new Map([[nextDayMs - DAY_MS, first]])
  for (const { startMs, ...sort } of sorts) days.set(startMs, [...(days.get(startMs) ?? []), sort])
  return [...days].map(([startMs, counts]) => ({ startMs, counts })).toSorted((a, b) => b.startMs - a.startMs)
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
