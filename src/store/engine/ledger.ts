import { isSuccess } from '../../contract/answer-meaning.ts'
import { DAY_MS } from '../../contract/duration.ts'
import type { Outcome, RequestKind } from '../../contract/month.ts'
import {
  type Ledger,
  type LedgerEntry,
  type LedgerRow,
  type Readings,
  type Settlement,
  type StoredReading,
  UNPROVEN,
} from '../store.ts'
import { type Change, LATEST_MS, type Scope, withoutNulls, type Writer } from './database.ts'

export const ledger = (scope: Scope): Ledger => ({
  addEntry: (entry) => scope.write((tx) => addEntry(tx, entry)),
  settle: (entryId, settlement, atMs) => scope.write((tx) => settle(tx, entryId, settlement, atMs)),
  attribute: (unproven, organization, atMs) =>
    scope.write((tx) => attribute(tx, unproven, organization, atMs)),
  async listEntries(organization, { sinceMs, untilMs = LATEST_MS, before, most }) {
    const [last] =
      before === undefined
        ? [{ atMs: untilMs }]
        : await scope.all<{ atMs: number }>(ENTRY_TIME, [before, organization])
    if (last === undefined) return undefined
    const rows = await scope.all<LedgerRow>(LIST, [organization, sinceMs, last.atMs, before ?? '', most])
    return rows.map(withoutNulls)
  },
  async readNewestAtMs(organization, untilMs) {
    const [newest] = await scope.all<{ atMs: number }>(NEWEST, [organization, untilMs])
    return newest?.atMs
  },
})

async function addEntry(tx: Change, entry: LedgerEntry): Promise<void> {
  const { id, press, organization, token, kind, method, path, initiator, owner, atMs } = entry
  const values = [id, press, organization, token, kind, method, path, initiator, owner, atMs]
  const added = [tx.lock(`organization ${organization}`), tx.all<CountedRow>(ADD, values)] as const
  const [, [row]] = (await Promise.all(added)) as [unknown, [CountedRow]]
  await Promise.all([count(tx, row, 1), tx.changed(`organization ${row.organization}`)])
}

async function settle(tx: Change, id: string, settlement: Settlement, settledAtMs: number): Promise<void> {
  const [row] = await tx.all<CountedRow>(`SELECT ${COUNTED} FROM requests WHERE id = $1`, [id])
  if (row === undefined) return
  const { outcome, status, atMs } = settlement
  const [, [settled]] = await Promise.all([
    tx.lock(`organization ${row.organization}`),
    tx.all<CountedRow>(SETTLE, [outcome, status, settledAtMs, atMs, id]),
  ])
  if (settled === undefined) return
  await Promise.all([
    count(tx, { ...settled, outcome: 'reserved', status: null, atMs: row.atMs }, -1),
    count(tx, settled, 1),
    tx.changed(`organization ${settled.organization}`),
  ])
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

/** The columns that decide where a request counts. */
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

/** More readings than a person enters in a month. */
const MOST_READINGS = 1000

type ReadingRow = Omit<StoredReading, 'monthWasReset'> & { monthWasReset: 0 | 1 }

export const readings = (scope: Scope): Readings => ({
  addReading: (organization, { id, count, readAtMs, inFlight, monthWasReset, owner }) =>
    scope.write(async (tx) => {
      const values = [id, organization, count, readAtMs, inFlight, monthWasReset ? 1 : 0, owner]
      await tx.run(ADD_READING, values)
      await tx.changed(`organization ${organization}`)
    }),

  async listReadings(organization, sinceMs) {
    const rows = await scope.all<ReadingRow>(LIST_READINGS, [organization, sinceMs, MOST_READINGS])
    return rows.map((row) => ({ ...row, monthWasReset: row.monthWasReset === 1 }))
  },

  removeReading: (organization, id, atMs) =>
    scope.write(async (tx) => {
      const isRemoved = (await tx.run(REMOVE_READING, [atMs, organization, id])) === 1
      if (isRemoved) await tx.changed(`organization ${organization}`)
      return isRemoved
    }),
})

const COUNTED = 'organization, kind, outcome, status, at_ms AS "atMs"'
const ADD = `
  INSERT INTO requests (id, press, organization, token, kind, method, path, initiator, owner, at_ms, outcome)
  VALUES ($1, $2, coalesce((SELECT organization FROM attributions WHERE unproven = $3), $3),
    $4, $5, $6, $7, $8, $9, $10, 'reserved')
  RETURNING ${COUNTED}`
const SETTLE = `UPDATE requests SET outcome = $1, status = $2, settled_at_ms = $3,
  at_ms = coalesce($4, at_ms) WHERE id = $5 AND outcome = 'reserved' RETURNING ${COUNTED}`
/** Ends an insertion of counts: they are added to those of the day. */
const ADDED = `ON CONFLICT (organization, day_ms, kind, outcome, succeeded)
  DO UPDATE SET count = day_counts.count + excluded.count`
const COUNT = `INSERT INTO day_counts (organization, day_ms, kind, outcome, succeeded, count)
  VALUES ($1, $2, $3, $4, $5, $6) ${ADDED}`
const ADD_ATTRIBUTION = `INSERT INTO attributions (unproven, organization, lapses_at_ms) VALUES ($1, $2, $3)
  ON CONFLICT DO NOTHING`
const MOVE_COUNTS = `INSERT INTO day_counts (organization, day_ms, kind, outcome, succeeded, count)
  SELECT $1, day_ms, kind, outcome, succeeded, count FROM day_counts WHERE organization = $2
  ${ADDED}`
const ENTRY_TIME = 'SELECT at_ms AS "atMs" FROM requests WHERE id = $1 AND organization = $2'
const LIST = `
  SELECT id, press, organization, token, kind, method, path, initiator, owner, at_ms AS "atMs", outcome,
    status
  FROM requests WHERE organization = $1 AND at_ms >= $2 AND (at_ms, id) < ($3, $4)
  ORDER BY at_ms DESC, id DESC LIMIT $5`
const NEWEST = `SELECT at_ms AS "atMs" FROM requests WHERE organization = $1 AND at_ms <= $2
  AND kind <> 'token.code'
  ORDER BY at_ms DESC LIMIT 1`
const LIST_READINGS = `SELECT id, count, read_at_ms AS "readAtMs", in_flight AS "inFlight",
  month_was_reset AS "monthWasReset", owner
  FROM readings WHERE organization = $1 AND read_at_ms >= $2 AND removed_at_ms IS NULL
  ORDER BY read_at_ms DESC, nth DESC LIMIT $3`
const ADD_READING = `
  INSERT INTO readings (id, organization, count, read_at_ms, in_flight, month_was_reset, owner, nth)
  VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT count(*) FROM readings WHERE organization = $2))`
const REMOVE_READING = `UPDATE readings SET removed_at_ms = $1
  WHERE organization = $2 AND id = $3 AND removed_at_ms IS NULL`
