// `npm run bench`: Plimsoll beside others in one run, on two cores; prints the tables and writes docs/speed.md.
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
/** Each program, and the package of Debian that has it. */
const NEEDED = { wrk: 'wrk', nginx: 'nginx', taskset: 'util-linux', 'redis-server': 'redis-server' }
const LEAST = `"The least that records" is \`node:http\` and undici with the store and the encryption of this app, and nothing else: the
session of a request is read, the request is recorded before it is sent, and how it ended is stored; the one that "stores the copy" also
stores the answer, encrypted in the session. A paid read of Plimsoll does all that the latter does over the same store, and more: it
cannot be faster, and the difference between the two is the cost of all else that it does.`
/** Of the runs so far: whoever commits a run compares it with the tables. */
const SUMMARY = `What costs no request is answered about half as often as fastify answers the same bytes from memory. With 64 connections a paid read is
answered two fifths (SQLite) to three tenths (Redis) as often as express passes one on without recording it; on slower machines it was half
and two fifths ([why](decisions.md)).`
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
  console.error(`The benchmark lacks programs of Debian: apt-get install ${packages}`)
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

Written by \`npm run bench\`: medians of ${ROUNDS.count} interleaved rounds of ${ROUNDS.seconds} s each, after a start that does not count, of up to
${number(WARM)} requests each where they are passed on, for which ${number(SESSIONS)} sessions ask in turn; of the event streams, medians of ${PROCESSES} processes. Node ${process.versions.node}, ${cpus().length} cores
(${model}): one for what is measured, the other for wrk and for the service behind it, which is nginx. Everything that production has is
on: each request is on the disk before it is sent, sessions are encrypted, each answer has its line in the log. The ratios are what counts.

${SUMMARY}

${sections.join('\n')}`,
)
