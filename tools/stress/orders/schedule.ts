// The steps of two simulated processes go on one at a time. fast-check's scheduler chooses the next one.
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Scheduler } from 'fast-check'
import type { Store } from '../../../src/store/store.ts'

/** A request or an answer on its way belongs to no process. */
export const NETWORK = -1
/** Nothing more happens by itself after so many iterations of the event loop. */
const QUIET_ITERATIONS = 6
const MOST_STEPS = 20_000

export class Schedule {
  /** Every step that went on, in order. */
  readonly trace: string[] = []
  /** Called before each step with its number. */
  onStep: (step: number) => Promise<void> = async () => {}
  nowMs: number
  /** A step may wait so long while others go on; 0: no time passes while one can go on. */
  stallMs = 0
  readonly #scheduler: Scheduler
  readonly #dead = new Set<number>()
  readonly #frozenUntilMs = new Map<number, number>()
  readonly #waiting = new Set<{ process: number; sinceMs: number }>()
  #timers: { dueMs: number; ring: () => void }[] = []
  #isPassing = false
  #events = 0
  #running = 0

  constructor(scheduler: Scheduler, startMs: number) {
    this.#scheduler = scheduler
    this.nowMs = startMs
  }

  /** None of its steps goes on any more. */
  kill = (process: number): void => void this.#dead.add(process)
  isDead = (process: number): boolean => this.#dead.has(process)

  /** None of its steps goes on for so long. */
  freeze = (process: number, ms: number): void => void this.#frozenUntilMs.set(process, this.nowMs + ms)

  /** Does `work` when it is this step's turn. */
  async step<T>(process: number, name: string, work: () => Promise<T>): Promise<T> {
    const waiting = { process, sinceMs: this.nowMs }
    this.#waiting.add(waiting)
    await this.#turn(name)
    for (; this.#isFrozen(process); await this.#turn(name)) await this.#ring(this.#thawsAtMs(process))
    this.#waiting.delete(waiting)
    if (this.#dead.has(process)) return new Promise(() => {})
    this.trace.push(`${this.nowMs} ms  process ${process}: ${name}`)
    this.#running += 1
    return work().finally(() => (this.#running -= 1))
  }

  async wait(process: number, ms: number): Promise<void> {
    await this.#ring(this.nowMs + ms)
    return this.step(process, `${ms} ms are over`, async () => {})
  }

  #turn(name: string): Promise<void> {
    this.#events += 1
    return this.#scheduler.schedule(Promise.resolve(), name)
  }

  #ring = (dueMs: number): Promise<void> =>
    new Promise((ring) => {
      this.#timers.push({ dueMs, ring })
      void this.#letTimePass()
    })

  #thawsAtMs = (process: number): number => this.#frozenUntilMs.get(process) ?? 0
  #isFrozen = (process: number): boolean => this.#thawsAtMs(process) > this.nowMs
  #canGoOn = (process: number): boolean => !this.#dead.has(process) && !this.#isFrozen(process)

  /** Time is a step, too, and moves to the next timer unless a step would wait for too long. */
  async #letTimePass(): Promise<void> {
    if (this.#isPassing) return
    this.#isPassing = true
    while (this.#timers.length > 0) {
      await this.#turn('time passes')
      const nextMs = Math.min(...this.#timers.map(({ dueMs }) => dueMs))
      const isLate = ({ process, sinceMs }: { process: number; sinceMs: number }) =>
        this.#canGoOn(process) && sinceMs + this.stallMs < nextMs
      if ([...this.#waiting].some(isLate)) continue
      this.nowMs = Math.max(this.nowMs, nextMs)
      const due = this.#timers.filter(({ dueMs }) => dueMs <= this.nowMs)
      this.#timers = this.#timers.filter(({ dueMs }) => dueMs > this.nowMs)
      for (const { ring } of due) ring()
    }
    this.#isPassing = false
  }

  /** Lets steps go on until `work` has ended. @throws Error if it never does */
  async until<T>(work: Promise<T>): Promise<T> {
    const state = { isOver: false }
    const result = work.finally(() => {
      state.isOver = true
      this.#events += 1
    })
    result.catch(() => {})
    await this.#quiet()
    while (!state.isOver) {
      if (this.trace.length > MOST_STEPS) throw new Error(`no end after ${MOST_STEPS} steps`)
      if (this.#scheduler.count() === 0) throw new Error('nothing can go on')
      await this.onStep(this.trace.length)
      await this.#scheduler.waitNext(1)
      await this.#quiet()
    }
    return result
  }

  async #quiet(): Promise<void> {
    let seen = this.#events
    for (let quiet = 0; quiet < QUIET_ITERATIONS; quiet += 1) {
      await nextIteration()
      if (this.#events !== seen || this.#running > 0) quiet = -1
      seen = this.#events
    }
  }
}

const IS_READ = /^(?:read|list|count)/
/** The first words of the name of a note, without the id. */
const KIND = /^[a-z ]+(?= )/
/** These calls wait for no turn. */
const UNGATED = ['watch', 'close', 'sweep']
type Call = (...values: unknown[]) => Promise<unknown>

/**
 * The store of a process, each call of which waits for its turn. A read takes one step. A write, and a
 * transaction as a whole, takes two, since its result arrives later than it takes effect.
 */
export function gatedStore(store: Store, schedule: Schedule, process: number): Store {
  const gate =
    (name: string, call: Call): Call =>
    async (...values) => {
      const label = [name, ...(KIND.exec(String(values[0])) ?? [])].join(' ')
      if (IS_READ.test(name)) return schedule.step(process, label, () => call(...values))
      const [ended] = await schedule.step(process, label, () => Promise.allSettled([call(...values)]))
      await schedule.step(process, `${label} has ended`, async () => {})
      if (ended.status === 'rejected') throw ended.reason
      return ended.value
    }
  const methods = Object.entries(store).map(([name, call]) => [
    name,
    UNGATED.includes(name) ? call : gate(name, call as Call),
  ])
  return Object.fromEntries(methods) as Store
}
