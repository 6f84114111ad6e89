// What a suite found out: its lines, and which of its expectations did not hold.

/** Lines in the order in which they are found, each with the name of the suite before it. */
export class Report {
  readonly failures: string[] = []
  readonly #name: string
  readonly #write: (line: string) => void
  readonly #startedAtMs = performance.now()

  constructor(name: string, write: (line: string) => void) {
    this.#name = name
    this.#write = write
  }

  line(text: string): void {
    this.#write(`${this.#name}: ${text}`)
  }

  /** Writes each count beside what it has to be: a number, or a bound as `<= 200`. */
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

  /** Writes the last line. @returns how many expectations did not hold */
  end(): number {
    const seconds = ((performance.now() - this.#startedAtMs) / 1000).toFixed(1)
    for (const failure of this.failures) this.line(`FAILED ${failure}`)
    this.line(`${this.failures.length} expectations did not hold, ${seconds} s`)
    return this.failures.length
  }
}

const holds = (count: number, wanted: number | `<= ${number}`): boolean =>
  typeof wanted === 'number' ? count === wanted : count <= Number(wanted.slice(3))
