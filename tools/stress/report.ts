// The results of a suite: its lines, and the expectations that did not hold.

/** The lines in the order of their arrival, each with the name of its suite in front. */
export class Report {
  readonly failures: string[] = []
  readonly name: string
  readonly #write: (line: string) => void
  readonly #startedAtMs = performance.now()

  constructor(name: string, write: (line: string) => void) {
    this.name = name
    this.#write = write
  }

  line(text: string): void {
    this.#write(`${this.name}: ${text}`)
  }

  /** Writes each count beside its expected value: a number, or a bound as `<= 200`. */
  counts(
    what: string,
    counts: Record<string, number>,
    expected: Record<string, number | `<= ${number}`>,
  ): void {
    const parts = Object.entries(counts).map(([name, count]) => {
      const wanted = expected[name]
      if (wanted === undefined || holds(count, wanted)) return `${name} ${count}`
      this.failures.push(`${what}: ${name} is ${count}, expected ${wanted}`)
      return `${name} ${count} (FAILED: expected ${wanted})`
    })
    this.line(`${what}: ${parts.join(', ')}`)
  }

  /** @returns the number of expectations that did not hold */
  end(): number {
    const seconds = ((performance.now() - this.#startedAtMs) / 1000).toFixed(1)
    for (const failure of this.failures) this.line(`FAILED ${failure}`)
    this.line(`${this.failures.length} expectations did not hold, ${seconds} s`)
    return this.failures.length
  }
}

const holds = (count: number, wanted: number | `<= ${number}`): boolean =>
  typeof wanted === 'number' ? count === wanted : count <= Number(wanted.slice(3))
