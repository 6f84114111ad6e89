/** Opens a SQLite file: readable by its owner only, undamaged, with the tables of this version. */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'libsql'
import { SCHEMA_VERSION, schemaOf } from '../engine/schema.ts'

// FULL: acknowledged writes survive a power loss. No mmap_size: truncating a mapped file is a SIGBUS.
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -32768;
`
/** "Plm2": a file of version 1 has none. */
const APPLICATION_ID = 0x506c6d32
/** 10 s, in which nothing else runs in this process yet. */
const OPENING_TRIES = 5000
const PAUSE_MS = 2

export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** @throws Error in plain words */
export function openFile(path: string): Database.Database {
  if (path !== ':memory:') createFile(path)
  return whileBusy(() => {
    const db = new Database(path)
    try {
      // A file that is refused stays as it is.
      hasTables(db)
      db.exec(PRAGMAS)
      createTables(db)
      assertUndamaged(db)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/** Examines the file without changing it. @throws Error in plain words if it cannot be used */
export function assertUsable(path: string): void {
  const db = new Database(path)
  try {
    db.exec('PRAGMA query_only = ON')
    hasTables(db)
    assertUndamaged(db)
  } finally {
    db.close()
  }
}

/** Blocks the process. */
function whileBusy<T>(work: () => T): T {
  for (let tries = OPENING_TRIES; ; tries -= 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || tries === 1) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}

function createTables(db: Database.Database): void {
  // Do not take the write lock if there is nothing to write: another process may hold it.
  if (hasTables(db)) return
  db.exec('BEGIN IMMEDIATE')
  try {
    if (!hasTables(db)) {
      db.exec(schemaOf('sqlite'))
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`)
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** @throws Error for a file of another version or program */
function hasTables(db: Database.Database): boolean {
  const numberOf = (name: string) => (db.pragma(name) as [Record<string, number>])[0][name] ?? 0
  const version = numberOf('user_version')
  if (version === 0) return false
  const isOfPlimsoll2 = numberOf('application_id') === APPLICATION_ID
  if (isOfPlimsoll2 && version > SCHEMA_VERSION)
    throw new Error(`it was written by a newer Plimsoll (schema ${version})`)
  if (!isOfPlimsoll2 || version < SCHEMA_VERSION)
    throw new Error(
      `it was written by ${isOfPlimsoll2 ? 'an unfinished Plimsoll 2' : 'Plimsoll 1'}. Move it away; ` +
        'people sign in again and enter what their plan page says',
    )
  return true
}

function assertUndamaged(db: Database.Database): void {
  const [{ quick_check: result }] = db.pragma('quick_check(1)') as [{ quick_check: string }]
  if (result !== 'ok') throw new Error(`it is damaged (${result}); restore a copy, or move it away`)
}

/** The files that SQLite creates beside it get the same mode. */
export function createFile(file: string): void {
  makeFolder(dirname(file))
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder')
  // Do not open an existing file: closing it would drop the locks of this process on it (fcntl(2)).
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  // SQLite would say no more than "14".
  accessSync(file, constants.R_OK)
}

/** `mkdirSync(folder, { recursive: true })` never returns below /proc on Linux. @throws the error of mkdir */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Locks an empty database, which the system releases with its process. @throws Error that {@link isBusy} */
export function takeLock(path: string): () => void {
  const db = new Database(path, { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    throw error
  }
  return () => void db.close()
}
