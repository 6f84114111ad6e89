/** `GET /bff/ledger/days` and `/browsers`: sums of the month (8.3). Sends nothing to the service. */
import type { Assumptions } from '../../contract/assumptions.ts'
import {
  type LedgerBrowser,
  type LedgerBrowsers,
  type LedgerDays,
  REQUEST_KINDS,
  utcDayOf,
} from '../../contract/ledger.ts'
import { countRequests, type KindCount } from '../../contract/month.ts'
import type { Context } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { countDays, type Day, monthStartMs } from '../limits/month.ts'
import { limitOwner } from '../session/record.ts'
import { requireSession } from '../session/use.ts'
import { readBrowserNames } from '../session/browser-names.ts'

/**
 * Days of UTC, newest first. A kind without a request that may count is left out of a day.
 * @throws Problem `signed_out`
 */
export async function getLedgerDays(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  const { organization } = limitOwner(session)
  return Response.json(await readDays(context, organization))
}

/** This month, as {@link getLedgerDays} answers it. */
export async function readDays(context: Context, organization: string): Promise<LedgerDays> {
  const assumed = await readAssumptions(context)
  const startMs = monthStartMs(context, assumed)
  const [days, readings] = await Promise.all([
    countDays(context, organization, startMs),
    context.store.listReadings(organization, startMs),
  ])
  return {
    days: days.flatMap((day) => byKind(day, assumed)),
    readings: readings.map(({ count, readAtMs }) => ({ count, read_at: new Date(readAtMs).toISOString() })),
  }
}

function byKind({ startMs, counts }: Day, assumed: Assumptions): LedgerDays['days'] {
  const day = utcDayOf(startMs)
  return REQUEST_KINDS.flatMap((kind) => {
    const ofKind = counts.filter((sort) => sort.kind === kind)
    const { low, high } = countRequests(ofKind, assumed)
    return high > 0 ? [{ day, kind, low, high }] : []
  })
}

/**
 * The sum is the month's own count. A name without a request that may count is left out.
 * @throws Problem `signed_out`
 */
export async function getLedgerBrowsers(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  const { organization } = limitOwner(session)
  const assumed = await readAssumptions(context)
  const [counts, names] = await Promise.all([
    context.store.countBySender(organization, monthStartMs(context, assumed)),
    readBrowserNames(context, organization),
  ])
  return Response.json({ browsers: byName(counts, names, assumed) } satisfies LedgerBrowsers)
}

/** @param names by sender */
export function byName(
  counts: readonly (KindCount & { sender: string })[],
  names: ReadonlyMap<string, string>,
  assumed: Assumptions,
): LedgerBrowser[] {
  const sorts = new Map<string | undefined, KindCount[]>()
  for (const { sender, ...sort } of counts) {
    const name = names.get(sender)
    sorts.set(name, [...(sorts.get(name) ?? []), sort])
  }
  return [...sorts]
    .map(([browser, ofName]) => ({
      ...(browser !== undefined && { browser }),
      ...countRequests(ofName, assumed),
    }))
    .filter(({ high }) => high > 0)
    .toSorted((a, b) => Number(a.browser === undefined) - Number(b.browser === undefined) || b.high - a.high)
}
