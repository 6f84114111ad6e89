// Two bffs over one SQLite file and one service, whose steps a scheduler chooses.
import { mkdtempSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bff, createBff } from '../../../src/bff/bff.ts'
import { seedFor } from '../../../src/sandbox/state/seed.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../../src/store/store.ts'
import { APP, CONFIG, SECRET } from '../../../test/kit/config.ts'
import { Person as Browser } from '../../../test/kit/person.ts'
import { upstreamOf } from '../../../test/kit/outgoing.ts'
import { withMethods } from '../../../test/kit/store-methods.ts'
import { gatedStore } from './gated-store.ts'
import type { PlantedFault } from './planted-faults.ts'
import type { Scenario } from './scenario.ts'
import { NETWORK, Scheduler } from './scheduler.ts'
import { kindOf, Service } from './service.ts'

const START_MS = Date.UTC(2026, 10, 21, 6, 0, 0)
/** Nothing here is about the disk. */
const IN_MEMORY = '/dev/shm'

export interface Simulation {
  scheduler: Scheduler
  service: Service
  /** Reads what is stored, and waits for no turn. */
  observer: Store
  bffs: readonly Bff[]
  browsers: readonly Browser[]
  /** The leases of refreshes that were taken. */
  leases: { name: string; holder: string; process: number }[]
  /** States that were seen in between and must not be. */
  violations: string[]
  close: () => Promise<void>
}

export function openSimulation(scenario: Scenario, chance: () => number, fault?: PlantedFault): Simulation {
  const folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'plimsoll-'))
  const file = join(folder, 'plimsoll.db')
  const scheduler = new Scheduler(2, START_MS, chance)
  const now = () => scheduler.nowMs
  const seed = seedFor({
    publicUrl: APP,
    clientId: CONFIG.clientId,
    clientSecret: SECRET,
    random: 'an order',
  })
  const service = new Service({ seed, now, choices: { ...scenario.choices, enc: 'form_only' } })
  const observer = openSqlite(file)
  const stores = scheduler.loops.map(() => openSqlite(file))
  const simulation: Omit<Simulation, 'bffs' | 'browsers'> = {
    scheduler,
    service,
    observer,
    leases: [],
    violations: [],
    async close() {
      await Promise.all([observer, ...stores].map((store) => store.close()))
      rmSync(folder, { recursive: true })
    },
  }
  const bffs = stores.map((store, process) => openProcess(simulation, scenario, { process, store, fault }))
  const browsers = bffs.map((bff) => new Browser({ bff, sandbox: service, now }))
  return { ...simulation, bffs, browsers }
}

interface Process {
  process: number
  store: Store
  fault: PlantedFault | undefined
}

function openProcess(
  simulation: Omit<Simulation, 'bffs' | 'browsers'>,
  scenario: Scenario,
  { process, store, fault }: Process,
): Bff {
  const { scheduler } = simulation
  const recorded: string[] = []
  const broken = fault?.(store, scheduler.loops[process]) ?? store
  const watched = withMethods(broken, (tables) => ({
    async addEntry(entry) {
      await tables.addEntry(entry)
      recorded.push(entry.kind)
    },
    async changeNote(name, change, lapsesAtMs) {
      const note = await tables.changeNote(name, change, lapsesAtMs)
      const holder = name.startsWith('refresh ')
        ? (note as RefreshNote | undefined)?.value.lease?.holder
        : undefined
      if (holder !== undefined && simulation.leases.at(-1)?.holder !== holder)
        simulation.leases.push({ name, holder, process })
      return note
    },
  }))
  const gated = gatedStore(watched, scheduler, process)
  return createBff({
    config: CONFIG,
    store: gated,
    upstream: upstreamOf((request) => send(simulation, scenario, { process, recorded }, request)),
    now: () => scheduler.nowMs,
    wait: (ms) => scheduler.wait(process, ms),
    log: () => {},
    sharedForMs: scenario.sharedForMs,
  })
}

/** A request and its answer each take their turn, and the answer also takes time. */
async function send(
  { scheduler, service, observer, leases, violations }: Omit<Simulation, 'bffs' | 'browsers'>,
  { tokenMs, readMs }: Scenario,
  { process, recorded }: { process: number; recorded: string[] },
  request: Request,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  const isToken = pathname === '/oauth2/token'
  const lease = leases.findLast((one) => one.process === process)
  const readNote = async () => {
    const [note] = lease ? await observer.readNotes([lease.name]) : []
    return note as RefreshNote | undefined
  }
  const sent = await scheduler.step(process, `a request to ${pathname} arrives`, 'same', async () => {
    const answer = await service.arrive(process, request)
    const { kind } = service.arrivals.at(-1) ?? { kind: kindOf(pathname) }
    const at = recorded.indexOf(kind)
    if (at === -1) violations.push(`process ${process} sent ${kind} before it was recorded`)
    else recorded.splice(at, 1)
    return { answer, note: isToken ? await readNote() : undefined }
  })
  await scheduler.wait(NETWORK, isToken ? tokenMs : readMs)
  await scheduler.step(process, `an answer of ${pathname} has come`, 'either', async () => {
    // A later holder removes the note when it has the tokens.
    const before = sent.note?.value
    if (before?.lease === undefined || before.lease.holder !== lease?.holder || leases.at(-1) !== lease)
      return
    const now = await readNote()
    if (now === undefined || (now.value.token === before.token && now.value.lease === undefined))
      violations.push(`the lease of process ${process} is gone while its refresh runs`)
  })
  return sent.answer
}

interface RefreshNote {
  value: { token: string; lease?: { holder: string } }
}
