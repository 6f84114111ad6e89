/** Writes to SQLite in transactions that writers of the same moment share, without stopping the process for a lock or for the disk. */
import { setImmediate as nextIteration, setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../contract/problem.ts'
import { isBusy } from './lock.ts'
import type { Connection } from './connection.ts'
import type { Log } from './log.ts'
import type { WriteOptions } from '../store.ts'

/** How long a write waits for the lock that another process has. */
const PATIENCE_MS = 3000
/** Between two looks at a lock that is taken. */
const RETRY_MS = 2
/** Works that share a commit, so that many of them do not stop the process. */
const MOST_PER_COMMIT = 100

interface Work {
  run: () => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** Aborted when it has waited too long; there from the first time that it finds the lock taken. */
  patience?: AbortSignal
  mayBeLost: boolean
  /** Shares its commit with no other. */
  isAlone: boolean
}

/** A work that has run. */
interface Ended extends Pick<Work, 'mayBeLost' | 'reject'> {
  settle: () => void
}

export class Writer {
  readonly #connection: Connection
  readonly #onCommit: () => void
  #waiting: Work[] = []
  #running: Promise<void> | undefined
  /** Of the connection whose commits do not wait for the disk. */
  #log: Log | undefined

  /** @param onCommit is called after each commit, before those who wait for it go on; it does not throw */
  constructor(connection: Connection, onCommit: () => void = () => {}) {
    this.#connection = connection
    this.#onCommit = onCommit
  }

  /** @throws what `run` throws, or Problem `store_unavailable`; then nothing of it was written */
  write<T>(run: () => T, { mayBeLost = false }: WriteOptions = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as Work['resolve'], reject, mayBeLost, isAlone: false })
      this.#running ??= this.#runAll()
    })
  }

  /** Resolves when no work is waiting. */
  async finish(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async #runAll(): Promise<void> {
    // Others that write in the same iteration share the commit.
    await nextIteration()
    while (this.#waiting.length > 0) {
      const works = this.#waiting.slice(0, this.#waiting[0]?.isAlone ? 1 : MOST_PER_COMMIT)
      if (!this.#begin()) await delay(RETRY_MS)
      else {
        this.#waiting.splice(0, works.length)
        // That of this transaction: after it another file may be open.
        const { log } = this.#connection
        const ended = this.#commit(works)
        const waiting = log === undefined ? [] : ended.filter(({ mayBeLost }) => !mayBeLost)
        for (const one of ended) if (!waiting.includes(one)) one.settle()
        this.#onCommit()
        await (log !== undefined && waiting.length > 0 ? this.#sync(log, waiting) : nextIteration())
      }
    }
    // In the same iteration as the last look: what is asked for next starts again.
    this.#running = undefined
  }

  /** Takes the write lock. @returns whether it has it; those who have waited too long are rejected */
  #begin(): boolean {
    try {
      this.#commitAtOnce()
      // By `exec`: the driver does not reset a prepared statement that finds the lock taken, and no transaction could end.
      this.#exec('BEGIN IMMEDIATE')
      this.#connection.look()
      return true
    } catch (error) {
      const isTaken = error instanceof Problem && isBusy(error.cause)
      if (!isTaken) this.#rollBack()
      this.#waiting = this.#waiting.filter((work) => {
        if (isTaken) work.patience ??= AbortSignal.timeout(PATIENCE_MS)
        if (isTaken && !work.patience?.aborted) return true
        work.reject(error)
        return false
      })
      return false
    }
  }

  /**
   * A work that fails before it has written is rejected, and the others are committed. Where it has written, SQLite has ended the
   * transaction (a full disk, an I/O error), or the commit fails, all of them are taken back, and each work gets a transaction of
   * its own. So it fails only if it fails alone. A savepoint for each work would save that, and cost more than the works.
   * @returns those that were committed
   */
  #commit(works: readonly Work[]): Ended[] {
    try {
      const ended = works.map((work) => this.#runOne(work))
      this.#exec('COMMIT')
      return ended
    } catch (error) {
      this.#rollBack()
      if (works.length === 1) works[0]?.reject(error)
      else this.#waiting.unshift(...works.map((work) => ({ ...work, isAlone: true })))
      return []
    }
  }

  /** @returns what settles its promise, once the transaction is committed. @throws where all of it has to be taken back */
  #runOne({ run, resolve, reject, mayBeLost }: Work): Ended {
    const before = this.#connection.changes
    try {
      const result = run()
      return { mayBeLost, settle: () => resolve(result), reject }
    } catch (error) {
      if (this.#connection.changes !== before || !this.#isInTransaction()) throw error
      return { mayBeLost: true, settle: () => reject(error), reject }
    }
  }

  #isInTransaction(): boolean {
    return this.#connection.use((db) => db.inTransaction)
  }

  /** What must not be lost waits for the log (`#sync`), so that the commit itself need not, in which nothing else runs. */
  #commitAtOnce(): void {
    const { log } = this.#connection
    if (log === undefined || log === this.#log) return
    this.#exec('PRAGMA synchronous = NORMAL')
    this.#log = log
  }

  /**
   * Brings to the disk what was committed, and settles those who wait for it. Who writes meanwhile waits too: together they cost
   * one commit. The log is one sequence, so that a loss of power takes the newest commits alone.
   */
  async #sync(log: Log, waiting: readonly Ended[]): Promise<void> {
    try {
      await log.sync()
      for (const { settle } of waiting) settle()
    } catch (cause) {
      for (const { reject } of waiting) reject(new Problem('store_unavailable', { cause }))
    }
  }

  #exec(sql: string): void {
    this.#connection.use((db) => db.exec(sql))
  }

  #rollBack(): void {
    this.#connection.forget()
    try {
      this.#connection.use((db) => db.inTransaction && db.exec('ROLLBACK'))
    } catch {
      // There is no transaction then.
    }
  }
}
