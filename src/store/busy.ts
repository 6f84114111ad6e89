/** Waits for the write lock of SQLite, of which only one connection has it at a time. */

/** How long it waits while no other connection commits, in pauses of one millisecond: this process does nothing else meanwhile. */
export const STUCK_AFTER_PAUSES = 2000
/** How long it waits at most while others commit, and so do give way. */
export const STARVED_AFTER_PAUSES = 10_000

export interface Lock {
  /** Whether an error means that another connection has the lock. */
  isBusy: (error: unknown) => boolean
  /** A number that changes whenever another connection has committed. */
  version: () => unknown
  /** Passes a millisecond. */
  pause: () => void
}

/**
 * Tries again until the lock is free. SQLite's own busy timeout pauses for up to 100 ms between attempts, so that under load one
 * writer finds the lock taken each time; short pauses give every writer its turn.
 * @throws what `work` throws: at once where it is not busy, else after 2 s without a commit of others, or 10 s in all
 */
export function retryWhileBusy<T>(work: () => T, { isBusy, version, pause }: Lock): T {
  let seen: unknown
  for (let [idle, all] = [0, 0]; ; idle += 1, all += 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || idle >= STUCK_AFTER_PAUSES || all >= STARVED_AFTER_PAUSES) throw error
      const current = version()
      if (current !== seen) idle = 0
      seen = current
      pause()
    }
  }
}
