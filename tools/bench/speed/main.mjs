// `npm run bench`: Plimsoll and other servers in one run on two cores; writes tables of docs/speed.md.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareCommits } from './commit.mjs'
import { compareFromMemory } from './from-memory.mjs'
import { startService } from './nginx.mjs'
import { comparePassedOn } from './passed-on.mjs'
import { measureStreams } from './streams.mjs'
import { report } from './table.mjs'

const ROUNDS = { count: 3, seconds: 2 }
/** Each program, with its Debian package. */
const NEEDED = { wrk: 'wrk', nginx: 'nginx', taskset: 'util-linux', 'redis-server': 'redis-server' }

function assertInstalled() {
  const missing = Object.entries(NEEDED).filter(([program]) => {
    try {
      execFileSync('which', [program])
      return false
    } catch {
      return true
    }
  })
  if (missing.length === 0) return
  const packages = missing.map(([, name]) => name).join(' ')
  console.error(`The benchmark needs more Debian packages: apt-get install ${packages}`)
  process.exit(1)
}

assertInstalled()
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const service = await startService(folder)
for (const { connections, text } of await comparePassedOn(folder, service, ROUNDS))
  report(`Passed on, connections: ${connections}`, text, connections === 1 ? undefined : 'passed-on')
for (const { atOnce, text } of await compareCommits(folder, { ...ROUNDS, seconds: 1 }))
  report(`A request is recorded on the disk, ${atOnce} at once`, text)
report('Without a request to the service, 64 connections', await compareFromMemory(folder, service, ROUNDS))
report('Event streams on one process', await measureStreams(folder, service), 'streams')
await service.stop()
console.log(`\nNode ${process.versions.node}, ${cpus().length} cores (${cpus()[0].model})`)
