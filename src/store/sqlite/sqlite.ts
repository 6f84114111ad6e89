/** The store of one machine: a SQLite file that several processes may share. */
import { openDatabase, type SqliteDatabase } from './database.ts'
import { Counts, type Row } from './counts.ts'
import { InFlight } from './in-flight.ts'
import { NoteReader, notes } from './notes.ts'
import { sessions } from './sessions.ts'
import { prepareStatements, prepareSweeps, type Statements } from './statements.ts'
import { sweep } from './sweep.ts'
import { readVersion, Watch } from './watch.ts'
import type {
  Admission,
  AdmissionState,
  Counter,
  DayCount,
  LedgerRow,
  Store,
  StoredReading,
} from '../store.ts'

const DAY_MS = 86_400_000

/**
 * Opens the database file, and makes it, for its owner alone, where there is none; `:memory:` needs none.
 * @throws Error that names the file, when it is no database, damaged, one of a newer Plimsoll, or out of reach
 */
export function openSqlite(path: string): Store {
  const db = openDatabase(path, () => watch.look())
  const sql = prepareStatements(db)
  const sweeps = prepareSweeps(db)
  const watch = new Watch(sql)
  const noteReader = new NoteReader(sql, db.generation)
  const counted = new Counts(db, sql)
  const inFlight = new InFlight(db, sql)
  return {
    ...sessions(db, sql),
    ...shared(db, sql),
    ...ledger(db, sql, { noteReader, counted, inFlight }),
    ...counts(sql, counted, inFlight),
    ...readings(db, sql),
    ...notes(db, sql, noteReader),
    async watch(topics, onChange) {
      return watch.add(topics, onChange)
    },
    async readVersion() {
      return readVersion(sql)
    },
    sweep: (nowMs) => sweep(db, sweeps, nowMs),
    close() {
      watch.stop()
      return db.close()
    },
  }
}

type Part<Name extends keyof Store> = Pick<Store, Name>

/** All who hold a lease end with the machine. */
const OF_THIS_MACHINE = { mayBeLost: true }

const shared = (
  db: SqliteDatabase,
  sql: Statements,
): Part<'claim' | 'acquireLease' | 'renewLease' | 'releaseLease' | 'addToCounter' | 'removeCounter'> => ({
  claim: (name, nowMs, lapsesAtMs) => db.write(() => sql.claim.run(name, lapsesAtMs, nowMs) === 1),
  acquireLease: (name, nowMs, lapsesAtMs) =>
    db.write(() => {
      const [{ newest }] = sql.nextFence.all() as [{ newest: number }]
      return sql.acquireLease.run(name, newest, lapsesAtMs, nowMs) === 1 ? newest : undefined
    }, OF_THIS_MACHINE),
  renewLease: (name, fence, lapsesAtMs) =>
    db.write(() => sql.renewLease.run(lapsesAtMs, name, fence) === 1, OF_THIS_MACHINE),
  releaseLease: (name, fence) => db.write(() => void sql.releaseLease.run(name, fence), OF_THIS_MACHINE),
  addToCounter: (name, by, nowMs, lapsesAtMs) =>
    db.write(() => sql.addToCounter.all<Counter>(name, by, nowMs, lapsesAtMs)[0] as Counter),
  removeCounter: (name) => db.write(() => void sql.removeCounter.run(name)),
})

/** What is read once until another process may have changed it. */
interface Readers {
  noteReader: NoteReader
  counted: Counts
  inFlight: InFlight
}

/** What is lost of a settlement counts as not answered, which is within the interval (8.3). */
const MAY_BE_LOST = { mayBeLost: true }

const ledger = (
  db: SqliteDatabase,
  sql: Statements,
  readers: Readers,
): Part<'reserve' | 'settle' | 'attribute' | 'listEntries' | 'readAdmissionState'> => ({
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
  async listEntries(organization, { sinceMs, before, most }) {
    const [last] =
      before === undefined ? [LATEST] : sql.readEntryTime.all<{ atMs: number }>(before, organization)
    if (last === undefined) return undefined
    return sql.listEntries
      .all<LedgerRow>(organization, sinceMs, last.atMs, before ?? '', most)
      .map(withoutNulls)
  },
})

const LATEST = { atMs: Number.MAX_SAFE_INTEGER }

/** SQLite has a null where there is no value. */
const withoutNulls = (row: LedgerRow): LedgerRow =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as LedgerRow

const counts = (
  sql: Statements,
  counted: Counts,
  inFlight: InFlight,
): Part<
  'countByKind' | 'countByDay' | 'countUnanswered' | 'countSent' | 'countInFlight' | 'countEachInFlight'
> => ({
  async countByKind(organization, sinceMs) {
    return counted.countByKind(organization, sinceMs)
  },
  async countByDay(organization, sinceMs) {
    const rows = sql.countByDay.all<Row<DayCount>>(organization, sinceMs - (sinceMs % DAY_MS))
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
  // A claim without a name is none.
  claimedUntilMs: sql.readClaim.all<{ lapsesAtMs: number }>(claim)[0]?.lapsesAtMs,
})

function sinceReading(
  sql: Statements,
  counted: Counts,
  organization: string,
): AdmissionState['sinceReading'] {
  const reading = counted.newestReading(organization, () => listReadings(sql, organization, 0, 1)[0])
  // A request of the same millisecond was recorded before the number was read.
  return reading && { reading, counts: counted.countByKind(organization, reading.readAtMs + 1) }
}

const listReadings = (
  sql: Statements,
  organization: string,
  sinceMs: number,
  most: number,
): StoredReading[] =>
  sql.listReadings
    .all<Omit<StoredReading, 'monthWasReset'> & { monthWasReset: 0 | 1 }>(organization, sinceMs, most)
    .map((row) => ({ ...row, monthWasReset: row.monthWasReset === 1 }))

/** More readings than a person enters in a month. */
const MOST_READINGS = 1000

const readings = (
  db: SqliteDatabase,
  sql: Statements,
): Part<'addReading' | 'listReadings' | 'removeReading'> => ({
  addReading: (organization, { id, count, readAtMs, inFlight, monthWasReset, owner }) =>
    db.write(() => {
      sql.addReading.run(id, organization, count, readAtMs, inFlight, monthWasReset ? 1 : 0, owner)
      db.forget()
    }),
  async listReadings(organization, sinceMs) {
    return listReadings(sql, organization, sinceMs, MOST_READINGS)
  },
  removeReading: (organization, id, atMs) =>
    db.write(() => {
      db.forget()
      return sql.removeReading.run(atMs, organization, id) === 1
    }),
})
