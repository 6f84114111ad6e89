// Measures how the cost grows with data and processes: prints tables and writes docs/scale-measured.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startService } from '../speed/nginx.mjs'
import { table } from '../speed/table.mjs'
import { ORGANIZATION, PRICES } from './assumptions.mjs'
import { measureBytes } from './bytes.mjs'
import { growthTable } from './growth.mjs'
import { measureLedger, ROWS } from './ledger.mjs'
import { bytesTable, costTable, limitsOf, limitsTable } from './paper.mjs'
import { measureProcesses, processTable } from './processes.mjs'
import { measureSessions, SESSIONS } from './sessions.mjs'
import { folderInMemory } from './stores.mjs'

const docs = (name) => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url))
/** The index of the first size at which a page of the ledger is full and each day of the month has rows. */
const FULL = 1

/** The load of other programs. */
const [loadBefore] = loadavg()
const sections = []
const report = (title, text) => {
  sections.push(`## ${title}\n\n${text}\n`)
  console.log(`\n${title}\n\n${text}`)
}
const assumed = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/** The number of streams on one process, from the table of the other benchmark. */
function streamsOfAProcess() {
  const [, count] =
    /^\| streams [^]*?\n\|[-:| ]+\|\n\| *([\d,]+) /m.exec(readFileSync(docs('speed.md'), 'utf8')) ?? []
  if (count === undefined) throw new Error('docs/speed.md has no table of streams: run npm run bench')
  return Number(count.replace(',', ''))
}

const ENDS = [SESSIONS[0], SESSIONS.at(-1)]
const appTable = (sessions) =>
  table(
    [
      'GET /bff/session, every session in turn',
      ...ENDS.map((size) => `${size.toLocaleString('en')}, requests/s`),
      ...ENDS.map((size) => `${size.toLocaleString('en')}, CPU µs`),
    ],
    Object.entries(sessions).map(([name, { apps }]) => [
      name,
      ...apps.map(({ rate }) => Math.round(rate).toLocaleString('en')),
      ...apps.map(({ cpuUs }) => Math.round(cpuUs)),
    ]),
  )

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-scale-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const inMemory = folderInMemory()
const service = await startService(folder)

const ledger = await measureLedger(inMemory)
for (const [name, rows] of Object.entries(ledger))
  report(
    `A month of one organization by its rows, ${name}`,
    growthTable('milliseconds of one', ROWS, rows, FULL),
  )
const sessions = await measureSessions(inMemory, service)
const rows = Object.entries(sessions).flatMap(([name, { lookUps, sweeps }]) => [
  { name: `${name}: look-up, decrypted and parsed`, times: lookUps },
  { name: `${name}: sweep that finds nothing`, times: sweeps },
])
report('Sessions by how many are stored', growthTable('milliseconds of one', SESSIONS, rows))
report('Sessions through the app', appTable(sessions))
const processes = await measureProcesses(folder, service)
report('Processes', processTable(processes))
await service.stop()

const measuredBytes = await measureBytes(folder)
const bytes = Object.fromEntries(
  Object.entries(measuredBytes).map(([name, one]) => [
    name,
    { ...one, session: sessions[name].bytesOfASession },
  ]),
)
report('Bytes', bytesTable(bytes))
const paid = Object.fromEntries(
  processes.filter(({ count }) => count === 1).map((row) => [row.store, row.paid]),
)
const { engineUs } = processes.find(({ store, count }) => store === 'Redis' && count === 1)
const limits = limitsOf({ bytes, paid, engineUs, streams: streamsOfAProcess() })
report('Calculated: where each limit is', limitsTable(limits))
report(
  'Calculated: what a month costs',
  costTable([1000, 10_000, 100_000, 1_000_000], { bytes, paid, limits }),
)

const [{ model }] = cpus()
writeFileSync(
  docs('scale-measured.md'),
  `# Scale, as measured

Written by \`node tools/bench/scale/main.mjs\`, a part of \`npm run bench\`; [scale.md](scale.md) explains it. Node ${process.versions.node},
\`nproc\` ${availableParallelism()} (${model}), load average ${loadBefore.toFixed(1)} before it began. The stores of the first tables are in memory
(\`/dev/shm\`, Redis without its file), so that no wait for a disk hides growth. The stores of the table of processes are on
the disk (SQLite, Redis with \`appendfsync everysec\`).

The calculated tables assume for an organization: ${assumed(ORGANIZATION)}.
They assume in dollars a month: ${Object.entries(PRICES)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? `(${assumed(value)})` : value}`)
    .join(', ')}.
You can change these assumptions in \`tools/bench/scale/assumptions.mjs\`.

${sections.join('\n')}`,
)
