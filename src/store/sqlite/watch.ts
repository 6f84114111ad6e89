/** Calls watchers at once after a change by this process, at the next poll after one by another. */
import { STORED_CHANGES } from './schema.ts'
import type { Statements } from './statements.ts'
import type { Topic } from '../store.ts'
import { Watchers } from '../shared/watchers.ts'

const LOOK_EVERY_MS = 250

/** Polls the numbered changes while anyone watches. */
export class Watch {
  readonly #watchers = new Watchers(
    () => this.#start(),
    () => this.stop(),
  )
  readonly #sql: Pick<Statements, 'readVersion' | 'changedSince'>
  #looking: NodeJS.Timeout | undefined
  #seen = 0

  constructor(sql: Pick<Statements, 'readVersion' | 'changedSince'>) {
    this.#sql = sql
  }

  /** @returns a function that stops watching */
  add(topics: readonly Topic[], onChange: () => void): () => void {
    return this.#watchers.add(topics, onChange)
  }

  /** Looks for changes now, since this process has written. */
  look(): void {
    if (!this.#watchers.isAny) return
    try {
      const version = readVersion(this.#sql)
      if (version === this.#seen) return
      const isAllStored = version > this.#seen && version - this.#seen <= STORED_CHANGES
      const changed = isAllStored ? this.#sql.changedSince.all<{ topic: string }>(this.#seen) : undefined
      this.#seen = version
      this.#watchers.call(changed?.map(({ topic }) => topic))
    } catch {
      // The next look finds what this one could not read.
    }
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #start(): void {
    try {
      this.#seen = readVersion(this.#sql)
    } catch {
      // Then the first look that succeeds calls all watchers.
      this.#seen = Infinity
    }
    // oxlint-disable-next-line no-restricted-globals -- it reads one row, and sends nothing to the service
    this.#looking = setInterval(() => this.look(), LOOK_EVERY_MS).unref()
  }
}

/** The number of the newest change. */
export function readVersion(sql: Pick<Statements, 'readVersion'>): number {
  const [{ version }] = sql.readVersion.all() as [{ version: number }]
  return version
}
