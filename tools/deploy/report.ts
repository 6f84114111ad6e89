export class Report {
  commands = 0
  steps = 0
  faults = 0
  readonly #startedAtMs = performance.now()

  write(line: string): void {
    process.stdout.write(`${line}\n`)
  }

  command(text: string): void {
    this.commands += 1
    this.write(`  $ ${text}`)
  }

  /** Runs a step. A failure is counted, and the next step follows. */
  async step(name: string, work: () => Promise<unknown>): Promise<void> {
    this.steps += 1
    const startedAtMs = performance.now()
    try {
      await work()
      this.write(`  ok ${name} (${Math.round(performance.now() - startedAtMs)} ms)`)
    } catch (error) {
      this.fail(`${name}: ${(error as Error).message}`)
    }
  }

  fail(message: string): void {
    this.faults += 1
    this.write(`FAULT ${message}`)
  }

  end(): void {
    const seconds = Math.round((performance.now() - this.#startedAtMs) / 1000)
    this.write(
      `${this.commands} commands of docs/deploy.md run, ${this.steps} steps in the browser, ${this.faults} faults, in ${seconds} s`,
    )
  }
}
