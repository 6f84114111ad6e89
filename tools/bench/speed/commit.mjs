// The cost of a record on the disk before each request, in three designs.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MEASURED } from './process.mjs'
import { number, rounds, table } from './table.mjs'

const RUN = fileURLToPath(new URL('commit-run.mjs', import.meta.url))
const DESIGNS = {
  alone: 'a commit for each',
  shared: 'a commit for those of the same moment (this app)',
  worker: 'the same in a thread of its own',
}
const CORES = { [MEASURED]: 'one core', '0,1': 'two cores' }

export async function compareCommits(folder, { count, seconds }) {
  const tables = []
  for (const atOnce of [1, 64]) {
    const loads = {}
    for (const [cores, where] of Object.entries(CORES))
      for (const [design, name] of Object.entries(DESIGNS))
        loads[`${name}, ${where}`] = async () => {
          const url = `sqlite:${join(folder, `commit-${design}.db`)}`
          const run = ['-c', cores, process.execPath, RUN, design, url, String(atOnce), String(seconds)]
          return JSON.parse(execFileSync('taskset', run, { encoding: 'utf8' }))
        }
    const rows = Object.entries(await rounds(count, loads)).map(([name, one]) => [
      name,
      number(one.rate),
      number(one.spread, 2),
      number(one.p50Ms, 2),
      number(one.p99Ms, 2),
      number(one.busyUs),
      number(one.cpuUs),
    ])
    const columns = [
      'what',
      'recorded/s',
      'spread',
      'p50 ms',
      'p99 ms',
      'event loop busy, µs each',
      'CPU µs each',
    ]
    tables.push({ atOnce, text: table(columns, rows) })
  }
  return tables
}
