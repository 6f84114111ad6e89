/** `GET /bff/ledger`: this app's requests of the month (8.3). Sends nothing to the service. */
import { isSuccess } from '../../contract/answer-meaning.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import type { LedgerEntry, LedgerPage } from '../../contract/ledger.ts'
import { isInMonth } from '../../contract/month.ts'
import { Problem } from '../../contract/problem.ts'
import type { LedgerRow } from '../../store/store.ts'
import { type Context, nextIteration } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { monthStartMs } from '../limits/month.ts'
import { readBrowserNames } from '../session/browser-names.ts'
import { limitOwner, personIn, personOf } from '../session/record.ts'
import { requireSession } from '../session/use.ts'
import { csvAnswer, listParameters } from './csv.ts'

const ENTRIES_OF_A_PAGE = 50
/** Reading them takes a millisecond or two, and other requests are answered before the next ones. */
const ROWS_AT_A_TIME = 250

const CSV_COLUMNS = ['at', 'kind', 'initiator', 'by', 'outcome', 'status', 'counts', 'browser'] as const

/**
 * Newest first; the whole month with `format=csv`. A session whose organization is not proven sees only its
 * own requests.
 * @throws Problem `signed_out`; `invalid_request` for other parameters, or a `next` that no page had
 */
export async function getLedger(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  const { next: before, isCsv } = listParameters(request, ['next'])
  const assumed = await readAssumptions(context)
  const { organization } = limitOwner(session)
  const sinceMs = monthStartMs(context, assumed)
  const { rows, last } = isCsv
    ? { rows: await readAll(context, organization, sinceMs) }
    : await readPage(context, organization, { sinceMs, ...(before !== undefined && { before }) })
  const names = await readBrowserNames(context, organization)
  const entries = rows.map((row) => onWire(row, personOf(session), names, assumed))
  if (isCsv) return csvAnswer(CSV_COLUMNS, entries)
  return Response.json({ entries, ...(last && { next: last.id }) } satisfies LedgerPage)
}

async function readAll({ store }: Context, organization: string, sinceMs: number): Promise<LedgerRow[]> {
  const all: LedgerRow[] = []
  for (;;) {
    const last = all.at(-1)
    const from = { sinceMs, most: ROWS_AT_A_TIME, ...(last && { before: last.id }) }
    const rows = (await store.listEntries(organization, from)) ?? []
    all.push(...rows)
    if (rows.length < ROWS_AT_A_TIME) return all
    await nextIteration()
  }
}

async function readPage(
  context: Context,
  organization: string,
  from: { sinceMs: number; before?: string },
): Promise<{ rows: LedgerRow[]; last?: LedgerRow }> {
  // One entry more shows whether another page follows.
  const rows = await context.store.listEntries(organization, { ...from, most: ENTRIES_OF_A_PAGE + 1 })
  if (rows === undefined) throw new Problem('invalid_request', { fault: 'no_page_begins_there' })
  const shown = rows.slice(0, ENTRIES_OF_A_PAGE)
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  return { rows: shown, ...(last && { last }) }
}

/** Ids, tokens and paths stay in the bff. */
function onWire(
  { atMs, kind, initiator, owner, outcome, status }: LedgerRow,
  asking: string,
  names: ReadonlyMap<string, string>,
  assumed: Assumptions,
): LedgerEntry {
  const browser = names.get(owner ?? '')
  return {
    at: new Date(atMs).toISOString(),
    kind,
    initiator,
    by: personIn(owner) === asking ? 'you' : 'another',
    ...(browser !== undefined && { browser }),
    outcome,
    ...(status !== undefined && { status }),
    counts: isInMonth({ kind, outcome, succeeded: isSuccess(status ?? 0) }, assumed),
  }
}
