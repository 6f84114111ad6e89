/** `GET /bff/ledger/browsers`: the month's requests by the browser's name (8.3). Sends nothing. */
import { Answer, type Inbound } from '../../contract/answer.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import type { LedgerBrowser, LedgerBrowsers } from '../../contract/ledger.ts'
import { countRequests, type KindCount } from '../../contract/month.ts'
import type { Context } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { queryParameters } from '../http/input.ts'
import { monthStartMs } from '../limits/month.ts'
import { readBrowserNames } from '../session/browser-names.ts'
import { limitOwner } from '../session/record.ts'
import { requireSession } from '../session/use.ts'

/** By sender, as in the rows. */
type SenderCounts = ReadonlyMap<string, readonly KindCount[]>

/**
 * The sum is the month's own count. A name without a request that may count is left out.
 * @throws Problem `signed_out`, `invalid_request` (any parameter)
 */
export async function getLedgerBrowsers(context: Context, request: Inbound): Promise<Answer> {
  const session = await requireSession(context, request)
  queryParameters(request)
  const { organization } = limitOwner(session)
  const assumed = await readAssumptions(context)
  const [counts, names] = await Promise.all([
    countSenders(context, organization, monthStartMs(context, assumed)),
    readBrowserNames(context, organization),
  ])
  return Answer.json({ browsers: byName(counts, names, assumed) } satisfies LedgerBrowsers)
}

async function countSenders(
  { store }: Context,
  organization: string,
  sinceMs: number,
): Promise<SenderCounts> {
  const counts = new Map<string, KindCount[]>()
  for (const { sender, ...sort } of await store.countBySender(organization, sinceMs))
    counts.set(sender, [...(counts.get(sender) ?? []), sort])
  return counts
}

/** @param names by sender */
export function byName(
  counts: SenderCounts,
  names: ReadonlyMap<string, string>,
  assumed: Assumptions,
): LedgerBrowser[] {
  const sorts = new Map<string | undefined, KindCount[]>()
  for (const [sender, more] of counts) {
    const name = names.get(sender)
    sorts.set(name, [...(sorts.get(name) ?? []), ...more])
  }
  return [...sorts]
    .map(([browser, ofName]) => ({
      ...(browser !== undefined && { browser }),
      ...countRequests(ofName, assumed),
    }))
    .filter(({ high }) => high > 0)
    .toSorted((a, b) => Number(a.browser === undefined) - Number(b.browser === undefined) || b.high - a.high)
}
