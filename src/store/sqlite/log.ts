/** The write-ahead log of a SQLite file, synced to the disk without blocking the process. */
import { closeSync, existsSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const sync = promisify(fdatasync)

/**
 * @param path of a database with an open connection
 * @returns `undefined` if there is no log: in memory, or on a file system without shared memory
 */
export const openLog = (path: string): Log | undefined =>
  existsSync(`${path}-wal`) ? new Log(path) : undefined

export class Log {
  readonly #fd: number
  #running = 0
  #isClosed = false

  constructor(path: string) {
    // Nobody locks the log file, so closing it drops no lock (fcntl(2)).
    this.#fd = openSync(`${path}-wal`, 'r')
    // The log may be a new file, whose name must reach the disk too.
    const folder = openSync(dirname(path), 'r')
    fsyncSync(folder)
    closeSync(folder)
  }

  /** Resolves when all earlier commits are on the disk. @throws Error of the system */
  async sync(): Promise<void> {
    if (this.#isClosed) throw new Error('the connection of this log is closed')
    this.#running += 1
    try {
      await sync(this.#fd)
    } finally {
      this.#running -= 1
      this.#release()
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#release()
  }

  #release(): void {
    if (this.#isClosed && this.#running === 0) closeSync(this.#fd)
  }
}
