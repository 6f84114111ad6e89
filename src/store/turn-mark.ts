/** What is known for a moment, so that it need not be looked for again. */

/**
 * A mark that is set until this turn of the event loop has ended. What arrives in a turn was under way before it began, so that
 * what was looked at within the turn is as new as the request that needs it.
 */
export class TurnMark {
  #isSet = false

  get isSet(): boolean {
    return this.#isSet
  }

  set(): void {
    this.#isSet = true
    setImmediate(() => {
      this.#isSet = false
    })
  }
}
