/** The only file that knows SQLite: the store of one machine, in one file that several processes may share. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'libsql'
import type { Tally } from '../contract/month.ts'
import { Problem } from '../contract/problem.ts'
import type { Store } from './store.ts'

const SCHEMA_VERSION = 1

// `entry` is the primary key of a settlement, so the first one stays. The triggers make the ledger append-only for everybody.
const SCHEMA = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, sealed BLOB NOT NULL, ends_at_ms INTEGER NOT NULL, version INTEGER NOT NULL);
  CREATE TABLE claims (name TEXT PRIMARY KEY, lapses_at_ms INTEGER NOT NULL);
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL, lapses_at_ms INTEGER NOT NULL);
  CREATE TABLE requests (
    id TEXT PRIMARY KEY, organization TEXT NOT NULL, token TEXT, kind TEXT NOT NULL, method TEXT NOT NULL,
    path TEXT NOT NULL, initiator TEXT NOT NULL, at_ms INTEGER NOT NULL
  );
  CREATE TABLE settlements (entry TEXT PRIMARY KEY, outcome TEXT NOT NULL, status INTEGER, at_ms INTEGER NOT NULL);
  CREATE INDEX requests_by_organization ON requests (organization, at_ms);
  CREATE INDEX requests_by_token ON requests (token, at_ms);
  ${['requests', 'settlements']
    .flatMap((table) => ['UPDATE', 'DELETE'].map((change) => ({ table, change })))
    .map(
      ({ table, change }) =>
        `CREATE TRIGGER ${table}_no_${change} BEFORE ${change} ON ${table}
         BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;`,
    )
    .join('\n')}
  PRAGMA user_version = ${SCHEMA_VERSION};
`

/** How long a write waits for another process, in milliseconds: this one stands still meanwhile, so not for long. */
const BUSY_TIMEOUT_MS = 2000

/**
 * Opens the database file, and makes it, for its owner alone, where there is none; `:memory:` keeps it nowhere.
 * @throws Error that names the file, when it is no database, one of a newer Plimsoll, or out of reach
 */
