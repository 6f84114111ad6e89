/** `GET /bff/ledger/browsers`: the month's requests by the browser's name (8.3). Sends nothing. */
import { isSuccess } from '../../contract/answer-meaning.ts'
import { Answer, type Inbound } from '../../contract/answer.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import type { LedgerBrowser, LedgerBrowsers } from '../../contract/ledger.ts'
import { countRequests, type KindCount } from '../../contract/month.ts'
import type { LedgerRow } from '../../store/store.ts'
import { correctionsOf } from '../core/clock.ts'
import { type Context, shareWork } from '../core/context.ts'
import { cacheOfStore } from '../core/store-cache.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { queryParameters } from '../http/input.ts'
import { monthStartMs } from '../limits/month.ts'
import { readBrowserNames } from '../session/browser-names.ts'
import { limitOwner } from '../session/record.ts'
import { requireSession } from '../session/use.ts'
import { rowsSentSince } from './ledger-rows.ts'

const MOST_ORGANIZATIONS = 100

/** By sender, as in the rows. */
type SenderCounts = ReadonlyMap<string, readonly KindCount[]>

/** Recently counted organizations, until anything that they were counted from has changed. */
const countedOf = cacheOfStore<{ state: string; counts: SenderCounts }>(MOST_ORGANIZATIONS)

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

async function countSenders(context: Context, organization: string, sinceMs: number): Promise<SenderCounts> {
  const { store, memory } = context
  const cache = countedOf(store)
  // Read the version first: everything read after it includes that change.
  const version = await store.readVersion()
  const state = JSON.stringify([version, sinceMs, correctionsOf(memory)])
  const known = cache.get(organization)
  if (known?.state === state) return known.counts
  return shareWork(memory, `browsers ${organization} ${state}`, async () => {
    const counts = new Map<string, KindCount[]>()
    for await (const rows of rowsSentSince(context, organization, sinceMs)) addRows(counts, rows)
    cache.set(organization, { state, counts })
    return counts
  })
}

function addRows(counts: Map<string, KindCount[]>, rows: readonly LedgerRow[]): void {
  for (const { owner = '', kind, outcome, status = 0 } of rows) {
    const succeeded = isSuccess(status)
    const sorts = counts.get(owner) ?? []
    counts.set(owner, sorts)
    const sort = sorts.find(
      (one) => one.kind === kind && one.outcome === outcome && one.succeeded === succeeded,
    )
    if (sort === undefined) sorts.push({ kind, outcome, succeeded, count: 1 })
    else sort.count += 1
  }
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
