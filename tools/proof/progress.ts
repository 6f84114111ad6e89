// The only place that shows the proof's progress: a rewritten line on a terminal, elsewhere one each tenth.

interface Output {
  isTTY?: boolean
  write(text: string): unknown
}

/** @param total journeys */
export function createProgress(total: number, output: Output = process.stdout) {
  const isTerminal = output.isTTY === true
  const counts = { journeys: 0, violations: 0 }
  const line = () => `${counts.journeys}/${total} journeys, ${counts.violations} violations`
  const show = (): void => {
    const tenth = Math.max(1, Math.ceil(total / 10))
    if (isTerminal) output.write(`\r\u001B[K${line()}`)
    else if (counts.journeys % tenth === 0) output.write(`${line()}\n`)
  }
  show()
  return {
    counts,
    /** @param report is printed about a journey with violations */
    finished(violations: number, report: string): void {
      counts.journeys += 1
      counts.violations += violations
      if (report !== '') output.write(`${isTerminal ? '\r\u001B[K' : ''}${report}\n`)
      show()
    },
    end(): void {
      if (isTerminal) output.write('\r\u001B[K')
    },
  }
}
