/** What is known for a moment, so that it need not be looked for again. */

/** A mark that is set until something that Node does later. */
export class EventMark {
  readonly #later: (reset: () => void) => void
  #isSet = false

  /**
   * @param later `nextTick`: until all is done that follows from the present event without waiting for another one, such as a
   *   request that has arrived; `setImmediate`: until the other events of the same turn are worked on, too
   */
  constructor(later: (reset: () => void) => unknown) {
    this.#later = later
  }

  get isSet(): boolean {
    return this.#isSet
  }

  set(): void {
    this.#isSet = true
    this.#later(() => {
      this.#isSet = false
    })
  }
}
