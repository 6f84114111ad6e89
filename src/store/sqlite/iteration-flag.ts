/** A flag that is valid for the current event-loop iteration. */
import { performance } from 'node:perf_hooks'

/** The event loop of a process. The simulated processes of a test have one each. */
export interface EventLoop {
  /** The number of the iteration. It rises before the iteration takes what has arrived. */
  iteration: () => number
  /** Calls `work` when everything that arrived in this iteration was handled. */
  atEnd: (work: () => void) => void
}

export const EVENT_LOOP: EventLoop = {
  iteration: () => performance.nodeTiming.uvMetricsInfo.loopCount,
  atEnd: (work) => void setImmediate(work),
}

/**
 * The flag stays set until all messages that arrived in this event-loop iteration were handled. They were
 * sent before the iteration began, so a check within the iteration is recent enough for them. If the flag is
 * set at the end of an iteration, it does not hold for the next messages.
 */
export class IterationFlag {
  readonly #loop: EventLoop
  #setIn: number | undefined

  constructor(loop: EventLoop = EVENT_LOOP) {
    this.#loop = loop
  }

  get isSet(): boolean {
    return this.#setIn === this.#loop.iteration()
  }

  set(): void {
    this.#setIn = this.#loop.iteration()
    this.#loop.atEnd(() => this.clear())
  }

  clear(): void {
    this.#setIn = undefined
  }
}
