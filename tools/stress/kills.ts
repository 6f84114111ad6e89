// kill -9 at five points of a press, again and again: the service's count stays inside both intervals (C5).
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/app.ts'
import { type Fault, withFault } from './fault.ts'
import { openPerson, type Person, signIn } from './person.ts'
import { type AppProcess, type Setup, withSetup } from './process.ts'
import { inLanes, ORGANIZATION_PATH } from './recovery.ts'
import type { Report } from './report.ts'

const FULL_KILLS = 200
const LANES = 2
const PATHS = [ORGANIZATION_PATH, '/organizations', '/rate_limit']
/** Requests that others sent before the first reading. */
const OTHERS = 7
const READING_EVERY = 8
/** A press within a second of the last answer to the same read gets that answer, and misses its point. */
const APART_MS = 1100

/** The process kills itself at a call of the store, or the service kills it during a request. */
const POINTS = {
  'before commit': { call: 'addEntry', when: 'after' },
  'after commit': { call: 'begin', when: 'after' },
  'mid-send': 'arrived',
  'mid-answer': 'half answered',
  'before settle': { call: 'settle', when: 'before' },
} as const
type PointName = keyof typeof POINTS
const NAMES = Object.keys(POINTS) as PointName[]

interface Shown {
  own: { low: number; high: number; truth: number }
  organization: { low: number; high: number; truth: number }
}

class Counts {
  readonly killed: Record<PointName, number> = {
    'before commit': 0,
    'after commit': 0,
    'mid-send': 0,
    'mid-answer': 0,
    'before settle': 0,
  }
  readonly notes: string[] = []
  'not killed' = 0
  'outside the interval' = 0
  'wider than the calls in flight' = 0
  'wider in all' = 0
  'calls in flight' = 0
}

/** @param kills in all, as many at each point */
export async function run(report: Report, kills = FULL_KILLS): Promise<void> {
  const counts = new Counts()
  const rounds = Array.from({ length: kills }, (_, nth) => nth)
  await inLanes(LANES, [...Array(LANES).keys()], (lane) =>
    killOneByOne(
      counts,
      rounds.filter((nth) => nth % LANES === lane),
    ),
  )
  const { killed, notes, ...others } = counts
  const expected = Object.fromEntries(
    NAMES.map((name, at) => [name, rounds.filter((nth) => pointOf(nth) === NAMES[at]).length]),
  )
  const never = { 'not killed': 0, 'outside the interval': 0, 'wider than the calls in flight': 0 }
  report.counts(`${kills} kills`, { ...killed, ...others }, { ...expected, ...never })
  for (const note of notes.slice(0, 40)) report.line(`  ${note}`)
}

const pointOf = (nth: number): PointName => NAMES[Math.floor(nth / LANES) % NAMES.length] as PointName

/** One database, with a new process after each kill. */
const killOneByOne = (counts: Counts, rounds: readonly number[]): Promise<void> =>
  withSetup({}, async (setup) => {
    const first = await setup.start()
    const person = openPerson(setup.service, first)
    await signIn(person, BUSINESS)
    await othersSpend(setup)
    await first.stop()
    let before: Shown | undefined
    let pressedAtMs = performance.now()
    for (const [at, nth] of rounds.entries()) {
      const name = pointOf(nth)
      const presses = 1 + (Math.floor(at / NAMES.length) % PATHS.length)
      const app = await startFor(setup, person, name, presses)
      if (at % READING_EVERY === 0) await enterReading(setup, person)
      before = await look(setup, person)
      await wait(Math.max(0, pressedAtMs + APART_MS - performance.now()))
      await pressUntilKilled(setup, person, app, name, presses)
      pressedAtMs = performance.now()
      counts.killed[name] += app.isRunning() ? 0 : 1
      counts['not killed'] += app.isRunning() ? 1 : 0
      await app.stop('SIGKILL')
      const next = await setup.start()
      person.to = next
      compare(counts, before, await look(setup, person), `${name}, ${presses} presses, kill ${nth}`, presses)
      await next.stop()
      // The killed process held a lease, and the next press would wait for it.
      await setup.database.dropLeases()
    }
    await person.close()
  })

async function startFor(setup: Setup, person: Person, name: PointName, presses: number): Promise<AppProcess> {
  const point = POINTS[name]
  const fault: Fault = typeof point === 'string' ? {} : { killAtCall: { ...point, nth: presses } }
  const app = await setup.start(withFault(fault), 'faulty')
  person.to = app
  return app
}

async function pressUntilKilled(
  { service }: Setup,
  { browser }: Person,
  app: AppProcess,
  name: PointName,
  presses: number,
): Promise<void> {
  let arrived = 0
  service.intercept(async (request, through) => {
    arrived += 1
    const isLast = arrived === presses
    if (name === 'mid-send' && isLast) app.signal('SIGKILL')
    // A request that arrives as the process ends may count or not: in rounds with two presses it does not.
    if (name === 'mid-send' && presses === 2) return new Response(null, { status: 500 })
    const response = await through(request)
    return name === 'mid-answer' && isLast ? halfOf(response, () => app.signal('SIGKILL')) : response
  })
  const paths = PATHS.slice(0, presses)
  const timeout = new Promise((resolve) => setTimeout(resolve, 5000))
  await Promise.race([
    Promise.all([app.ended, ...paths.map((path) => browser.spend(path).catch(() => undefined))]),
    timeout,
  ])
  service.intercept(undefined)
}

/** Sends the first half of an answer; the rest never comes. */
async function halfOf(response: Response, then: () => void): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(bytes.slice(0, bytes.length / 2)),
    pull: () => {
      then()
      return new Promise(() => {})
    },
  })
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  return new Response(body, { status: response.status, headers })
}

async function othersSpend({ service }: Setup): Promise<void> {
  const key = service.seed.api_keys.find(({ organization_id: id }) => String(id) === BUSINESS)
  const headers = { 'X-Service-Api-Key': key?.value ?? '' }
  for (let request = 0; request < OTHERS; request += 1)
    await service.sandbox.fetch(new Request(`${service.url}/organizations`, { headers }))
}

async function enterReading({ service }: Setup, { browser }: Person): Promise<void> {
  const { status } = await browser.request('POST', '/bff/readings', {
    json: { count: service.monthOf(BUSINESS) },
  })
  if (status !== 201) throw new Error(`the reading answered ${status}`)
}

async function look({ service }: Setup, { browser }: Person): Promise<Shown> {
  const { low, high, organization } = (await browser.quota()).month
  if (organization === undefined) throw new Error('there is no reading')
  const truth = service.monthOf(BUSINESS)
  return { own: { low, high, truth: truth - OTHERS }, organization: { ...organization, truth } }
}

function compare(counts: Counts, before: Shown, after: Shown, seen: string, inFlight: number): void {
  counts['calls in flight'] += inFlight
  for (const whose of ['own', 'organization'] as const) {
    const { low, high, truth } = after[whose]
    const wider = high - low - (before[whose].high - before[whose].low)
    if (whose === 'own') counts['wider in all'] += wider
    const isOutside = truth < low || truth > high
    const isWider = wider > inFlight
    counts['outside the interval'] += isOutside ? 1 : 0
    counts['wider than the calls in flight'] += isWider ? 1 : 0
    if (isOutside || isWider)
      counts.notes.push(`${seen}: ${whose} ${low} to ${high}, the service ${truth}, wider by ${wider}`)
  }
}
