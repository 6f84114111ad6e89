/** What is known for a moment, so that it need not be looked for again. */
import { performance } from 'node:perf_hooks'

/** Counts the turns of the event loop; each begins before it takes what has arrived. */
const turn = () => performance.nodeTiming.uvMetricsInfo.loopCount

/**
 * A mark that is set until all that has arrived in this turn of the event loop is worked on. That was under way before the turn
 * began, so what was looked at within it is as new as the request that needs it. Where a turn is at its end already, what
 * arrives next is of another one.
 */
export class TurnMark {
  #setIn: number | undefined

  get isSet(): boolean {
    return this.#setIn === turn()
  }

  set(): void {
    this.#setIn = turn()
    setImmediate(() => {
      this.#setIn = undefined
    })
  }
}
