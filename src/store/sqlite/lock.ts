import Database from 'libsql'

const PAUSE_MS = 2

export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** This connection reads an older state than another one has written. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY_SNAPSHOT'

/** Blocks the process. @param pauses retries, 2 ms apart */
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
