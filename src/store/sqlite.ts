/** The store of one machine: a SQLite file that several processes may share. */
import type { KindCount } from '../contract/month.ts'
import { openDatabase, type SqliteDatabase } from './sqlite-database.ts'
import { LENGTHS_MS } from './sqlite-schema.ts'
import { prepareStatements, prepareSweeps, type Statements } from './sqlite-statements.ts'
import type { Admission, AdmissionState, Counter, ListedSession, Store, StoredSession } from './store.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/**
 * Opens the database file, and makes it, for its owner alone, where there is none; `:memory:` needs none.
 * @throws Error that names the file, when it is no database, damaged, one of a newer Plimsoll, or out of reach
 */
export function openSqlite(path: string): Store {
  const db = openDatabase(path)
  const sql = prepareStatements(db)
  const sweeps = prepareSweeps(db)
  return {
    ...sessions(db, sql),
    ...shared(db, sql),
    ...ledger(db, sql),
    ...notes(db, sql),
    sweep: (nowMs) =>
      db.write(() => {
        for (const sweep of sweeps.ended) sweep.run(nowMs)
        for (const sweep of sweeps.longEnded) sweep.run(nowMs - HOUR_MS)
      }),
    close: db.close,
  }
}

type Part<Name extends keyof Store> = Pick<Store, Name>

const sessions = (
  db: SqliteDatabase,
  sql: Statements,
): Part<'readSession' | 'writeSession' | 'endSession' | 'listSessions'> => ({
  async readSession(id) {
    const [row] = sql.readSession.all<Omit<StoredSession, 'encrypted'> & { encrypted: ArrayBuffer }>(id)
    return row && { ...row, encrypted: new Uint8Array(row.encrypted) }
  },
  writeSession: (id, { encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser }, seenVersion) =>
    db.write(() => {
      const values = [encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser, id] as const
      const written =
        seenVersion === 0 ? sql.addSession.run(...values) : sql.changeSession.run(...values, seenVersion)
      return written === 1
    }),
  endSession: (id) => db.write(() => void sql.endSession.run(id)),
  async listSessions(owner, nowMs) {
    return sql.listSessions.all<ListedSession>(owner, nowMs)
  },
})

const shared = (
  db: SqliteDatabase,
  sql: Statements,
): Part<'claim' | 'acquireLease' | 'renewLease' | 'releaseLease' | 'addToCounter' | 'removeCounter'> => ({
  claim: (name, nowMs, lapsesAtMs) => db.write(() => sql.claim.run(name, lapsesAtMs, nowMs) === 1),
  acquireLease: (name, nowMs, lapsesAtMs) =>
    db.write(() => {
      const [{ newest }] = sql.nextFence.all() as [{ newest: number }]
      return sql.acquireLease.run(name, newest, lapsesAtMs, nowMs) === 1 ? newest : undefined
    }),
  renewLease: (name, fence, lapsesAtMs) => db.write(() => sql.renewLease.run(lapsesAtMs, name, fence) === 1),
  releaseLease: (name, fence) => db.write(() => void sql.releaseLease.run(name, fence)),
  addToCounter: (name, by, nowMs, lapsesAtMs) =>
    db.write(() => sql.addToCounter.all<Counter>(name, by, nowMs, lapsesAtMs)[0] as Counter),
  removeCounter: (name) => db.write(() => void sql.removeCounter.run(name)),
})

type Counts = Part<'readAdmissionState' | 'countByKind' | 'countSent' | 'countInFlight'>

const ledger = (db: SqliteDatabase, sql: Statements): Part<'reserve' | 'settle' | 'attribute'> & Counts => ({
  reserve: ({ id, organization, token, kind, method, path, initiator, atMs }, admission) =>
    db.write(() => {
      const lapsesAtMs = admission?.decide(admissionState(sql, organization, admission))
      if (lapsesAtMs !== undefined) sql.claim.run(admission?.claim, lapsesAtMs, lapsesAtMs)
      sql.reserve.run(id, organization, token, kind, method, path, initiator, atMs)
    }),
  settle: (entryId, { outcome, status }, atMs) =>
    db.write(() => void sql.settle.run(entryId, outcome, status, atMs)),
  attribute: (unproven, organization, atMs) =>
    db.write(() => {
      if (sql.addAttribution.run(unproven, organization, atMs + DAY_MS) === 1)
        sql.attributeRequests.run(organization, unproven)
    }),
  async readAdmissionState(organization, asked) {
    return admissionState(sql, organization, asked)
  },
  async countByKind(organization, sinceMs) {
    return countByKind(sql, organization, sinceMs)
  },
  async countSent(...values) {
    return countWith(sql.countSent, ...values)
  },
  async countInFlight(...values) {
    return countWith(sql.countInFlight, ...values)
  },
})

function countByKind(sql: Statements, organization: string, sinceMs: number): KindCount[] {
  const starts = LENGTHS_MS.map((lengthMs) => Math.ceil(sinceMs / lengthMs) * lengthMs)
  const rows = sql.countByKind.all<Omit<KindCount, 'succeeded'> & { succeeded: 0 | 1 }>(
    organization,
    ...starts,
  )
  return rows.map((row) => ({ ...row, succeeded: row.succeeded === 1 }))
}

function countWith(
  statement: Statements['countSent'],
  token: string,
  kinds: readonly string[],
  sinceMs: number,
): number {
  const [{ count }] = statement.all(token, JSON.stringify(kinds), sinceMs) as [{ count: number }]
  return count
}

const admissionState = (
  sql: Statements,
  organization: string,
  { notes: names, countedSinceMs, inFlight, claim }: Omit<Admission, 'decide'>,
): AdmissionState => ({
  notes: names.map((name) => noteOf(sql, name)),
  counts: countedSinceMs.map((since) => countByKind(sql, organization, since)),
  inFlight: countWith(sql.countInFlight, inFlight.token, inFlight.kinds, inFlight.sinceMs),
  newestAtMs: sql.newestAtMs.all<{ newest: number }>(organization)[0]?.newest,
  // A claim without a name is none.
  claimedUntilMs: sql.readClaim.all<{ lapsesAtMs: number }>(claim)[0]?.lapsesAtMs,
})

function noteOf(sql: Statements, name: string): unknown {
  const [row] = sql.readNote.all<{ value: string }>(name)
  return row === undefined ? undefined : JSON.parse(row.value)
}

const notes = (db: SqliteDatabase, sql: Statements): Part<'readNote' | 'changeNote'> => ({
  async readNote(name) {
    return noteOf(sql, name)
  },
  changeNote: (name, change, lapsesAtMs) =>
    db.write(() => {
      const changed = change(noteOf(sql, name))
      if (changed === undefined) sql.removeNote.run(name)
      else sql.writeNote.run(name, JSON.stringify(changed), lapsesAtMs)
      return changed
    }),
})
