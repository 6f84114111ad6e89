// `npm run stress -- [suite ...] [--rounds N]`: runs the suites of the table and prints what they counted.
import { parseArgs } from 'node:util'
import * as canary from './canary.ts'
import * as crash from './crash.ts'
import * as gates from './gates.ts'
import * as kills from './kills.ts'
import * as load from './load.ts'
import { buildServer } from './process.ts'
import * as refresh from './refresh.ts'
import { Report } from './report.ts'
import * as store from './store.ts'
import * as stranger from './stranger.ts'
import * as transient from './transient.ts'

export interface Suite {
  /** @param rounds how often; absent: as often as the full run requires */
  run: (report: Report, rounds?: number) => Promise<void>
  /** The rounds of its short form, which is a test (test/stress.test.ts). */
  short: number
}

/** By name, in the order in which they run. */
export const SUITES: Record<string, Suite> = {
  refresh: { run: refresh.run, short: 3 },
  crash: { run: crash.run, short: 8 },
  kills: { run: kills.run, short: 10 },
  gates: { run: gates.run, short: 1 },
  transient: { run: transient.run, short: 3 },
  store: { run: store.run, short: 4 },
  stranger: { run: stranger.run, short: 1000 },
  load: { run: load.run, short: 3 },
  canary: { run: canary.run, short: 1 },
}

/** @returns the exit code: 0 where every expectation held */
export async function stress(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { rounds: { type: 'string' } },
  })
  const unknown = positionals.filter((name) => !Object.hasOwn(SUITES, name))
  if (unknown.length > 0) {
    process.stderr.write(
      `There is no suite ${unknown.join(', ')}; the suites are ${Object.keys(SUITES).join(', ')}.\n`,
    )
    return 2
  }
  // Its exit ends the processes that it has started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  await buildServer()
  let failures = 0
  for (const [name, { run }] of Object.entries(SUITES)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const report = new Report(name, (line) => process.stdout.write(`${line}\n`))
    await run(report, rounds)
    failures += report.end()
  }
  return failures === 0 ? 0 : 1
}
