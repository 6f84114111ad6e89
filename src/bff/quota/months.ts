/** `GET /bff/months`: an organization's requests by month (8.3). Sends nothing to the service. */
import { countRequests } from '../../contract/month.ts'
import type { MonthKnown } from '../../contract/month-count.ts'
import {
  monthNameAt,
  type MonthReading,
  type Months,
  monthsOf,
  type MonthUse,
  monthsSinceMs,
  shownBy,
} from '../../contract/months.ts'
import { guessPlan } from '../../contract/plan.ts'
import { type Context, serviceNowMs } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { countDays, countMonth, isTimed } from '../limits/month.ts'
import { readOrganizationNote } from '../limits/note.ts'
import { limitOwner } from '../session/record.ts'
import { requireSession } from '../session/use.ts'
import { csvAnswer, listParameters } from './csv.ts'

const CSV_COLUMNS = [
  ...(['month', 'low', 'high', 'others_low', 'others_high', 'others_read_on'] as const),
  ...(['plan', 'limit', 'ran_out_on'] as const),
] as const

/** A file with `format=csv`. @throws Problem `signed_out`, `invalid_request` (any other parameter) */
export async function getMonths(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  const { isCsv } = listParameters(request)
  const { organization } = limitOwner(session)
  const assumed = await readAssumptions(context)
  const nowMs = serviceNowMs(context)
  const month = monthNameAt(nowMs, assumed)
  const sinceMs = monthsSinceMs(month)
  const [days, stored, known, { limits, months: noted }] = await Promise.all([
    countDays(context, organization, sinceMs),
    context.store.listReadings(organization, sinceMs),
    countMonth(context, organization, nowMs, assumed),
    readOrganizationNote(context, organization),
  ])
  const present = { month, low: known.own.sinceLatest.low, high: known.own.sinceEarliest.high }
  const readings = stored.filter(isTimed(nowMs))
  const months = monthsOf(
    {
      present,
      days: days.map(({ startMs, counts }) => ({ startMs, ...countRequests(counts, assumed) })),
      readings: readings.map((reading) => exactly(reading, known)),
      noted: { ...noted, [month]: { ...noted[month], ...shownBy(guessPlan(limits)) } },
    },
    assumed,
  )
  return isCsv ? csvAnswer(CSV_COLUMNS, months.map(inColumns)) : Response.json({ months } satisfies Months)
}

const inColumns = ({ others, ...month }: MonthUse) => ({
  ...month,
  ...(others && { others_low: others.low, others_high: others.high, others_read_on: others.read_on }),
})

/** The card counts our own requests since the newest readings to the millisecond. */
function exactly(reading: MonthReading, { own, startMs, readings }: MonthKnown): MonthReading {
  const counted = readings.find(({ readAtMs }) => readAtMs === reading.readAtMs && readAtMs >= startMs.latest)
  if (counted === undefined) return reading
  const { low, high } = counted.ownSince
  return { ...reading, ownBefore: { low: own.sinceLatest.low - low, high: own.sinceEarliest.high - high } }
}
