import { DAY_MS } from '../../contract/duration.ts'
import type { CountRow, Counts } from './counts.ts'
import type { SqliteDatabase } from './database.ts'
import type { InFlight } from './in-flight.ts'
import type { NoteReader } from './notes.ts'
import { readReadings } from './readings.ts'
import type { Statements } from './statements.ts'
import type { Admission, AdmissionState, DayCount, Ledger, LedgerCounts, LedgerRow } from '../store.ts'

/** Caches that are valid until another process may have changed the file. */
interface Readers {
  noteReader: NoteReader
  counted: Counts
  inFlight: InFlight
}

/** A request without its settlement is unanswered, which the month's interval allows for (8.3). */
const MAY_BE_LOST = { mayBeLost: true }

export const ledger = (db: SqliteDatabase, sql: Statements, readers: Readers): Ledger => ({
  reserve: (entry, admission) =>
    db.write(() => {
      const { id, organization, token, kind, method, path, initiator, atMs, owner } = entry
      const lapsesAtMs = admission?.decide(admissionState(sql, readers, organization, admission))
      if (lapsesAtMs !== undefined) sql.claim.run(admission?.claim, lapsesAtMs, lapsesAtMs)
      sql.reserve.run(id, organization, token, kind, method, path, initiator, atMs, owner)
      readers.counted.recorded(id, entry)
      readers.inFlight.recorded(entry)
    }),
  settle: (entryId, settlement, atMs) =>
    db.write(() => {
      const { outcome, status } = settlement
      if (sql.settle.run(entryId, outcome, status, atMs) === 0) return
      readers.counted.settled(entryId, settlement)
      readers.inFlight.settled(entryId)
    }, MAY_BE_LOST),
  attribute: (unproven, organization, atMs) =>
    db.write(() => {
      if (sql.addAttribution.run(unproven, organization, atMs + DAY_MS) === 1)
        sql.attributeRequests.run(organization, unproven)
      db.forget()
    }),
  async readAdmissionState(organization, asked) {
    return admissionState(sql, readers, organization, asked)
  },
  async listEntries(organization, { sinceMs, untilMs = LATEST_MS, before, most }) {
    const [last] =
      before === undefined
        ? [{ atMs: untilMs }]
        : sql.readEntryTime.all<{ atMs: number }>(before, organization)
    if (last === undefined) return undefined
    return sql.listEntries
      .all<LedgerRow>(organization, sinceMs, last.atMs, before ?? '', most)
      .map(withoutNulls)
  },
})

const LATEST_MS = Number.MAX_SAFE_INTEGER

/** SQLite returns null for a missing value. */
const withoutNulls = (row: LedgerRow): LedgerRow =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as LedgerRow

export const ledgerCounts = (sql: Statements, counted: Counts, inFlight: InFlight): LedgerCounts => ({
  async countByKind(organization, sinceMs) {
    return counted.countByKind(organization, sinceMs)
  },
  async countByDay(organization, sinceMs) {
    const rows = sql.countByDay.all<CountRow<DayCount>>(organization, sinceMs - (sinceMs % DAY_MS))
    return rows.map((row) => ({ ...row, succeeded: row.succeeded === 1 }))
  },
  async countUnanswered(organization, sinceMs, atMs) {
    const [{ count }] = sql.countUnanswered.all(organization, sinceMs, atMs) as [{ count: number }]
    return count
  },
  async countSent(token, kinds, sinceMs) {
    const [{ count }] = sql.countSent.all(token, JSON.stringify(kinds), sinceMs) as [{ count: number }]
    return count
  },
  async countInFlight(token, kinds, sinceMs) {
    return inFlight.count(token, kinds, sinceMs)
  },
  async countEachInFlight(tokens, kinds, sinceMs) {
    return inFlight.countEach(tokens, kinds, sinceMs)
  },
})

const admissionState = (
  sql: Statements,
  { noteReader, counted, inFlight }: Readers,
  organization: string,
  { notes: names, countedSinceMs, inFlight: { token, kinds, sinceMs }, claim }: Omit<Admission, 'decide'>,
): AdmissionState => ({
  notes: names.map((name) => noteReader.read(name)),
  counts: countedSinceMs.map((since) => counted.countByKind(organization, since)),
  sinceReading: sinceReading(sql, counted, organization),
  inFlight: inFlight.count(token, kinds, sinceMs),
  newestAtMs: sql.newestAtMs.all<{ newest: number }>(organization)[0]?.newest,
  // An undefined name matches no claim.
  claimedUntilMs: sql.readClaim.all<{ lapsesAtMs: number }>(claim)[0]?.lapsesAtMs,
})

function sinceReading(
  sql: Statements,
  counted: Counts,
  organization: string,
): AdmissionState['sinceReading'] {
  const reading = counted.newestReading(organization, () => readReadings(sql, organization, 0, 1)[0])
  // A request of the same millisecond was recorded before the number was read.
  return reading && { reading, counts: counted.countByKind(organization, reading.readAtMs + 1) }
}
