/** Limits how many attempts of one name run at once. The others wait in order of arrival. */

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

export class AttemptQueue {
  readonly #lines = new Map<string, Line>()
  readonly #atOnce: number
  readonly #longest: number

  /** @param longest the greatest number of attempts that may wait */
  constructor(atOnce: number, longest: number) {
    this.#atOnce = atOnce
    this.#longest = longest
  }

  /** Resolves when an attempt may run, with the function that ends it; `undefined` if too many wait. */
  async enter(name: string): Promise<(() => void) | undefined> {
    const line = this.#lines.get(name) ?? { running: 0, waiting: [] }
    this.#lines.set(name, line)
    if (line.running < this.#atOnce) line.running += 1
    else if (line.waiting.length >= this.#longest) return undefined
    // The attempt that ends hands its place to the next one.
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    return () => this.#leave(name, line)
  }

  #leave(name: string, line: Line): void {
    const next = line.waiting.shift()
    if (next !== undefined) return next()
    line.running -= 1
    if (line.running === 0) this.#lines.delete(name)
  }
}