export function openSqlite(path: string): Store {
  const db = openDatabase(path)
  let closed = false

  const guard = <T>(work: () => T): T => {
    if (closed) throw new Problem('store_unavailable', { cause: new Error(`${path} is closed`) })
    try {
      return work()
    } catch (cause) {
      throw new Problem('store_unavailable', { cause })
    }
  }
  // Never `.get()`: a row that is left in a statement keeps the file's log from being folded in.
  const prepare = (sql: string) => {
    const statement = db.prepare(sql)
    return {
      all: <Row>(...values: Value[]) => guard(() => statement.all(values) as Row[]),
      run: (...values: Value[]) => guard(() => statement.run(values).changes),
    }
  }
  /** Takes the write lock first, so that nobody writes between what is read and what is written. */
  const alone = <T>(work: () => T): T => {
    guard(() => db.exec('BEGIN IMMEDIATE'))
    try {
      const result = work()
      guard(() => db.exec('COMMIT'))
      return result
    } catch (error) {
      if (db.inTransaction) guard(() => db.exec('ROLLBACK'))
      throw error
    }
  }

  const sql = {
    readSession: prepare('SELECT sealed, ends_at_ms, version FROM sessions WHERE id = ?'),
    addSession: prepare(
      'INSERT INTO sessions (sealed, ends_at_ms, id, version) VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING',
    ),
    changeSession: prepare(
      'UPDATE sessions SET sealed = ?, ends_at_ms = ?, version = version + 1 WHERE id = ? AND version = ?',
    ),
    endSession: prepare('DELETE FROM sessions WHERE id = ?'),
    claim: prepare(
      `INSERT INTO claims (name, lapses_at_ms) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET lapses_at_ms = excluded.lapses_at_ms WHERE lapses_at_ms <= ?`,
    ),
    reserve: prepare(
      `INSERT INTO requests (id, organization, token, kind, method, path, initiator, at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    settle: prepare(
      'INSERT INTO settlements (entry, outcome, status, at_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    tally: prepare(
      `SELECT kind, coalesce(outcome, 'reserved') AS outcome, coalesce(status BETWEEN 200 AND 299, 0) AS succeeded,
         count(*) AS count
       FROM requests LEFT JOIN settlements ON entry = id
       WHERE organization = ? AND requests.at_ms >= ? GROUP BY 1, 2, 3`,
    ),
    countSent: prepare(
      `SELECT count(*) AS count FROM requests
       WHERE token = ? AND kind IN (SELECT value FROM json_each(?)) AND at_ms >= ?`,
    ),
    readNote: prepare('SELECT value FROM notes WHERE name = ?'),
    writeNote: prepare(
      `INSERT INTO notes (name, value, lapses_at_ms) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value, lapses_at_ms = excluded.lapses_at_ms`,
    ),
    removeNote: prepare('DELETE FROM notes WHERE name = ?'),
    sweeps: [
      prepare('DELETE FROM sessions WHERE ends_at_ms <= ?'),
      prepare('DELETE FROM claims WHERE lapses_at_ms <= ?'),
      prepare('DELETE FROM notes WHERE lapses_at_ms <= ?'),
    ],
  }

  const readNote = (name: string): unknown => {
    const [row] = sql.readNote.all<{ value: string }>(name)
    return row === undefined ? undefined : JSON.parse(row.value)
  }

  return {
    async readSession(id) {
      const [row] = sql.readSession.all<{ sealed: ArrayBuffer; ends_at_ms: number; version: number }>(id)
      return row && { sealed: new Uint8Array(row.sealed), endsAtMs: row.ends_at_ms, version: row.version }
    },
    async writeSession(id, { sealed, endsAtMs }, seenVersion) {
      const written =
        seenVersion === 0
          ? sql.addSession.run(sealed, endsAtMs, id)
          : sql.changeSession.run(sealed, endsAtMs, id, seenVersion)
      return written === 1
    },
    async endSession(id) {
      sql.endSession.run(id)
    },
    async claim(name, nowMs, lapsesAtMs) {
      return sql.claim.run(name, lapsesAtMs, nowMs) === 1
    },
    async reserve({ id, organization, token, kind, method, path, initiator, atMs }) {
      sql.reserve.run(id, organization, token, kind, method, path, initiator, atMs)
    },
    async settle(entryId, { outcome, status }, atMs) {
      sql.settle.run(entryId, outcome, status, atMs)
    },
    async tally(organization, sinceMs) {
      const rows = sql.tally.all<Omit<Tally, 'succeeded'> & { succeeded: 0 | 1 }>(organization, sinceMs)
      return rows.map((row) => ({ ...row, succeeded: row.succeeded === 1 }))
    },
    async countSent(token, kinds, sinceMs) {
      return sql.countSent.all<{ count: number }>(token, JSON.stringify(kinds), sinceMs)[0]?.count ?? 0
    },
    async readNote(name) {
      return readNote(name)
    },
    async changeNote(name, change, lapsesAtMs) {
      return alone(() => {
        const changed = change(readNote(name))
        if (changed === undefined) sql.removeNote.run(name)
        else sql.writeNote.run(name, JSON.stringify(changed), lapsesAtMs)
        return changed
      })
    },
    async sweep(nowMs) {
      alone(() => sql.sweeps.forEach((sweep) => sweep.run(nowMs)))
    },
    async close() {
      if (!closed) guard(() => db.close())
      closed = true
    },
  }
}

/** The driver aborts the whole process on a boolean, so none gets this far. */
type Value = string | number | Uint8Array | undefined

function openDatabase(path: string): Database.Database {
  // A resolved path cannot be the address of a remote database, which the driver takes too.
  const file = path === ':memory:' ? path : resolve(path)
  try {
    if (file !== ':memory:') createFile(file)
    const db = new Database(file, { timeout: BUSY_TIMEOUT_MS })
    patiently(() => db.exec('PRAGMA journal_mode = WAL'))
    // FULL: what was acknowledged outlives a loss of power, too. Tuned as measured for values of 1.5 kB.
    db.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -32768; PRAGMA mmap_size = 134217728')
    db.transaction(() => {
      const [row] = db.pragma('user_version') as { user_version: number }[]
      const version = row?.user_version ?? 0
      if (version > SCHEMA_VERSION) throw new Error(`it was written by a newer Plimsoll (schema ${version})`)
      if (version === 0) db.exec(SCHEMA)
    }).immediate()
    return db
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The database ${file} cannot be used: ${reason}.`, { cause })
  }
}

/** Several processes that open a new file at once get in each other's way here, and for this SQLite does not wait by itself. */
function patiently(work: () => void): void {
  for (let pausesLeft = BUSY_TIMEOUT_MS / 20; ; pausesLeft -= 1) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') || pausesLeft <= 0)
        throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

/** Readable by its owner alone; the files that SQLite lays beside it take over its mode. */
function createFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  // Not opened where it is there: closing it again would drop the locks that this process holds on it (fcntl(2)).
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}
