/** Sessions in SQLite, cached until another connection commits. */
import { LRUCache } from 'lru-cache'
import type { SqliteDatabase } from './database.ts'
import type { Statements } from './statements.ts'
import type { ListedSession, Sessions, StoredSession } from '../store.ts'

/** Limit of the encrypted records in the cache. */
const MOST_BYTES = 33_554_432

interface CachedSession {
  session: StoredSession
  /** The entry is valid while the connection has the same generation. */
  generation: number
}

/** Callers must not change them. */
class SessionReader {
  readonly #db: Pick<SqliteDatabase, 'generation'>
  readonly #sql: Pick<Statements, 'readSession' | 'readSessionVersions'>
  readonly #known = new LRUCache<string, CachedSession>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ session }) => 1 + session.encrypted.length,
  })

  constructor(
    db: Pick<SqliteDatabase, 'generation'>,
    sql: Pick<Statements, 'readSession' | 'readSessionVersions'>,
  ) {
    this.#db = db
    this.#sql = sql
  }

  read(id: string): StoredSession | undefined {
    const generation = this.#db.generation()
    const known = this.#known.get(id)
    if (known?.generation === generation) return known.session
    const [row] = this.#sql.readSession.all<Omit<StoredSession, 'encrypted'> & { encrypted: ArrayBuffer }>(id)
    if (row === undefined) return undefined
    const session = { ...row, encrypted: new Uint8Array(row.encrypted) }
    this.#known.set(id, { session, generation })
    return session
  }

  /** The versions in the order of the ids; `undefined` for a session that has ended. */
  readVersions(ids: readonly string[]): (number | undefined)[] {
    const generation = this.#db.generation()
    const versions = new Map<string, number>()
    const unsure: string[] = []
    for (const id of ids) {
      const known = this.#known.peek(id)
      if (known?.generation === generation) versions.set(id, known.session.version)
      else unsure.push(id)
    }
    if (unsure.length > 0) {
      const rows = this.#sql.readSessionVersions.all<{ id: string; version: number }>(JSON.stringify(unsure))
      for (const { id, version } of rows) versions.set(id, version)
    }
    return ids.map((id) => versions.get(id))
  }

  /** The cache has the session with the same end, owner, start and browser. */
  isListedAs(id: string, { endsAtMs, owner, openedAtMs, browser }: Omit<StoredSession, 'version'>): boolean {
    const known = this.#known.peek(id)
    if (known?.generation !== this.#db.generation()) return false
    const { session } = known
    return (
      session.endsAtMs === endsAtMs &&
      session.owner === owner &&
      session.openedAtMs === openedAtMs &&
      session.browser === browser
    )
  }

  /** Stores a session that this connection has written. */
  wrote(id: string, { encrypted, ...session }: StoredSession): void {
    // A copy, as reading gives: the bytes may be part of a larger pool.
    const known = { ...session, encrypted: new Uint8Array(encrypted) }
    this.#known.set(id, { session: known, generation: this.#db.generation() })
  }

  /** Drops a session that was ended, or whose state is unknown. */
  forget(id: string): void {
    this.#known.delete(id)
  }
}

/** @param known the version that it replaces, 0 for none; and whether its list entry stays the same */
function write(
  sql: Statements,
  id: string,
  { encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser }: Omit<StoredSession, 'version'>,
  { seenVersion, isListed }: { seenVersion: number; isListed: boolean },
): boolean {
  const values = [encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser, id] as const
  if (seenVersion === 0) return sql.addSession.run(...values) === 1
  if (isListed) return sql.changeRecord.run(encrypted, seenAtMs, id, seenVersion) === 1
  return sql.changeSession.run(...values, seenVersion) === 1
}

export function sessions(db: SqliteDatabase, sql: Statements): Sessions {
  const reader = new SessionReader(db, sql)
  return {
    async readSession(id) {
      return reader.read(id)
    },
    async readSessionVersions(ids) {
      return reader.readVersions(ids)
    },
    writeSession: (id, session, seenVersion, options) =>
      db.write(() => {
        const isWritten = write(sql, id, session, { seenVersion, isListed: reader.isListedAs(id, session) })
        if (isWritten) reader.wrote(id, { ...session, version: seenVersion + 1 })
        else reader.forget(id)
        return isWritten
      }, options),
    endSession: (id) =>
      db.write(() => {
        reader.forget(id)
        sql.endSession.run(id)
      }),
    async listSessions(owner, nowMs) {
      return sql.listSessions.all<ListedSession>(owner, nowMs)
    },
  }
}
