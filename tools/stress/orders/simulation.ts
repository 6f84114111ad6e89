// Two bffs over one SQLite file and one service, whose steps a schedule chooses.
import { rmSync } from 'node:fs'
import { type Bff, createBff } from '../../../src/bff/bff.ts'
import { seedFor } from '../../../src/sandbox/state/seed.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../../src/store/store.ts'
import { APP, CONFIG, SECRET } from '../../../test/kit/config.ts'
import { Person as Browser } from '../../../test/kit/person.ts'
import { upstreamOf } from '../../../test/kit/outgoing.ts'
import { withMethods } from '../../../test/kit/store-methods.ts'
import { fileIn, memoryFolder } from '../database.ts'
import type { PlantedFault } from './planted-faults.ts'
import { drawOrder, type Scenario } from './scenario.ts'
import { gatedStore, NETWORK, Schedule } from './schedule.ts'
import { openService, type Service } from './service.ts'

const START_MS = Date.UTC(2026, 10, 21, 6, 0, 0)

export interface Simulation {
  scenario: Scenario
  schedule: Schedule
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

export function openSimulation(seed: number, fault?: PlantedFault): Simulation {
  const { scenario, scheduler } = drawOrder(seed)
  const folder = memoryFolder()
  const file = fileIn(folder)
  const schedule = new Schedule(scheduler, START_MS)
  const now = () => schedule.nowMs
  const own = { publicUrl: APP, clientId: CONFIG.clientId, clientSecret: SECRET, random: 'an order' }
  const service = openService({ seed: seedFor(own), now, choices: { ...scenario.choices, enc: 'form_only' } })
  const observer = openSqlite(file)
  const stores = [0, 1].map(() => openSqlite(file))
  const simulation: Omit<Simulation, 'bffs' | 'browsers'> = {
    scenario,
    schedule,
    service,
    observer,
    leases: [],
    violations: [],
    async close() {
      await Promise.all([observer, ...stores].map((store) => store.close()))
      rmSync(folder, { recursive: true })
    },
  }
  const bffs = stores.map((store, process) => openProcess(simulation, { process, store, fault }))
  const browsers = bffs.map((bff) => new Browser({ bff, sandbox: service.sandbox, now }))
  return { ...simulation, bffs, browsers }
}

interface Process {
  process: number
  store: Store
  fault: PlantedFault | undefined
}

function openProcess(
  simulation: Omit<Simulation, 'bffs' | 'browsers'>,
  { process, store, fault }: Process,
): Bff {
  const { schedule, scenario } = simulation
  const recorded: string[] = []
  const broken = fault?.(store, () => schedule.trace.length) ?? store
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
      const last = simulation.leases.at(-1)
      if (holder !== undefined && (last?.holder !== holder || last.name !== name))
        simulation.leases.push({ name, holder, process })
      return note
    },
  }))
  const gated = gatedStore(watched, schedule, process)
  return createBff({
    config: CONFIG,
    store: gated,
    upstream: upstreamOf((request) => send(simulation, { process, recorded }, request)),
    now: () => schedule.nowMs,
    wait: (ms) => schedule.wait(process, ms),
    log: () => {},
    sharedForMs: scenario.sharedForMs,
  })
}

/** A request and its answer each take their turn, and the answer also takes time. */
async function send(
  { schedule, scenario, service, observer, leases, violations }: Omit<Simulation, 'bffs' | 'browsers'>,
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
  const sent = await schedule.step(process, `a request to ${pathname} arrives`, async () => {
    const answer = await service.arrive(process, request)
    const { kind } = service.arrivals.at(-1) ?? {}
    const at = recorded.indexOf(kind ?? '')
    if (at === -1) violations.push(`process ${process} sent ${kind} before it was recorded`)
    else recorded.splice(at, 1)
    return { answer, note: isToken ? await readNote() : undefined }
  })
  await schedule.wait(NETWORK, isToken ? scenario.tokenMs : scenario.readMs)
  await schedule.step(process, `an answer of ${pathname} has come`, async () => {
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
