/** Sessions in SQLite. */
import type { SqliteDatabase } from './sqlite-database.ts'
import type { Statements } from './sqlite-statements.ts'
import type { ListedSession, Store, StoredSession } from './store.ts'

/** The methods of the store for sessions. */
export function sessions(
  db: SqliteDatabase,
  sql: Statements,
): Pick<Store, 'readSession' | 'readSessionVersions' | 'writeSession' | 'endSession' | 'listSessions'> {
  return {
    async readSession(id) {
      const [row] = sql.readSession.all<Omit<StoredSession, 'encrypted'> & { encrypted: ArrayBuffer }>(id)
      return row && { ...row, encrypted: new Uint8Array(row.encrypted) }
    },
    async readSessionVersions(ids) {
      const found = sql.readSessionVersions.all<{ id: string; version: number }>(JSON.stringify(ids))
      const versions = new Map(found.map(({ id, version }) => [id, version]))
      return ids.map((id) => versions.get(id))
    },
    writeSession: (id, { encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser }, seenVersion, options) =>
      db.write(() => {
        const values = [encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser, id] as const
        const written =
          seenVersion === 0 ? sql.addSession.run(...values) : sql.changeSession.run(...values, seenVersion)
        return written === 1
      }, options),
    endSession: (id) => db.write(() => void sql.endSession.run(id)),
    async listSessions(owner, nowMs) {
      return sql.listSessions.all<ListedSession>(owner, nowMs)
    },
  }
}
