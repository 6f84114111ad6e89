/** The store of one machine: a SQLite file that several processes may share. */
import type { KindCount } from '../contract/month.ts'
import { openDatabase, type SqliteDatabase } from './sqlite-database.ts'
import { prepareStatements, type Statements } from './sqlite-statements.ts'
import type { Store } from './store.ts'

/**
 * Opens the database file, and makes it, for its owner alone, where there is none; `:memory:` needs none.
 * @throws Error that names the file, when it is no database, one of a newer Plimsoll, or out of reach
 */
export function openSqlite(path: string): Store {
  const db = openDatabase(path)
  const sql = prepareStatements(db)
  return {
    ...sessions(sql),
    ...ledger(sql),
    ...notes(sql, db),
    async claim(name, nowMs, lapsesAtMs) {
      return sql.claim.run(name, lapsesAtMs, nowMs) === 1
    },
    async sweep(nowMs) {
      db.transaction(() => {
        for (const sweep of [sql.sweepSessions, sql.sweepClaims, sql.sweepNotes]) sweep.run(nowMs)
      })
    },
    async close() {
      db.close()
    },
  }
}

const sessions = (sql: Statements): Pick<Store, 'readSession' | 'writeSession' | 'endSession'> => ({
  async readSession(id) {
    const [row] = sql.readSession.all<{ encrypted: ArrayBuffer; ends_at_ms: number; version: number }>(id)
    return row && { encrypted: new Uint8Array(row.encrypted), endsAtMs: row.ends_at_ms, version: row.version }
  },
  async writeSession(id, { encrypted, endsAtMs }, seenVersion) {
    const written =
      seenVersion === 0
        ? sql.addSession.run(encrypted, endsAtMs, id)
        : sql.changeSession.run(encrypted, endsAtMs, id, seenVersion)
    return written === 1
  },
  async endSession(id) {
    sql.endSession.run(id)
  },
})

const ledger = (sql: Statements): Pick<Store, 'reserve' | 'settle' | 'countByKind' | 'countSent'> => ({
  async reserve({ id, organization, token, kind, method, path, initiator, atMs }) {
    sql.reserve.run(id, organization, token, kind, method, path, initiator, atMs)
  },
  async settle(entryId, { outcome, status }, atMs) {
    sql.settle.run(entryId, outcome, status, atMs)
  },
  async countByKind(organization, sinceMs) {
    const rows = sql.countByKind.all<Omit<KindCount, 'succeeded'> & { succeeded: 0 | 1 }>(
      organization,
      sinceMs,
    )
    return rows.map((row) => ({ ...row, succeeded: row.succeeded === 1 }))
  },
  async countSent(token, kinds, sinceMs) {
    const [{ count }] = sql.countSent.all(token, JSON.stringify(kinds), sinceMs) as [{ count: number }]
    return count
  },
})

const notes = (sql: Statements, db: SqliteDatabase): Pick<Store, 'readNote' | 'changeNote'> => {
  const readNote = (name: string): unknown => {
    const [row] = sql.readNote.all<{ value: string }>(name)
    return row === undefined ? undefined : JSON.parse(row.value)
  }
  return {
    async readNote(name) {
      return readNote(name)
    },
    async changeNote(name, change, lapsesAtMs) {
      return db.transaction(() => {
        const changed = change(readNote(name))
        if (changed === undefined) sql.removeNote.run(name)
        else sql.writeNote.run(name, JSON.stringify(changed), lapsesAtMs)
        return changed
      })
    },
  }
}
