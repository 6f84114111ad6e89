/** Opens the SQLite file, reads from it, and writes in transactions that writers of the same moment share. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import Database from 'libsql'
import { Problem } from '../contract/problem.ts'
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
/** How long a write waits for the write lock that another process has. */
const PATIENCE_MS = 3000
/** How long opening waits for it: then nothing else runs in this process. */
const OPENING_PATIENCE_MS = 10_000
/** Between two looks at a lock that is taken. */
const RETRY_MS = 2
/** How often it is looked whether the file is still there. */
const LOOK_EVERY_MS = 1000

export interface Statement {
  /** The rows of a query. */
  all: <Row>(...values: Value[]) => Row[]
  /** Changes rows; only within `write`. @returns how many */
  run: (...values: Value[]) => number
}

/** All methods throw Problem `store_unavailable`. */
export interface SqliteDatabase {
  prepare: (sql: string) => Statement
  /**
   * Runs `work` with the write lock, so that no other process writes between what it reads and what it writes. Works that are
   * asked for at the same time share one commit, and each takes effect as a whole or not at all. Waiting for the lock does not
   * stop this process.
   */
  write: <T>(work: () => T) => Promise<T>
  /** The value of one of SQLite's settings. */
  pragma: (name: string) => unknown
  /** Waits for the writes that were asked for, and closes the file. */
  close: () => Promise<void>
}

/**
 * Opens the database file, and makes it, for its owner alone, where there is none; `:memory:` needs none.
 * @throws Error that names the file, when it is no database, damaged, one of a newer Plimsoll, or out of reach
 */
export function openDatabase(path: string): SqliteDatabase {
  const connection = new Connection(path)
  const writer = new Writer(connection)
  return {
    prepare: (sql) => connection.prepare(sql),
    write: (work) => writer.write(work),
    pragma: (name) => connection.use((db) => rowOf(db.pragma(name))),
    async close() {
      await writer.finish()
      connection.close()
    },
  }
}

const unavailable = (cause: unknown): Problem =>
  cause instanceof Problem ? cause : new Problem('store_unavailable', { cause })

/**
 * The connection to the file. It is opened again after a statement has failed, because the driver does not reset such a
 * statement, and no later transaction could end; and when another file has taken the place of the one that was opened.
 */
class Connection {
  readonly #path: string
  #db: Database.Database | undefined
  /** Which file it is, so that another one in its place is noticed. */
  #inode: number | undefined
  #lookedAtMs = 0
  #isClosed = false

