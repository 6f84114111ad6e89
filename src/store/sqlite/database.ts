/** A SQLite database that reads synchronously and writes in shared transactions. */
import { Connection, type Statement } from './connection.ts'
import type { EventLoop } from './iteration-flag.ts'
import { Writer } from './writer.ts'
import type { WriteOptions } from '../store.ts'

/** All methods throw Problem `store_unavailable`. */
export interface SqliteDatabase {
  prepare: (sql: string) => Statement
  /**
   * Runs `work` with the write lock, so that no other process writes between its reads and its writes.
   * Simultaneous calls share one commit; each takes effect as a whole or not at all. `work` may run twice, so
   * its statements are its only effect. Waiting for the lock does not block this process.
   */
  write: <T>(work: () => T, options?: WriteOptions) => Promise<T>
  /** As `Connection.generation`. */
  generation: () => number
  /** Marks all cached reads as outdated, for example after a statement that removes unknown rows. */
  forget: () => void
  /** Waits for pending writes, and closes the file. */
  close: () => Promise<void>
}

/**
 * Opens or creates the file, readable by its owner only. `:memory:` needs none.
 * @param onCommit is called after each commit of this process, and must not throw
 * @throws Error that names the file if it is no database, is damaged or too new, or cannot be opened
 */
export function openDatabase(path: string, onCommit?: () => void, loop?: EventLoop): SqliteDatabase {
  const connection = new Connection(path, loop)
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
