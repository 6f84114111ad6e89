/** Simultaneous writes share a transaction, and neither lock nor disk blocks the process. */
import { setImmediate as nextIteration, setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../contract/problem.ts'
import { isBusy } from './lock.ts'
import type { Connection } from './connection.ts'
import type { Log } from './log.ts'
import type { WriteOptions } from '../store.ts'

/** A write waits this long for the lock of another process. */
const PATIENCE_MS = 3000
/** Pause between two tries to take the lock. */
const RETRY_MS = 2
/** Limit of works that share a commit, so that many of them do not block the process. */
const MOST_PER_COMMIT = 100

interface Work {
  run: () => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** Aborts when the work has waited too long; set when it first finds the lock taken. */
  patience?: AbortSignal
  mayBeLost: boolean
  /** Has a commit of its own. */
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
  /** The log of the connection that was set to commit without waiting for the disk. */
  #log: Log | undefined

  /** @param onCommit called after each commit, before its promises resolve; must not throw */
  constructor(connection: Connection, onCommit: () => void = () => {}) {
    this.#connection = connection
    this.#onCommit = onCommit
  }

  /** @throws what `run` throws, or Problem `store_unavailable`; then nothing was written */
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
    // Writes of the same iteration share the commit.
    await nextIteration()
    while (this.#waiting.length > 0) {
      const works = this.#waiting.slice(0, this.#waiting[0]?.isAlone ? 1 : MOST_PER_COMMIT)
      if (!this.#begin()) await delay(RETRY_MS)
      else {
        this.#waiting.splice(0, works.length)
        // Keep the log of this transaction: after it another file may be open.
        const { log } = this.#connection
        const ended = this.#commit(works)
        const waiting = log === undefined ? [] : ended.filter(({ mayBeLost }) => !mayBeLost)
        for (const one of ended) if (!waiting.includes(one)) one.settle()
        this.#onCommit()
        await (log !== undefined && waiting.length > 0 ? this.#sync(log, waiting) : nextIteration())
      }
    }
    // No iteration has passed since the last check, so the next call starts a new run.
    this.#running = undefined
  }

  /** Rejects works that have waited too long. @returns whether it has the lock */
  #begin(): boolean {
    try {
      this.#commitAtOnce()
      // Use `exec`: the driver does not reset a prepared statement that finds the lock taken; then no
      // transaction could end.
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
   * A work that fails before it has written is rejected, and the others are committed. If it has written, if
   * SQLite has ended the transaction (full disk, I/O error), or if the commit fails, all are rolled back and
   * each gets its own transaction. So a work fails only if it fails alone. A savepoint for each would cost
   * more than the works.
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

  /** @returns how to settle its promise after the commit. @throws if the transaction must be rolled back */
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

  /** Lets commits return at once: waiting for the disk blocks the process. `#sync` waits instead. */
  #commitAtOnce(): void {
    const { log } = this.#connection
    if (log === undefined || log === this.#log) return
    this.#exec('PRAGMA synchronous = NORMAL')
    this.#log = log
  }

  /**
   * Syncs the log, then settles the works that wait for it. Writes that arrive meanwhile wait too, and share
   * the next commit. The log is one sequence, so a power loss takes only the newest commits.
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
      // Then there is no transaction.
    }
  }
}
