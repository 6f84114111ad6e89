/** A SQLite database that reads at once and writes in shared transactions. */
import { Connection, type Statement } from './connection.ts'
import { Writer } from './writer.ts'
import type { WriteOptions } from '../store.ts'

/** All methods throw Problem `store_unavailable`. */
export interface SqliteDatabase {
  prepare: (sql: string) => Statement
  /**
   * Runs `work` with the write lock, so that no other process writes between what it reads and what it writes. Works that are
   * asked for at the same time share one commit, and each takes effect as a whole or not at all. It is pure but for its
   * statements, since it may run twice. Waiting for the lock does not stop this process.
   */
  write: <T>(work: () => T, options?: WriteOptions) => Promise<T>
  /** As that of the connection. */
  generation: () => number
  /** What was read before is outdated: a statement has removed what is not known. */
  forget: () => void
  /** Waits for the writes that were asked for, and closes the file. */
  close: () => Promise<void>
}

/**
 * Opens the database file, and makes it, for its owner alone, where there is none; `:memory:` needs none.
 * @param onCommit is called after each commit of this process, and does not throw
 * @throws Error that names the file, when it is no database, damaged, one of a newer Plimsoll, or out of reach
 */
export function openDatabase(path: string, onCommit?: () => void): SqliteDatabase {
  const connection = new Connection(path)
  const writer = new Writer(connection, onCommit)
  return {
    prepare: (sql) => connection.prepare(sql),
    write: (work, options) => writer.write(work, options),
    generation: () => connection.generation(),
    forget: () => connection.forget(),
    async close() {
      await writer.finish()
      connection.close()
    },
  }
}
