// `npm run stress -- [suite ...] [--rounds N] [--store postgres]` runs suites of the table and prints counts.
import { parseArgs } from 'node:util'
import * as crash from './crash.ts'
import { endStore, type StoreKind, STORES, useStore } from './database.ts'
import * as gates from './gates.ts'
import { buildFaulty } from './harness.ts'
import * as kills from './kills.ts'
import * as orders from './orders.ts'
import * as outages from './outages.ts'
import * as powerLoss from './power-loss.ts'
import * as pressure from './pressure.ts'
import * as refresh from './refresh.ts'
import { Report } from './report.ts'

interface Suite {
  /**
   * @param rounds absent means as many as the full run requires
   * @param seed of the only round, in suites that have seeds
   */
  run: (report: Report, rounds?: number, seed?: number) => Promise<void>
  over: readonly StoreKind[]
  /** The rounds of its short form, a test of test/stress.test.ts; absent means there is none. */
  short?: number
}

/** The suites by name, in the order in which they run. */
export const SUITES: Record<string, Suite> = {
  orders: { run: orders.run, over: ['sqlite'] },
  refresh: { run: refresh.run, over: STORES, short: 3 },
  kills: { run: kills.run, over: STORES, short: 3 },
  gates: { run: gates.run, over: STORES, short: 1 },
  crash: { run: crash.run, over: STORES, short: 5 },
  transient: { run: pressure.transient, over: STORES, short: 2 },
  machine: { run: pressure.machine, over: STORES, short: 1 },
  outages: { run: outages.run, over: ['postgres'], short: 1 },
  'power-loss': { run: powerLoss.run, over: ['sqlite'] },
}

export const suitesOver = (kind: StoreKind): [string, Suite][] =>
  Object.entries(SUITES).filter(([, { over }]) => over.includes(kind))

const USAGE = `npm run stress -- [suite ...] [--rounds N] [--seed N] [--store ${STORES.join('|')}]
  suite     ${Object.keys(SUITES).join(', ')}; absent: all
  --rounds  how often each suite runs, in place of as often as a full run requires
  --seed    of orders, plays the order of this seed alone, and prints its steps
`

/** @throws Error in one sentence for an unknown suite, store or flag */
export function readCommand(args: string[]) {
  const text = { type: 'string' } as const
  const options = { rounds: text, seed: text, store: text }
  const { positionals: suites, values } = parseArgs({ args, allowPositionals: true, options })
  const { store = 'sqlite', rounds, seed } = values
  const kind = STORES.find((name) => name === store)
  if (kind === undefined) throw new Error(`There is no store ${store}; the stores are ${STORES.join(', ')}.`)
  const names = suitesOver(kind).map(([name]) => name)
  const unknown = suites.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new Error(
      `There is no suite ${unknown.join(', ')} over ${kind}; the suites are ${names.join(', ')}.`,
    )
  const numberOf = (flag: string, value?: string) => {
    if (value !== undefined && !/^[1-9]\d{0,5}$/.test(value))
      throw new Error(`${flag} is a whole number above 0.`)
    return value === undefined ? undefined : Number(value)
  }
  return { kind, suites, rounds: numberOf('--rounds', rounds), seed: numberOf('--seed', seed) }
}

/** @returns the exit code: 0 if every expectation held */
export async function stress(args: string[]): Promise<number> {
  let command: ReturnType<typeof readCommand>
  try {
    command = readCommand(args)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}`)
    return 2
  }
  const { kind, suites, rounds, seed } = command
  useStore(kind)
  // The exit ends the processes that it has started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  await buildFaulty()
  let failures = 0
  for (const [name, { run }] of suitesOver(kind)) {
    if (suites.length > 0 && !suites.includes(name)) continue
    const report = new Report(`${name} over ${kind}`, (line) => process.stdout.write(`${line}\n`))
    await run(report, rounds, seed)
    failures += report.end()
  }
  await endStore()
  return failures === 0 ? 0 : 1
}
