/** Survives errors, repaired damage, and a replaced file. */
import { accessSync, closeSync, constants, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'libsql'
import { Problem } from '../../contract/problem.ts'
import { makeFolder } from '../shared/make-folder.ts'
import { isBusy, isOutdated, retryWhileBusy } from './lock.ts'
import { type Log, openLog } from './log.ts'
import { createTables } from './schema.ts'
import { type EventLoop, IterationFlag } from './iteration-flag.ts'

/** The driver aborts the whole process on a boolean, so none gets this far. */
export type Value = string | number | Uint8Array | undefined

// FULL: acknowledged writes survive a power loss. No mmap_size: truncating a mapped file is a SIGBUS.
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -32768;
`
const IN_MEMORY = ':memory:'
/** Retries of the first opening: 10 s, in which nothing else runs in this process yet. */
const OPENING_PAUSES = 5000
/** Retries of a later opening: 0.1 s. */
const REOPENING_PAUSES = 50
/** The driver closes a file only when its statements are garbage-collected. */
const REOPEN_AFTER_MS = 5000
/** Errors that a new connection may cure. After other errors this connection still works. */
const IS_CURED_BY_OPENING = /^SQLITE_(?:CORRUPT|NOTADB|IOERR|READONLY|CANTOPEN|PROTOCOL)/

export interface Statement {
  /** The rows of a query, or of a change with RETURNING. Changes run only within `write`. */
  all: <Row>(...values: Value[]) => Row[]
  /** Changes rows, only within `write`. @returns how many */
  run: (...values: Value[]) => number
}

export class Connection {
  readonly #path: string
  #db: Database.Database | undefined
  /** By their text. Statements of a closed connection would keep its file open. */
  readonly #statements = new Map<string, Database.Statement>()
  #inode: number | undefined
  #logInode: number | undefined
  #log: Log | undefined
  #generation = 0
  /** The data_version of SQLite: it differs after a commit of another connection. */
  #dataVersion: number | undefined
  #version: Statement | undefined
  readonly #lookedAtVersion: IterationFlag
  readonly #lookedAtFile: IterationFlag
  #changes = 0
  /** The error of the last opening. */
  #failure: Error | undefined
  #reopening: NodeJS.Timeout | undefined
  #isClosed = false

  /** @throws Error that names the file */
  constructor(path: string, loop?: EventLoop) {
    this.#lookedAtVersion = new IterationFlag(loop)
    this.#lookedAtFile = new IterationFlag(loop)
    // The driver also takes addresses of remote databases; a resolved path is never one.
    this.#path = path === IN_MEMORY ? path : resolve(path)
    try {
      if (this.#path !== IN_MEMORY) createFile(this.#path)
      assertUndamaged(this.#open(OPENING_PAUSES))
    } catch (cause) {
      this.#discard()
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`The database ${this.#path} cannot be used: ${reason}.`, { cause })
    }
  }

  /** @throws Problem `store_unavailable` */
  use<T>(work: (db: Database.Database) => T): T {
    try {
      return work(this.#current())
    } catch (error) {
      if (!isBusy(error)) this.#generation += 1
      if (error instanceof Database.SqliteError && IS_CURED_BY_OPENING.test(error.code)) this.#reopenLater()
      throw error instanceof Problem ? error : new Problem('store_unavailable', { cause: error })
    }
  }

  /** @throws Problem `store_unavailable` if the SQL does not fit the tables */
  prepare(sql: string): Statement {
    const statement = (db: Database.Database): Database.Statement => {
      const prepared = this.#statements.get(sql) ?? db.prepare(sql)
      this.#statements.set(sql, prepared)
      return prepared
    }
    this.use(statement)
    const isChange = !/^\s*(?:SELECT|PRAGMA)\b/i.test(sql)
    const execute = <T>(work: (prepared: Database.Statement) => T): T =>
      this.use((db) => {
        const result = work(statement(db))
        if (isChange) this.#changes += 1
        // It may show a later state than that of the last look, and no later read may show an earlier one.
        else if (!db.inTransaction) this.#lookedAtVersion.clear()
        return result
      })
    return {
      // Never `.get()`: a row that is left in a statement prevents checkpoints of the log.
      all: <Row>(...values: Value[]) => execute((prepared) => prepared.all(values) as Row[]),
      run: (...values: Value[]) => execute((prepared) => prepared.run(values).changes),
    }
  }

  /**
   * A number that changes when cached reads may be outdated: another connection has committed, a transaction
   * was rolled back, or the file was opened again. It is checked once in each event-loop iteration, and after
   * each read of the file.
   * @throws Problem `store_unavailable`
   */
  generation(): number {
    if (!this.#lookedAtVersion.isSet) this.look()
    return this.#generation
  }

  /** Number of changing statements that have succeeded. */
  get changes(): number {
    return this.#changes
  }

  /** Checks now whether another connection has committed. @throws Problem `store_unavailable` */
  look(): void {
    this.#version ??= this.prepare('PRAGMA data_version')
    const [{ data_version: dataVersion }] = this.#version.all() as [{ data_version: number }]
    this.#lookedAtVersion.set()
    if (dataVersion === this.#dataVersion) return
    this.#dataVersion = dataVersion
    this.#generation += 1
  }

  /** Marks all cached reads as outdated, for example after a rollback. */
  forget(): void {
    this.#generation += 1
  }

  /** The log of the open file, if it has one. */
  get log(): Log | undefined {
    return this.#log
  }

  /** The file alone then has everything, unless another process is using it: the last one to close does this. */
  close(): void {
    this.#emptyLog()
    this.#discard()
    this.#isClosed = true
  }

  #current(): Database.Database {
    if (this.#isClosed) throw new Error(`${this.#path} is closed`)
    // A transaction must end in the file where it began. Opened again, a database in memory would be empty.
    if (this.#db && (this.#lookedAtFile.isSet || this.#path === IN_MEMORY || this.#db.inTransaction))
      return this.#db
    const inode = inodeOf(this.#path)
    if (inode === undefined) throw new Error(`${this.#path} is gone`)
    if (this.#db && inode !== this.#inode) this.#leave()
    if (this.#failure) throw this.#failure
    this.#db ??= this.#open(REOPENING_PAUSES)
    this.#lookedAtFile.set()
    return this.#db
  }

  #open(pauses: number): Database.Database {
    let db = new Database(this.#path)
    try {
      retryWhileBusy(() => db.exec(PRAGMAS), pauses)
      retryWhileBusy(() => {
        try {
          createTables(db)
        } catch (error) {
          // This connection may keep reading an older state; a new connection reads the current one.
          if (isOutdated(error)) {
            db.close()
            db = new Database(this.#path)
            db.exec(PRAGMAS)
          }
          throw error
        }
      }, pauses)
      this.#log = openLog(this.#path)
    } catch (error) {
      db.close()
      this.#failure = error as Error
      this.#reopenLater()
      throw error
    }
    this.#inode = inodeOf(this.#path)
    this.#logInode = inodeOf(`${this.#path}-wal`)
    this.#db = db
    this.#generation += 1
    return db
  }

  #reopenLater(): void {
    this.#reopening ??= setTimeout(() => this.#discard(), REOPEN_AFTER_MS).unref()
  }

  /** Leaves a replaced file. Its log, if it is still there, must not be applied to the new file. */
  #leave(): void {
    const isLogOurs = this.#logInode !== undefined && inodeOf(`${this.#path}-wal`) === this.#logInode
    if (isLogOurs) {
      // If it fails, the file that was moved away lacks its last changes.
      this.#emptyLog()
      for (const end of ['-wal', '-shm']) rmSync(this.#path + end, { force: true })
    }
    this.#discard()
  }

  #emptyLog(): void {
    try {
      this.#db?.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // What is left in the log stays valid.
    }
  }

  #discard(): void {
    clearTimeout(this.#reopening)
    this.#statements.clear()
    this.#log?.close()
    this.#log = undefined
    this.#db?.close()
    this.#db = undefined
    this.#failure = undefined
    this.#reopening = undefined
  }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

/** The file is readable by its owner only. The files that SQLite creates beside it get the same mode. */
function createFile(file: string): void {
  makeFolder(dirname(file))
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder')
  // Do not open an existing file: closing it would drop the locks of this process on it (fcntl(2)).
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  // SQLite would say no more than "14".
  accessSync(file, constants.R_OK)
}

export function assertUndamaged(db: Database.Database): void {
  const [{ quick_check: result }] = db.pragma('quick_check(1)') as [{ quick_check: string }]
  if (result !== 'ok') throw new Error(`it is damaged (${result}); restore a copy, or move it away`)
}
