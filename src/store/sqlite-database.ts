/** Opens the SQLite file and runs statements on it. */
import { closeSync, existsSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'libsql'
import { Problem } from '../contract/problem.ts'
import { retryWhileBusy } from './busy.ts'
import { makeFolder } from './make-folder.ts'
import { createTables } from './sqlite-schema.ts'

/** The driver aborts the whole process on a boolean, so none gets this far. */
export type Value = string | number | Uint8Array | undefined

// FULL: what was acknowledged outlives a loss of power, too. Tuned as measured for values of 1.5 kB.
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -32768;
  PRAGMA mmap_size = 134217728;
`

export interface Statement {
  /** The rows of a query. */
  all: <Row>(...values: Value[]) => Row[]
  /** Changes rows. @returns how many */
  run: (...values: Value[]) => number
}

/** All methods throw Problem `store_unavailable`. */
export interface SqliteDatabase {
  prepare: (sql: string) => Statement
  /** Takes the write lock first, so that no other process writes between what is read and what is written. */
  transaction: <T>(work: () => T) => T
  /** The value of one of SQLite's settings. */
  pragma: (name: string) => unknown
  close: () => void
}

/**
 * Opens the database file, and makes it, for its owner alone, where there is none; `:memory:` needs none.
 * @throws Error that names the file, when it is no database, one of a newer Plimsoll, or out of reach
 */
export function openDatabase(path: string): SqliteDatabase {
  const db = connect(path)
  let isClosed = false
  const guard = <T>(work: () => T): T => {
    if (isClosed) throw new Problem('store_unavailable', { cause: new Error(`${path} is closed`) })
    try {
      return patiently(db, work)
    } catch (cause) {
      throw new Problem('store_unavailable', { cause })
    }
  }
  return {
    // Never `.get()`: a row that is left in a statement keeps the file's log from being folded in.
    prepare(sql) {
      const statement = guard(() => db.prepare(sql))
      return {
        all: <Row>(...values: Value[]) => guard(() => statement.all(values) as Row[]),
        run: (...values: Value[]) => guard(() => statement.run(values).changes),
      }
    },
    transaction: (work) => transact(db, guard, work),
    pragma: (name) => guard(() => rowOf(db.pragma(name))),
    close() {
      if (!isClosed) guard(() => db.close())
      isClosed = true
    },
  }
}

function transact<T>(db: Database.Database, guard: (work: () => void) => void, work: () => T): T {
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

function connect(path: string): Database.Database {
  // A resolved path cannot be the address of a remote database, which the driver takes too.
  const file = path === ':memory:' ? path : resolve(path)
  try {
    if (file !== ':memory:') createFile(file)
    const db = new Database(file)
    // While another connection changes the journal, the version cannot be read.
    retryWhileBusy(() => db.exec(PRAGMAS), { ...WAIT, version: () => undefined })
    patiently(db, () => createTables(db))
    return db
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The database ${file} cannot be used: ${reason}.`, { cause })
  }
}

/** Readable by its owner alone; the files that SQLite creates beside it take over its mode. */
function createFile(file: string): void {
  makeFolder(dirname(file))
  // Not opened where it is there: closing it again would drop the locks that this process holds on it (fcntl(2)).
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

const WAIT = {
  isBusy: (error: unknown) => error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'),
  pause: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1),
}

const patiently = <T>(db: Database.Database, work: () => T): T =>
  retryWhileBusy(work, { ...WAIT, version: () => rowOf(db.pragma('data_version')) })

const rowOf = (rows: unknown): unknown => Object.values((rows as object[])[0] ?? {})[0]
