/** The lock of a SQLite file that another connection has. */
import Database from 'libsql'

const PAUSE_MS = 2

/** Whether another connection has the lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Whether what this connection reads is older than what another one has written. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY_SNAPSHOT'

/** Tries again while another connection has the lock, without letting anything else run. @param pauses how often, with 2 ms between */
export function retryWhileBusy(work: () => void, pauses: number): void {
  for (let left = pauses; ; left -= 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || left === 0) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}
