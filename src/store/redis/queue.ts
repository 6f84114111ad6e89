/** Runs jobs of the same name one after the other, so that those of this process do not conflict. */
export class Queue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Starts `work` when the earlier jobs have ended, even if they failed. @returns its result */
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
