// `npm run bench`: Plimsoll and other servers in one run on two cores; writes docs/speed.md.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compareCommits } from './commit.mjs'
import { compareFromMemory } from './from-memory.mjs'
import { startService } from './nginx.mjs'
import { comparePassedOn, SESSIONS, WARM } from './passed-on.mjs'
import { measureStreams, PROCESSES } from './streams.mjs'
import { number } from './table.mjs'

const ROUNDS = { count: 3, seconds: 2 }
/** Each program, with its Debian package. */
const NEEDED = { wrk: 'wrk', nginx: 'nginx', taskset: 'util-linux', 'redis-server': 'redis-server' }
const LEAST = `"The least that records" is \`node:http\` and undici with the store and the encryption of Plimsoll, and nothing else. It reads
the session of a request, records the request before it sends it, and stores the outcome. The one that "stores the copy"
also stores the answer, encrypted in the session. A paid read of Plimsoll does all of that over the same store, and more.
So it cannot be faster; the difference is the cost of everything else that it does.`
/** Summary of the runs so far. Compare it with the tables before you commit a run. */
const SUMMARY = `Without a request to the service, Plimsoll answers about half as many requests a second as fastify does with the same bytes
from memory. With 64 connections it answers two fifths (SQLite) to three tenths (Redis) as many paid reads a second as
express passes on without a record; on slower machines it was half and two fifths ([why](decisions.md)).`
const SPEED = fileURLToPath(new URL('../../../docs/speed.md', import.meta.url))

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

const sections = []
const report = (title, text) => {
  sections.push(`## ${title}\n\n${text}\n`)
  console.log(`\n${title}\n\n${text}`)
}

const service = await startService(folder)
const passedOn = await comparePassedOn(folder, service, ROUNDS)
for (const { connections, text } of passedOn) {
  const title = `Passed on, ${connections} ${connections === 1 ? 'connection' : 'connections'}`
  report(title, connections === 1 ? text : `${LEAST}\n\n${text}`)
}
for (const { atOnce, text } of await compareCommits(folder, { ...ROUNDS, seconds: 1 }))
  report(`A request is recorded on the disk, ${atOnce} at once`, text)
report('Without a request to the service, 64 connections', await compareFromMemory(folder, service, ROUNDS))
report('Event streams on one process', await measureStreams(folder, service))
await service.stop()

const [{ model }] = cpus()
writeFileSync(
  SPEED,
  `# Speed

Written by \`npm run bench\` on Node ${process.versions.node} and ${cpus().length} cores (${model}). One core runs the server that is measured, the
other runs wrk and the service behind the server, which is nginx. Compare the ratios: the absolute numbers depend on the
machine.

The numbers are medians of ${ROUNDS.count} interleaved rounds of ${ROUNDS.seconds} s each, after a warm-up; for the event streams, medians of ${PROCESSES} processes.
For requests that are passed on, ${number(SESSIONS)} sessions ask in turn, and the warm-up is up to ${number(WARM)} requests for each server. Plimsoll runs as
in production: each request is on the disk before it is sent, sessions are encrypted, and each answer is in the log.

${SUMMARY}

${sections.join('\n')}`,
)
