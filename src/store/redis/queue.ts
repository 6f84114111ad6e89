/** Lets works on the same thing run one after the other, so that those of this process do not make each other begin again. */
export class Queue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** @returns what `work` returns, when those before it have ended, however they did */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name)
    const running = before === undefined ? work() : before.then(work, work)
    this.#last.set(name, running)
    try {
      return await running
    } finally {
      if (this.#last.get(name) === running) this.#last.delete(name)
    }
  }
}
