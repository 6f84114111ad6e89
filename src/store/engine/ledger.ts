import { isSuccess } from '../../contract/answer-meaning.ts'
import { DAY_MS } from '../../contract/duration.ts'
import type { Outcome, RequestKind } from '../../contract/month.ts'
import {
  type Admission,
  type AdmissionState,
  type Ledger,
  type LedgerEntry,
  type LedgerRow,
  type Settlement,
  UNPROVEN,
} from '../store.ts'
import { ADDED, countByKind, countInFlight } from './counts.ts'
import { type Database, type Reader, withoutNulls, type Writer } from './database.ts'
import { CLAIM } from './leases.ts'
import { readNotes } from './notes.ts'
import { readReadings } from './readings.ts'
import type { Change, Watch } from './watch.ts'

export const ledger = (db: Database, watch: Watch): Ledger => ({
  reserve: (entry, admission) => watch.write((tx) => reserve(tx, entry, admission)),
  settle: (entryId, settlement, atMs) => watch.write((tx) => settle(tx, entryId, settlement, atMs)),
  attribute: (unproven, organization, atMs) =>
    watch.write((tx) => attribute(tx, unproven, organization, atMs)),
  readAdmissionState: (organization, asked) => db.read((tx) => admissionState(tx, organization, asked)),
  listEntries: (organization, { sinceMs, untilMs = LATEST_MS, before, most }) =>
    db.read(async (tx) => {
      const [last] =
        before === undefined
          ? [{ atMs: untilMs }]
          : await tx.all<{ atMs: number }>(ENTRY_TIME, [before, organization])
      if (last === undefined) return undefined
      const rows = await tx.all<LedgerRow>(LIST, [organization, sinceMs, last.atMs, before ?? '', most])
      return rows.map(withoutNulls)
    }),
})

async function reserve(tx: Change, entry: LedgerEntry, admission: Admission | undefined): Promise<void> {
  await tx.lock(`organization ${entry.organization}`)
  if (admission) {
    const lapsesAtMs = admission.decide(await admissionState(tx, entry.organization, admission))
    if (lapsesAtMs !== undefined) await tx.run(CLAIM, [admission.claim, lapsesAtMs, lapsesAtMs])
  }
  const { id, organization, token, kind, method, path, initiator, owner, atMs } = entry
  const values = [id, organization, token, kind, method, path, initiator, owner, atMs]
  const [row] = (await tx.all<CountedRow>(RESERVE, values)) as [CountedRow]
  await count(tx, row, 1)
  await tx.changed(`organization ${row.organization}`)
}

async function settle(tx: Change, id: string, { outcome, status }: Settlement, atMs: number): Promise<void> {
  const [row] = await tx.all<CountedRow>(`SELECT ${COUNTED} FROM requests WHERE id = $1`, [id])
  if (row === undefined) return
  await tx.lock(`organization ${row.organization}`)
  const [settled] = await tx.all<CountedRow>(SETTLE, [outcome, status, atMs, id])
  if (settled === undefined) return
  await count(tx, { ...settled, outcome: 'reserved', status: null }, -1)
  await count(tx, settled, 1)
  await tx.changed(`organization ${settled.organization}`)
}

async function attribute(tx: Change, unproven: string, organization: string, atMs: number): Promise<void> {
  if (!unproven.startsWith(UNPROVEN)) throw new RangeError(`${unproven} is a name of an organization`)
  // In the order in which everybody takes the two.
  await tx.lock(`organization ${unproven}`)
  await tx.lock(`organization ${organization}`)
  if ((await tx.run(ADD_ATTRIBUTION, [unproven, organization, atMs + DAY_MS])) === 1) {
    const values = [organization, unproven]
    await tx.run('UPDATE requests SET organization = $1 WHERE organization = $2', values)
    await tx.run(MOVE_COUNTS, values)
    await tx.run('DELETE FROM day_counts WHERE organization = $1', [unproven])
  }
  await tx.changed(`organization ${organization}`)
}

const LATEST_MS = Number.MAX_SAFE_INTEGER

/** What of a request decides where it counts. */
interface CountedRow {
  organization: string
  kind: RequestKind
  outcome: Outcome
  status: number | null
  atMs: number
}

async function count(tx: Writer, row: CountedRow, by: number): Promise<void> {
  const { organization, kind, outcome, status, atMs } = row
  const dayMs = atMs - (atMs % DAY_MS)
  await tx.run(COUNT, [organization, dayMs, kind, outcome, isSuccess(status ?? 0) ? 1 : 0, by])
}

async function admissionState(
  tx: Reader | Change,
  organization: string,
  {
    notes: names,
    countedSinceMs,
    inFlight: { token, kinds, sinceMs },
    claim = '',
  }: Omit<Admission, 'decide'>,
): Promise<AdmissionState> {
  const notes = await readNotes(tx, names)
  const counts = []
  for (const since of countedSinceMs) counts.push(await countByKind(tx, organization, since))
  const [reading] = await readReadings(tx, organization, 0, 1)
  const [inFlight = 0] = await countInFlight(tx, [token], kinds, sinceMs)
  const [newest] = await tx.all<{ atMs: number }>(NEWEST, [organization])
  const [claimed] = await tx.all<{ untilMs: number }>(CLAIMED, [claim])
  return {
    notes,
    counts,
    // A request of the same millisecond was recorded before the number was read.
    sinceReading: reading && { reading, counts: await countByKind(tx, organization, reading.readAtMs + 1) },
    inFlight,
    newestAtMs: newest?.atMs,
    claimedUntilMs: claimed?.untilMs,
  }
}

const COUNTED = 'organization, kind, outcome, status, at_ms AS "atMs"'
const RESERVE = `
  INSERT INTO requests (id, organization, token, kind, method, path, initiator, owner, at_ms, outcome)
  VALUES ($1, coalesce((SELECT organization FROM attributions WHERE unproven = $2), $2),
    $3, $4, $5, $6, $7, $8, $9, 'reserved')
  RETURNING ${COUNTED}`
const SETTLE = `UPDATE requests SET outcome = $1, status = $2, settled_at_ms = $3
  WHERE id = $4 AND outcome = 'reserved' RETURNING ${COUNTED}`
const COUNT = `INSERT INTO day_counts (organization, day_ms, kind, outcome, succeeded, count)
  VALUES ($1, $2, $3, $4, $5, $6) ${ADDED}`
const ADD_ATTRIBUTION = `INSERT INTO attributions (unproven, organization, lapses_at_ms) VALUES ($1, $2, $3)
  ON CONFLICT DO NOTHING`
const MOVE_COUNTS = `INSERT INTO day_counts (organization, day_ms, kind, outcome, succeeded, count)
  SELECT $1, day_ms, kind, outcome, succeeded, count FROM day_counts WHERE organization = $2
  ${ADDED}`
const ENTRY_TIME = 'SELECT at_ms AS "atMs" FROM requests WHERE id = $1 AND organization = $2'
const LIST = `
  SELECT id, organization, token, kind, method, path, initiator, owner, at_ms AS "atMs", outcome, status
  FROM requests WHERE organization = $1 AND at_ms >= $2 AND (at_ms, id) < ($3, $4)
  ORDER BY at_ms DESC, id DESC LIMIT $5`
const NEWEST = `SELECT at_ms AS "atMs" FROM requests WHERE organization = $1 AND kind NOT LIKE 'token.%'
  ORDER BY at_ms DESC LIMIT 1`
const CLAIMED = 'SELECT lapses_at_ms AS "untilMs" FROM claims WHERE name = $1'
