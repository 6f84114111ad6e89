// Lets the pending steps of simulated processes go on one at a time, in an order that a seed gives.
import { setImmediate as nextIteration } from 'node:timers/promises'

/** A request or an answer on its way belongs to no process. */
export const NETWORK = -1
/** Nothing more happens by itself after so many iterations of the real event loop. */
const QUIET_ITERATIONS = 6
const MOST_STEPS = 20_000
/** A process that the machine hardly lets run gets this share of the steps. */
const SLOW_SHARE = 0.03

/** The event loop of a simulated process. */
export class SimulatedLoop {
  #iteration = 0
  readonly iteration = (): number => this.#iteration

  next(): void {
    this.#iteration += 1
  }
}

/** In which iteration of its process a step goes on: the present one, the next one, or either. */
type Begins = 'same' | 'next' | 'either'

interface Step {
  process: number
  name: string
  begins: Begins
  /** The iteration in which the process began to wait. A message from outside comes in a later one. */
  askedIn: number
  sinceMs: number
  go: () => Promise<unknown>
}

interface Timer {
  dueMs: number
  step: Step
}

export interface Pace {
  /** A step may wait so long while others go on. */
  stallMs: number
  /** The process of the last step goes on this often: 0 to 1. */
  burst: number
  /** A process that the machine hardly lets run. */
  slow?: number | undefined
  /** While steps can go on, time passes before one of them this often: 0 to 1. */
  timePasses: number
  /** A message from outside begins a new iteration of the event loop this often: 0 to 1. */
  newIteration: number
}

export class Scheduler {
  /** Every step that went on, in order. */
  readonly trace: string[] = []
  readonly loops: readonly SimulatedLoop[]
  /** Called before each step with its number. */
  onStep: (step: number) => Promise<void> = async () => {}
  nowMs: number
  readonly #chance: () => number
  readonly #dead = new Set<number>()
  readonly #frozenUntilMs = new Map<number, number>()
  #steps: Step[] = []
  #timers: Timer[] = []
  #pace: Pace | undefined
  #events = 0
  #last = NETWORK

  constructor(processes: number, startMs: number, chance: () => number) {
    this.loops = Array.from({ length: processes }, () => new SimulatedLoop())
    this.nowMs = startMs
    this.#chance = chance
  }

  /** From now on the order is random; without a pace, steps go on as they came. */
  shuffle(pace: Pace | undefined): void {
    this.#pace = pace
  }

  /** None of its steps goes on any more. */
  kill(process: number): void {
    this.#dead.add(process)
    this.#steps = this.#steps.filter((step) => step.process !== process)
    this.#timers = this.#timers.filter(({ step }) => step.process !== process)
  }

  isDead = (process: number): boolean => this.#dead.has(process)

  /** None of its steps goes on for so long. */
  freeze(process: number, ms: number): void {
    this.#frozenUntilMs.set(process, this.nowMs + ms)
  }

  /** Does `work` when the step is chosen. */
  step<T>(process: number, name: string, begins: Begins, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#dead.has(process)) return
      this.#steps.push(this.#stepOf(process, name, begins, () => work().then(resolve, reject)))
    })
  }

  wait(process: number, ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#dead.has(process)) return
      const step = this.#stepOf(process, `${ms} ms are over`, 'either', async () => resolve())
      this.#timers.push({ dueMs: this.nowMs + ms, step })
    })
  }

  #stepOf(process: number, name: string, begins: Begins, go: Step['go']): Step {
    this.#events += 1
    const askedIn = this.loops[process]?.iteration() ?? 0
    return { process, name, begins, askedIn, sinceMs: this.nowMs, go }
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
      await this.onStep(this.trace.length)
      await this.#goOn()
      await this.#quiet()
    }
    return result
  }

  async #goOn(): Promise<void> {
    const step = this.#take()
    if (step === undefined) throw new Error('nothing can go on')
    this.#last = step.process
    this.#beginIteration(step)
    const at = this.loops[step.process]?.iteration()
    this.trace.push(`${this.nowMs} ms  process ${step.process}, iteration ${at}: ${step.name}`)
    await step.go()
  }

  #beginIteration({ process, begins, askedIn }: Step): void {
    const loop = this.loops[process]
    if (loop === undefined || begins === 'same') return
    const isLater = loop.iteration() > askedIn
    if (begins === 'next' || !isLater || this.#chance() < (this.#pace?.newIteration ?? 1)) loop.next()
  }

  #take(): Step | undefined {
    let ready = this.#ready()
    while (ready.length === 0 || this.#letTimePass(ready)) {
      if (!this.#advance()) return undefined
      ready = this.#ready()
    }
    const step = this.#choose(ready)
    this.#steps = this.#steps.filter((one) => one !== step)
    return step
  }

  #ready(): Step[] {
    return this.#steps.filter(({ process }) => (this.#frozenUntilMs.get(process) ?? 0) <= this.nowMs)
  }

  #letTimePass(ready: readonly Step[]): boolean {
    const nextMs = this.#nextMs()
    if (this.#pace === undefined || nextMs === undefined) return false
    const { stallMs, timePasses } = this.#pace
    if (this.#chance() >= timePasses) return false
    return ready.every(({ sinceMs }) => sinceMs + stallMs >= nextMs)
  }

  #nextMs(): number | undefined {
    const thaws = [...this.#frozenUntilMs.values()].filter((untilMs) => untilMs > this.nowMs)
    const times = [...this.#timers.map(({ dueMs }) => dueMs), ...thaws]
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** Moves time to the next timer. */
  #advance(): boolean {
    const nextMs = this.#nextMs()
    if (nextMs === undefined) return false
    this.nowMs = Math.max(this.nowMs, nextMs)
    const due = this.#timers.filter(({ dueMs }) => dueMs <= this.nowMs)
    this.#timers = this.#timers.filter(({ dueMs }) => dueMs > this.nowMs)
    this.#steps.push(...due.map(({ step, dueMs }) => ({ ...step, sinceMs: dueMs })))
    return true
  }

  #choose(ready: readonly Step[]): Step | undefined {
    if (this.#pace === undefined) return ready[0]
    const { stallMs, burst, slow } = this.#pace
    const late = ready.find(({ sinceMs }) => this.nowMs - sinceMs >= stallMs && stallMs > 0)
    if (late !== undefined) return late
    const fast = ready.filter(({ process }) => process !== slow)
    const able = fast.length > 0 && this.#chance() >= SLOW_SHARE ? fast : ready
    const same = able.filter(({ process }) => process === this.#last)
    const from = same.length > 0 && this.#chance() < burst ? same : able
    return from[Math.floor(this.#chance() * from.length)]
  }

  async #quiet(): Promise<void> {
    let seen = this.#events
    for (let quiet = 0; quiet < QUIET_ITERATIONS; quiet += 1) {
      await nextIteration()
      if (this.#events !== seen) quiet = -1
      seen = this.#events
    }
  }
}
