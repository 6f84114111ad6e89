/** The store of one machine: a SQLite file that several processes may share. */
import { rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import SQLite from 'libsql'
import { Problem } from '../../contract/problem.ts'
import { createStore } from '../engine/engine.ts'
import type { Database, Value, Writer } from '../engine/database.ts'
import type { Store } from '../store.ts'
import { isBusy, openFile } from './file.ts'

const IN_MEMORY = ':memory:'
/** A write waits this long for the lock of another process. */
const PATIENCE_MS = 3000
const RETRY_MS = 2
/** The driver closes a file only when its statements are garbage-collected, so none is opened more often. */
const REOPEN_AFTER_MS = 5000
/** After other errors the connection still works. */
const IS_CURED_BY_OPENING = /^SQLITE_(?:CORRUPT|NOTADB|IOERR|READONLY|CANTOPEN|PROTOCOL)/

/**
 * Opens or creates the file, readable by its owner only. `:memory:` needs none.
 * @throws Error that names the file if it cannot be opened, is damaged, or is of another version or program
 */
export function openSqlite(path: string): Store {
  // The driver also takes addresses of remote databases; a resolved path is never one.
  const file = path === IN_MEMORY ? path : resolve(path)
  try {
    return createStore(new SqliteDatabase(file))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The database ${file} cannot be used: ${reason}.`, { cause })
  }
}

/** One connection with its statements, by their text. */
class Connection implements Writer {
  readonly #db: SQLite.Database
  readonly #statements = new Map<string, SQLite.Statement>()

  constructor(path: string) {
    this.#db = openFile(path)
  }

  async all<Row>(sql: string, values: readonly Value[] = []): Promise<Row[]> {
    // Never `.get()`: a row that is left in a statement prevents checkpoints of the log.
    return this.#prepare(sql).all(...values.map((value) => value ?? null)) as Row[]
  }

  async run(sql: string, values: readonly Value[] = []): Promise<number> {
    return this.#prepare(sql).run(...values.map((value) => value ?? null)).changes
  }

  /** One transaction at a time writes. */
  async lock(): Promise<void> {}

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** @param patience aborts when it has waited long enough for the lock of another process */
  async transaction<T>(work: (tx: Writer) => Promise<T>, patience: AbortSignal): Promise<T> {
    await this.#begin(patience)
    try {
      const result = await work(this)
      this.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#db.inTransaction) this.exec('ROLLBACK')
      throw error
    }
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  /** Waiting does not block this process. */
  async #begin(patience: AbortSignal): Promise<void> {
    for (;;) {
      try {
        return this.exec('BEGIN IMMEDIATE')
      } catch (error) {
        if (!isBusy(error) || patience.aborted) throw error
        await delay(RETRY_MS)
      }
    }
  }

  #prepare(sql: string): SQLite.Statement {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql.replaceAll('$', '?'))
    this.#statements.set(sql, known)
    return known
  }
}

interface Open {
  connection: Connection
  inode: number | undefined
  logInode: number | undefined
}

/** One connection to the file, opened again if another file is in its place. One work at a time uses it. */
class Slot {
  readonly #path: string
  #last: Promise<unknown> = Promise.resolve()
  #open: Open | undefined
  /** Runs after an error that a new connection may cure. */
  #reopening: NodeJS.Timeout | undefined
  #isDue = false
  #isClosed = false

  constructor(path: string) {
    this.#path = path
    this.#connect()
  }

  /** @throws Problem `store_unavailable`, or what `work` throws by itself */
  run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#use(work))
    this.#last = result.catch(() => {})
    return result
  }

  async close(): Promise<void> {
    await this.#last
    this.#isClosed = true
    clearTimeout(this.#reopening)
    this.#disconnect()
  }

  async #use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await work(this.#current())
    } catch (error) {
      const isOfDriver = error instanceof SQLite.SqliteError
      if (isOfDriver && IS_CURED_BY_OPENING.test(error.code)) this.#reopenLater()
      throw isOfDriver || error instanceof FileError
        ? new Problem('store_unavailable', { cause: error })
        : error
    }
  }

  #current(): Connection {
    if (this.#isClosed) throw new FileError(`${this.#path} is closed`)
    if (this.#path !== IN_MEMORY) {
      const inode = inodeOf(this.#path)
      if (inode === undefined) throw new FileError(`${this.#path} is gone`)
      const isOther = this.#open !== undefined && inode !== this.#open.inode
      if (isOther || this.#isDue) this.#reconnect(isOther)
    }
    if (this.#open === undefined) throw new FileError(`${this.#path} cannot be opened`)
    return this.#open.connection
  }

  #reopenLater(): void {
    this.#reopening ??= setTimeout(() => (this.#isDue = true), REOPEN_AFTER_MS).unref()
  }

  #reconnect(isOther: boolean): void {
    // The log of a file that was moved away must not be applied to the one in its place.
    const isLogOurs = isOther && inodeOf(`${this.#path}-wal`) === this.#open?.logInode
    this.#disconnect()
    clearTimeout(this.#reopening)
    this.#reopening = undefined
    this.#isDue = false
    if (isLogOurs) for (const end of ['-wal', '-shm']) rmSync(this.#path + end, { force: true })
    try {
      this.#connect()
    } catch (cause) {
      this.#reopenLater()
      throw new FileError((cause as Error).message, { cause })
    }
  }

  #connect(): void {
    const connection = new Connection(this.#path)
    this.#open = { connection, inode: inodeOf(this.#path), logInode: inodeOf(`${this.#path}-wal`) }
  }

  /** The file alone then has everything, unless another connection uses its log. */
  #disconnect(): void {
    const connection = this.#open?.connection
    this.#open = undefined
    try {
      connection?.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // What is left in the log stays valid.
    }
    connection?.close()
  }
}

class FileError extends Error {}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly #writer: Slot
  readonly #reader: Slot

  constructor(path: string) {
    this.#writer = new Slot(path)
    // A database in memory has one connection.
    this.#reader = path === IN_MEMORY ? this.#writer : new Slot(path)
  }

  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]> {
    return this.#reader.run((connection) => connection.all<Row>(sql, values))
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    return this.#writer.run((connection) => connection.transaction(work, patience))
  }

  async close(): Promise<void> {
    await this.#reader.close()
    await this.#writer.close()
  }
}