  constructor(path: string) {
    // A resolved path cannot be the address of a remote database, which the driver takes too.
    this.#path = path === ':memory:' ? path : resolve(path)
    try {
      if (this.#path !== ':memory:') createFile(this.#path)
      this.#open()
      assertUndamaged(this.use((db) => db))
    } catch (cause) {
      this.#db?.close()
      const reason = cause instanceof Error ? reasonOf(cause) : String(cause)
      throw new Error(`The database ${this.#path} cannot be used: ${reason}.`, { cause })
    }
  }

  /** Works on the open connection. @throws Problem `store_unavailable` */
  use<T>(work: (db: Database.Database) => T): T {
    try {
      if (this.#isClosed) throw new Error(`${this.#path} is closed`)
      this.#look()
      return work(this.#db ?? this.#open())
    } catch (error) {
      if (error instanceof Database.SqliteError) this.discard()
      throw unavailable(error)
    }
  }

  prepare(sql: string): Statement {
    let prepared: { db: Database.Database; statement: Database.Statement } | undefined
    const statementOf = (db: Database.Database): Database.Statement => {
      if (prepared?.db !== db) prepared = { db, statement: db.prepare(sql) }
      return prepared.statement
    }
    this.use(statementOf)
    return {
      // Never `.get()`: a row that is left in a statement keeps the file's log from being folded in.
      all: <Row>(...values: Value[]) => this.use((db) => statementOf(db).all(values) as Row[]),
      run: (...values: Value[]) => this.use((db) => statementOf(db).run(values).changes),
    }
  }

  /** Closes it; what comes next opens it again. A database in memory would be empty then, so it stays. */
  discard(): void {
    if (this.#path === ':memory:') return
    try {
      this.#db?.close()
    } catch {
      // It is not used again, whatever its state.
    }
    this.#db = undefined
  }

  close(): void {
    if (!this.#isClosed) this.#db?.close()
    this.#db = undefined
    this.#isClosed = true
  }

  /** Looks now and then whether the file that is open is the one at the path. */
  #look(): void {
    if (this.#path === ':memory:' || performance.now() - this.#lookedAtMs < LOOK_EVERY_MS) return
    const found = statSync(this.#path, { throwIfNoEntry: false })
    if (found === undefined) throw new Error(`${this.#path} is gone`)
    if (found.ino !== this.#inode) this.discard()
    this.#lookedAtMs = performance.now()
  }

  #open(): Database.Database {
    if (this.#path !== ':memory:') this.#inode = statSync(this.#path).ino
    const db = new Database(this.#path)
    try {
      patiently(() => db.exec(PRAGMAS))
      patiently(() => createTables(db))
    } catch (error) {
      db.close()
      throw error
    }
    this.#db = db
    return db
  }
}

/** Readable by its owner alone; the files that SQLite creates beside it take over its mode. */
function createFile(file: string): void {
  makeFolder(dirname(file))
  // Not opened where it is there: closing it again would drop the locks that this process holds on it (fcntl(2)).
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

function assertUndamaged(db: Database.Database): void {
  const result = rowOf(db.pragma('quick_check(1)'))
  if (result !== 'ok') throw new Error(`it is damaged (${String(result)}); restore a copy, or move it away`)
}

const reasonOf = (error: Error): string =>
  error instanceof Problem && error.cause instanceof Error ? error.cause.message : error.message

const rowOf = (rows: unknown): unknown => Object.values((rows as object[])[0] ?? {})[0]

const isBusy = (error: unknown) =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Tries again while another connection has the lock. At the start, when nothing else runs yet. */
function patiently(work: () => void): void {
  for (const startedAtMs = performance.now(); ; ) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAtMs > OPENING_PATIENCE_MS) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

interface Work {
  run: () => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  askedAtMs: number
}

/** Runs the works that are waiting in one transaction, and the next ones when it has ended. */
class Writer {
  readonly #connection: Connection
  #waiting: Work[] = []
  #running: Promise<void> | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  write<T>(run: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const askedAtMs = performance.now()
      this.#waiting.push({ run, resolve: resolve as Work['resolve'], reject, askedAtMs })
      this.#running ??= this.#runAll()
    })
  }

  finish = async (): Promise<void> => {
    while (this.#running !== undefined) await this.#running
  }

  async #runAll(): Promise<void> {
    // Others that write in the same turn share the commit.
    await nextTurn()
    while (this.#waiting.length > 0) {
      if (this.#begin()) this.#commit(this.#waiting.splice(0))
      else await delay(RETRY_MS)
    }
    // In the same turn as the last look: what is asked for next starts again.
    this.#running = undefined
  }

  /** Takes the write lock. @returns whether it has it; those who have waited too long are rejected */
  #begin(): boolean {
    try {
      // By `exec`: a prepared statement that finds the lock taken could not be reset.
      this.#connection.use((db) => {
        try {
          db.exec('BEGIN IMMEDIATE')
        } catch (error) {
          if (isBusy(error)) throw unavailable(error)
          throw error
        }
      })
      return true
    } catch (error) {
      const isTaken = error instanceof Problem && isBusy(error.cause)
      const isOver = ({ askedAtMs }: Work) => !isTaken || performance.now() - askedAtMs > PATIENCE_MS
      const over = this.#waiting.filter(isOver)
      this.#waiting = this.#waiting.filter((work) => !isOver(work))
      for (const { reject } of over) reject(error)
      return false
    }
  }

  #commit(works: readonly Work[]): void {
    try {
      const settled = works.map((work) => this.#runOne(work))
      this.#exec('COMMIT')
      for (const settle of settled) settle()
    } catch (error) {
      this.#rollBack()
      for (const { reject } of works) reject(error)
    }
  }

  /** @returns what tells its caller, once the transaction is committed. @throws Problem where the database failed */
  #runOne({ run, resolve, reject }: Work): () => void {
    this.#exec('SAVEPOINT work')
    try {
      const result = run()
      this.#exec('RELEASE work')
      return () => resolve(result)
    } catch (error) {
      if (error instanceof Problem && error.code === 'store_unavailable') throw error
      this.#exec('ROLLBACK TO work')
      this.#exec('RELEASE work')
      return () => reject(error)
    }
  }

  #exec(sql: string): void {
    this.#connection.use((db) => db.exec(sql))
  }

  #rollBack(): void {
    try {
      this.#connection.use((db) => db.inTransaction && db.exec('ROLLBACK'))
    } catch {
      // The connection was discarded, and the transaction with it.
    }
  }
}
