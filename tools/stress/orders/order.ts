// Plays the order of a seed: several reads in two processes when a token ends.
import { BUSINESS } from '../../../test/kit/config.ts'
import { judge, type Answered } from './invariants.ts'
import type { PlantedFault } from './planted-faults.ts'
import { FROZEN_MS, type Reader, type Scenario } from './scenario.ts'
import { NETWORK } from './schedule.ts'
import { openSimulation, type Simulation } from './simulation.ts'

const HOUR_MS = 3_600_000
/** Within the margin before the expiry, so that the next read replaces the token. */
const EXPIRING_MS = 29_000
const MOST_PRESSES = 8

export interface Ended {
  seed: number
  scenario: Scenario
  steps: number
  violations: string[]
  trace: readonly string[]
}

export async function playOrder(seed: number, fault?: PlantedFault): Promise<Ended> {
  const simulation = openSimulation(seed, fault)
  const { scenario, schedule, violations } = simulation
  try {
    await play(simulation, scenario)
  } catch (error) {
    violations.push(`the order did not end: ${String(error)}`)
  }
  await simulation.close()
  return { seed, scenario, steps: schedule.trace.length, violations, trace: schedule.trace }
}

async function play(simulation: Simulation, scenario: Scenario): Promise<void> {
  const { schedule, service, browsers, bffs, violations } = simulation
  const [browser, other] = browsers as [Simulation['browsers'][0], Simulation['browsers'][0]]
  await schedule.until(browser.signIn(BUSINESS))
  await schedule.until(Promise.all(bffs.map((bff) => bff.drain())))
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  bringToEnd(simulation, scenario)
  const [from, fromMs] = [service.arrivals.length, schedule.nowMs]
  hitLater(simulation, scenario)
  schedule.stallMs = scenario.stallMs
  const answers = await schedule.until(Promise.all(scenario.readers.map((one) => read(simulation, one))))
  // All are answered: a hit would no longer meet a read.
  schedule.onStep = async () => {}
  const living = [0, 1].filter((process) => !schedule.isDead(process))
  await schedule.until(
    Promise.all(bffs.filter((_, process) => living.includes(process)).map((bff) => bff.drain())),
  )
  schedule.stallMs = 0
  const later = await schedule.until(lookLater(simulation, living))
  const raced = service.arrivals.slice(from).filter(({ atMs }) => atMs < later.hourLaterMs)
  const observed = { answers: answers.filter((one) => one !== undefined), later: later.found, fromMs, raced }
  violations.push(...(await judge(simulation, scenario, observed)))
}

function bringToEnd({ schedule, service }: Simulation, { mode }: Scenario): void {
  if (mode === 'expiring') schedule.nowMs += HOUR_MS - EXPIRING_MS
  else if (mode === 'refused') {
    schedule.nowMs += HOUR_MS / 2
    const state = service.sandbox.snapshot()
    state.access_tokens = {}
    service.sandbox.control.restore(state)
  } else schedule.nowMs += HOUR_MS
}

/** Takes the lease away, freezes the process or lets it die, before the drawn step or soon after it. */
function hitLater({ schedule, observer, leases }: Simulation, { mode, hit }: Scenario): void {
  const from = schedule.trace.length + hit.atStep
  const earlier = leases.length
  let isDone = false
  schedule.onStep = async (step) => {
    if (isDone || step < from) return
    if (mode === 'lease lost') {
      const [lease] = leases.slice(earlier)
      if (lease === undefined) return
      await observer.changeNote(lease.name, lapsed(schedule.nowMs), Number.MAX_SAFE_INTEGER)
    }
    isDone = true
    if (mode === 'frozen') schedule.freeze(hit.process, FROZEN_MS)
    if (mode === 'death') schedule.kill(hit.process)
  }
}

/** The note of a refresh whose lease has just lapsed. */
const lapsed = (untilMs: number) => (note: unknown) => {
  if (note === undefined) return undefined
  const { value, ...rest } = note as { value: { lease?: object } }
  return { ...rest, value: { ...value, ...(value.lease && { lease: { ...value.lease, untilMs } }) } }
}

/** `undefined` if its process died. */
async function read(
  simulation: Simulation,
  { process, path, afterMs }: Reader,
): Promise<Answered | undefined> {
  const { schedule } = simulation
  await schedule.wait(NETWORK, afterMs)
  const answer = spend(simulation, process, path)
  // A dead process answers nothing: look whether it died each time that another second has passed.
  for (;;) {
    const first = await Promise.race([answer, schedule.wait(NETWORK, 1000)])
    if (first !== undefined) return { ...first, process, path }
    if (schedule.isDead(process)) return undefined
  }
}

async function spend({ browsers }: Simulation, process: number, path: string) {
  const browser = browsers[process] as Simulation['browsers'][0]
  const { status, body } = await browser.spend<Record<string, unknown>>(path)
  return { status, body }
}

export interface Later {
  process: number
  /** The statuses of presses until one was answered other than by "later". */
  presses: string[]
  isSignedIn: boolean
  /** The month as the person sees it at the end; `undefined` if they see nothing. */
  month?: { low: number; high: number } | undefined
}

/** Looks as a person would, now and an hour later, in each process that lives. */
async function lookLater(simulation: Simulation, living: readonly number[]) {
  const found: Later[] = []
  for (const process of living) {
    const presses = await pressUntilAnswered(simulation, process)
    const session = await simulation.browsers[process]?.session()
    found.push({ process, presses, isSignedIn: session?.body.signed_in === true })
  }
  simulation.schedule.nowMs += HOUR_MS
  const hourLaterMs = simulation.schedule.nowMs
  for (const one of found) one.presses.push(...(await pressUntilAnswered(simulation, one.process)))
  for (const process of living) await simulation.bffs[process]?.drain()
  for (const one of found) one.month = (await simulation.browsers[one.process]?.quota())?.month
  return { found, hourLaterMs }
}

async function pressUntilAnswered(simulation: Simulation, process: number): Promise<string[]> {
  const seen: string[] = []
  for (let press = 0; press < MOST_PRESSES; press += 1) {
    const { status, body } = await spend(simulation, process, `/organizations/${BUSINESS}`)
    const { code, retry_in_ms: retryInMs } = body
    if (status < 500 || typeof retryInMs !== 'number')
      return [...seen, [status, ...(typeof code === 'string' ? [code] : [])].join(' ')]
    await simulation.schedule.wait(NETWORK, retryInMs + 1000)
  }
  return [...seen, 'no answer']
}
