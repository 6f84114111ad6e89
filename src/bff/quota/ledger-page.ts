/** `GET /bff/ledger`: this app's requests of the month (8.3). Sends nothing to the service. */
import { isSuccess } from '../../contract/answer-meaning.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import type { LedgerEntry, LedgerPage } from '../../contract/ledger.ts'
import { isInMonth } from '../../contract/month.ts'
import { Problem } from '../../contract/problem.ts'
import type { LedgerRow } from '../../store/store.ts'
import type { Context } from '../core/context.ts'
import { readAssumptions } from '../evidence/findings.ts'
import { monthStartMs } from '../limits/month.ts'
import { readBrowserNames } from '../session/browser-names.ts'
import { limitOwner, personIn, personOf } from '../session/record.ts'
import { requireSession } from '../session/use.ts'
import { csvAnswer, listParameters } from './csv.ts'

const ENTRIES_OF_A_PAGE = 50

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
  // One entry more shows whether another page follows.
  const most = isCsv ? Number.MAX_SAFE_INTEGER : ENTRIES_OF_A_PAGE + 1
  const from = { sinceMs, most, ...(before !== undefined && { before }) }
  const rows = await context.store.listEntries(organization, from)
  if (rows === undefined) throw new Problem('invalid_request', { fault: 'no_page_begins_there' })
  const names = await readBrowserNames(context, organization)
  const entries = rows.map((row) => onWire(row, personOf(session), names, assumed))
  if (isCsv) return csvAnswer(CSV_COLUMNS, entries)
  const next = rows.length > ENTRIES_OF_A_PAGE ? rows[ENTRIES_OF_A_PAGE - 1]?.id : undefined
  return Response.json({
    entries: entries.slice(0, ENTRIES_OF_A_PAGE),
    ...(next !== undefined && { next }),
  } satisfies LedgerPage)
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
