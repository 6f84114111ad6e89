/** What is known for as long as one event of the process is worked on. */
import { nextTick } from 'node:process'

/** Set until all is done that follows from the present event without waiting for another one, such as a request that has arrived. */
export class EventMark {
  #isSet = false

  get isSet(): boolean {
    return this.#isSet
  }

  set(): void {
    this.#isSet = true
    nextTick(() => {
      this.#isSet = false
    })
  }
}
