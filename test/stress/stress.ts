// `npm run stress -- [suite ...] [--rounds N] [--store redis]`: runs the suites of the table and prints what they counted.
import { parseArgs } from 'node:util'
import * as canary from './canary.ts'
import * as crash from './crash.ts'
import * as gates from './gates.ts'
import * as kills from './kills.ts'
import * as load from './load.ts'
import * as outages from './outages.ts'
import { endStore, type StoreKind, STORES, useStore } from './database.ts'
import * as powerLoss from './power-loss.ts'
import { buildServer } from './process.ts'
import * as refresh from './refresh.ts'
import { Report } from './report.ts'
import * as store from './store.ts'
import * as stranger from './stranger.ts'
import * as transient from './transient.ts'

export interface Suite {
  /** @param rounds how often; absent: as often as the full run requires */
  run: (report: Report, rounds?: number) => Promise<void>
  /** The rounds of its short form over SQLite, which is a test (test/stress.test.ts); absent: there is none. */
  short?: number
  /** It runs over SQLite, too, and has no short form there. */
  overSqlite?: true
  /** Its short form mostly waits, and runs beside the others that do. */
  waits?: true
  /** Absent: what it does to the database can be done to an SQLite file only. */
  overRedis?: {
    /** The rounds of its short form there; absent: there is none. */
    short?: number
  }
}

/** By name, in the order in which they run. */
export const SUITES: Record<string, Suite> = {
  refresh: { run: refresh.run, short: 3, overRedis: {} },
  kills: { run: kills.run, short: 5, overRedis: {} },
  gates: { run: gates.run, short: 1, overRedis: { short: 1 } },
  crash: { run: crash.run, short: 8, waits: true, overRedis: {} },
  transient: { run: transient.run, short: 3, waits: true, overRedis: {} },
  store: { run: store.run, short: 4 },
  stranger: { run: stranger.run, short: 1000 },
  load: { run: load.run, short: 3, overRedis: {} },
  outages: { run: outages.run, overRedis: { short: 1 } },
  'power-loss': { run: powerLoss.run, overSqlite: true, overRedis: {} },
  canary: { run: canary.run, short: 1 },
}

/** The suites that run over a store. */
export const suitesOver = (kind: StoreKind): [string, Suite][] =>
  Object.entries(SUITES).filter(
    ([, { short, overSqlite, overRedis }]) =>
      (kind === 'sqlite' ? (short ?? overSqlite) : overRedis) !== undefined,
  )

/** The rounds of the short form; absent: it has none. */
export const shortOver = (kind: StoreKind, { short, overRedis }: Suite): number | undefined =>
  kind === 'sqlite' ? short : overRedis?.short

/** @returns the exit code: 0 where every expectation held */
export async function stress(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { rounds: { type: 'string' }, store: { type: 'string', default: 'sqlite' } },
  })
  const kind = STORES.find((name) => name === values.store)
  if (kind === undefined)
    return refuse(`There is no store ${values.store}; the stores are ${STORES.join(', ')}.`)
  const names = suitesOver(kind).map(([name]) => name)
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    return refuse(`There is no suite ${unknown.join(', ')} over ${kind}; the suites are ${names.join(', ')}.`)
  useStore(kind)
  // Its exit ends the processes that it has started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  await buildServer()
  let failures = 0
  for (const [name, { run }] of suitesOver(kind)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const report = new Report(`${name} over ${kind}`, (line) => process.stdout.write(`${line}\n`))
    await run(report, rounds)
    failures += report.end()
  }
  await endStore()
  return failures === 0 ? 0 : 1
}

function refuse(line: string): number {
  process.stderr.write(`${line}\n`)
  return 2
}
