/** Runs jobs of one name in turn, so that those of this process do not conflict. */
export class Queue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** After the earlier jobs, even if they failed. @returns the job's result */
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
