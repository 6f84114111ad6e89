/** The write-ahead log of a SQLite file, brought to the disk while the process does other work. */
import { closeSync, existsSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const sync = promisify(fdatasync)

/**
 * @param path of the database, to which a connection is open
 * @returns `undefined` where it has no log: in memory, and where the file system has no shared memory
 */
export const openLog = (path: string): Log | undefined =>
  existsSync(`${path}-wal`) ? new Log(path) : undefined

export class Log {
  readonly #fd: number
  #running = 0
  #isClosed = false

  constructor(path: string) {
    // No lock is on the log, so that closing it drops none (fcntl(2)).
    this.#fd = openSync(`${path}-wal`, 'r')
    // The log may be a new file, whose name is to be on the disk, too.
    const folder = openSync(dirname(path), 'r')
    fsyncSync(folder)
    closeSync(folder)
  }

  /** Resolves when all that was committed before is on the disk. @throws Error of the system */
  async sync(): Promise<void> {
    if (this.#isClosed) throw new Error('the log of another connection')
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
