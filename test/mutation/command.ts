// The command line of `npm run mutate`.
import { parseArgs } from 'node:util'
import { type Part, PARTS } from './parts.ts'

export const USAGE = `npm run mutate -- [part ...] [--concurrency N]
  parts: ${PARTS.map(({ name }) => name).join(', ')} (all of them where none is named)
  --concurrency N  test processes at a time, 2 where not given`

/** What to run; a text to print instead where help was asked for or the command is wrong. */
export function readCommand(args: string[]): string | { parts: Part[]; concurrency: number } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: 'boolean' }, concurrency: { type: 'string', default: '2' } },
    })
    if (values.help) return USAGE
    const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name))
    if (unknown.length > 0) return `No such part: ${unknown.join(', ')}\n${USAGE}`
    if (!/^[1-9]\d?$/.test(values.concurrency))
      return `--concurrency is a whole number from 1 to 99\n${USAGE}`
    const parts = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    return { parts, concurrency: Number(values.concurrency) }
  } catch (error) {
    return `${(error as Error).message}\n${USAGE}`
  }
}
