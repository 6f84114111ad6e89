// Prints how long a test run will take, what the machine lacks, which part runs, and how long each took.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'
import { IS_WHOLE } from './_extent.ts'
import { missing } from './_missing.ts'
import { type Part, partOf, PARTS } from './_projects.ts'

const FILE = `node_modules/.cache/plimsoll-${IS_WHOLE ? 'whole' : 'tests'}.json`

interface Duration {
  files: number
  seconds: number
}
/** Measured on two slow cores. */
const USUAL: Record<Part, Duration> = {
  'unit tests': { files: 174, seconds: 100 },
  'processes and stores': IS_WHOLE ? { files: 85, seconds: 1700 } : { files: 44, seconds: 115 },
  browsers: IS_WHOLE ? { files: 60, seconds: 3700 } : { files: 29, seconds: 260 },
}

export default class Progress implements Reporter {
  /** The parts of this run, in their order. */
  #parts: { part: Part; files: number; expectedSeconds: number }[] = []
  #last: Partial<Record<Part, Duration>> = {}
  readonly #took: Partial<Record<Part, Duration>> = {}
  #current: { part: Part; files: number; startedAtMs: number } | undefined

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#last = readLast()
    const names = specifications.map(({ project }) => partOf(project.name))
    this.#parts = PARTS.map((part) => {
      const files = names.filter((name) => name === part).length
      const known = this.#last[part] ?? USUAL[part]
      return { part, files, expectedSeconds: Math.ceil((known.seconds * files) / known.files) }
    }).filter(({ files }) => files > 0)
    const seconds = this.#parts.reduce((sum, { expectedSeconds }) => sum + expectedSeconds, 0)
    for (const line of missing()) console.log(line)
    console.log(`This takes about ${words(seconds)}.`)
  }

  onTestModuleStart({ project }: TestModule): void {
    const at = this.#parts.findIndex(({ part }) => part === partOf(project.name))
    const next = this.#parts[at]
    if (next === undefined || next.part === this.#current?.part) return
    this.#endPart()
    const { part, files, expectedSeconds } = next
    this.#current = { part, files, startedAtMs: performance.now() }
    console.log(
      `Part ${at + 1} of ${this.#parts.length}: ${part}, ${files} files, about ${words(expectedSeconds)}`,
    )
  }

  onTestRunEnd(): void {
    this.#endPart()
    const took = Object.entries(this.#took).map(([part, { seconds }]) => `${part} ${words(seconds)}`)
    console.log(took.join(', '))
    for (const line of missing()) console.log(line)
    const longer = Object.entries(this.#took).filter(
      ([part, { files }]) => files >= (this.#last[part as Part]?.files ?? 0),
    )
    mkdirSync(dirname(FILE), { recursive: true })
    writeFileSync(FILE, JSON.stringify({ ...this.#last, ...Object.fromEntries(longer) }))
  }

  #endPart(): void {
    if (this.#current === undefined) return
    const { part, files, startedAtMs } = this.#current
    this.#took[part] = { files, seconds: Math.ceil((performance.now() - startedAtMs) / 1000) }
    this.#current = undefined
  }
}

/** Empty if no run has ended here before. */
function readLast(): Partial<Record<Part, Duration>> {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'))
  } catch {
    return {}
  }
}

const words = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
