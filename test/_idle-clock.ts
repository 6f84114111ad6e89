/** A clock on which nobody waits: it moves to the next timer as soon as the process has nothing else to do. */
import { setImmediate as nextIteration } from 'node:timers/promises'

/** Iterations of the event loop without work that make the process idle. */
const IDLE_ITERATIONS = 20

interface Timer {
  atMs: number
  resolve: () => void
}

export class IdleClock {
  /** UNIX milliseconds. */
  ms: number
  #timers: Timer[] = []
  #running = 0
  #isMoving = false

  constructor(startMs: number) {
    this.ms = startMs
  }

  /** Resolves when the clock shows that many milliseconds more. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#timers.push({ atMs: this.ms + ms, resolve })
      void this.#move()
    })
  }

  /** Stands still while `work` runs: a database may take as long as it likes. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
    }
  }

  /** Forgets all timers. */
  stop(): void {
    this.#timers = []
  }

  async #move(): Promise<void> {
    if (this.#isMoving) return
    this.#isMoving = true
    while (this.#timers.length > 0) {
      await this.#idle()
      const atMs = Math.min(...this.#timers.map((timer) => timer.atMs))
      if (!Number.isFinite(atMs)) break
      this.ms = Math.max(this.ms, atMs)
      const due = this.#timers.filter((timer) => timer.atMs <= this.ms)
      this.#timers = this.#timers.filter((timer) => timer.atMs > this.ms)
      for (const { resolve } of due) resolve()
    }
    this.#isMoving = false
  }

  async #idle(): Promise<void> {
    for (let iterations = 0; iterations < IDLE_ITERATIONS; iterations += 1) {
      await nextIteration()
      if (this.#running > 0) iterations = -1
    }
  }
}
