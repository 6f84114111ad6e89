import { parseArgs } from 'node:util'
import { type Part, PARTS } from './parts.ts'

export const USAGE = `npm run mutate -- [part or file ...] [--concurrency N] [--tests FILE]
  parts: ${PARTS.map(({ name }) => name).join(', ')} (default: all of them), or a file of src in one of them
  --concurrency N  test processes at a time (default: 2)
  --nearest        run only the tests of a mutated file and of the files that import it: faster, but the score may be lower
  --tests FILE     run only this test file (may be repeated): faster, but the score may be lower`

/** A part to run: all of it, or the named files only. */
export interface Run {
  part: Part
  files?: string[]
}

export interface Command {
  runs: Run[]
  concurrency: number
  /** Only the nearest tests have to notice a mutant. */
  nearest: boolean
  /** Test files to run in place of those of the part. */
  tests?: string[]
}

/** @returns the command; or a text to print for help or a wrong command */
export function readCommand(args: string[]): string | Command {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        concurrency: { type: 'string', default: '2' },
        nearest: { type: 'boolean', default: false },
        tests: { type: 'string', multiple: true },
      },
    })
    if (values.help) return USAGE
    const isIn = (part: Part, name: string) => name === part.name || name.startsWith(`${part.folder}/`)
    const unknown = positionals.filter((name) => !PARTS.some((part) => isIn(part, name)))
    if (unknown.length > 0) return `No such part: ${unknown.join(', ')}\n${USAGE}`
    if (!/^[1-9]\d?$/.test(values.concurrency))
      return `--concurrency is a whole number from 1 to 99\n${USAGE}`
    const runs = PARTS.map((part) => ({ part, files: positionals.filter((name) => isIn(part, name)) }))
      .filter(({ files }) => positionals.length === 0 || files.length > 0)
      .map(({ part, files }) =>
        files.length === 0 || files.includes(part.name) ? { part } : { part, files },
      )
    const { tests, nearest } = values
    return {
      runs,
      concurrency: Number(values.concurrency),
      nearest,
      ...(tests === undefined ? {} : { tests }),
    }
  } catch (error) {
    return `${(error as Error).message}\n${USAGE}`
  }
}
