// The store's time for GET /bff/ledger, and for its days, with 1,000 and 100,000 requests of an organization.
import { entryId } from './_fill-sqlite.mjs'
import { load } from './_load.mjs'
import { compareReads, NOW_MS, ORGANIZATION } from './_rows.mjs'

const { monthsAt } = await load('contract/month.ts')
const sinceMs = Math.min(...monthsAt(NOW_MS).map(({ startMs }) => startMs))
/** One more than a page shows. */
const most = 51

const READS = {
  'first page': (store) => store.listEntries(ORGANIZATION, { sinceMs, most }),
  'middle page': (store, rows) =>
    store.listEntries(ORGANIZATION, { sinceMs, most, before: entryId(rows / 2) }),
  days: (store) => store.countByDay(ORGANIZATION, sinceMs),
}

await compareReads(READS, { many: 100_000, target: 1.5 })
