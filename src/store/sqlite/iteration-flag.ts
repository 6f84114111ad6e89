/** A flag that is valid for the current event-loop iteration. */
import { performance } from 'node:perf_hooks'

/** Rises before the iteration takes what has arrived. */
const iteration = () => performance.nodeTiming.uvMetricsInfo.loopCount

/**
 * The flag stays set until everything that arrived in this event-loop iteration was handled. That was sent before
 * the iteration began, so a check within the iteration is recent enough for it. If the flag is set at the end of an
 * iteration, it does not hold for what arrives next.
 */
export class IterationFlag {
  #setIn: number | undefined

  get isSet(): boolean {
    return this.#setIn === iteration()
  }

  set(): void {
    this.#setIn = iteration()
    setImmediate(() => {
      this.#setIn = undefined
    })
  }
}
