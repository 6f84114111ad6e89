/** What is known for a moment, so that it need not be looked for again. */
import { performance } from 'node:perf_hooks'

/** Counts the iterations of the event loop; each begins before it takes what has arrived. */
const iteration = () => performance.nodeTiming.uvMetricsInfo.loopCount

/**
 * A mark that is set until all that has arrived in this iteration of the event loop is worked on. That was under way before the
 * iteration began, so what was looked at within it is as new as the request that needs it. Where an iteration is at its end
 * already, what arrives next is of another one.
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
