// Measures how the cost grows with data and processes: prints tables and writes two of docs/speed.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../speed/nginx.mjs'
import { STREAMS } from '../speed/streams.mjs'
import { report, table } from '../speed/table.mjs'
import { measureBytes } from './bytes.mjs'
import { growthTable } from './growth.mjs'
import { measureLedger, ROWS } from './ledger.mjs'
import { bytesTable, costTable, limitsOf, limitsTable } from './paper.mjs'
import { measureProcesses, processTable } from './processes.mjs'
import { measureSessions, SESSIONS } from './sessions.mjs'
import { folderInMemory } from './stores.mjs'

/** The index of the first size at which a page of the ledger is full and each day of the month has rows. */
const FULL = 1

console.log(`Load of other programs: ${loadavg()[0].toFixed(1)}`)
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
const limits = limitsOf({ bytes, paid, engineUs, streams: STREAMS })
report('Calculated: where each limit is', limitsTable(limits), 'limits')
report(
  'Calculated: what a month costs',
  costTable([1000, 10_000, 100_000, 1_000_000], { bytes, paid, limits }),
  'costs',
)
