// kill -9 at five points of a press, again and again: the service's count stays inside both intervals (C5).
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/config.ts'
import { dropLeases } from './database.ts'
import { type AppProcess, inLanes, type Setup, withSetup } from './harness.ts'
import { Outcomes } from './holds.ts'
import { withFault } from './journey.ts'
import { openPerson, PATHS, type Person, press, signIn } from './people.ts'
import type { Report } from './report.ts'

const FULL_KILLS = 200
const LANES = 2
/** Requests that others sent before the first reading. */
const OTHERS = 7
const READING_EVERY = 8
/** A press within a second of the last answer to the same read gets that answer, and misses its point. */
const APART_MS = 1100

/** The process kills itself at a call of the store, or the service kills it during a request. */
const POINTS = [
  ['before commit', { call: 'addEntry', when: 'after' }],
  ['after commit', { call: 'begin', when: 'after' }],
  ['mid-send', undefined],
  ['mid-answer', undefined],
  ['before settle', { call: 'settle', when: 'before' }],
] as const

/** @param kills in all, as many at each point */
export async function run(report: Report, kills = FULL_KILLS): Promise<void> {
  const outcomes = new Outcomes()
  await inLanes(LANES, [...Array(LANES).keys()], (lane) =>
    outcomes.of(`lane ${lane}`, () => killOneByOne(outcomes, Math.ceil((kills - lane) / LANES), lane)),
  )
  outcomes.write(report, `${kills} kills`, [
    'not killed',
    'outside the interval',
    'wider than the calls in flight',
  ])
}

/** One database, with a new process after each kill. */
const killOneByOne = (outcomes: Outcomes, kills: number, lane: number): Promise<void> =>
  // At the turn of a month an unknown zone makes the interval wider each quarter of an hour.
  withSetup({ env: { PLIMSOLL_MONTH_ZONE: 'UTC' } }, async (setup) => {
    const person = openPerson(setup.service, await setup.start())
    await signIn(person)
    await othersSpend(setup)
    await setup.apps[0]?.stop()
    let pressedAtMs = performance.now()
    for (let nth = 0; nth < kills; nth += 1) {
      const [name, at] = POINTS[(nth + lane) % POINTS.length] as (typeof POINTS)[number]
      const presses = 1 + (Math.floor(nth / POINTS.length) % PATHS.length)
      const app = await setup.start(withFault(at ? { killAtCall: { ...at, nth: presses } } : {}), 'faulty')
      person.to = app
      if (nth % READING_EVERY === 0) await enterReading(setup, person)
      const before = await look(setup, person)
      await wait(Math.max(0, pressedAtMs + APART_MS - performance.now()))
      await pressUntilKilled(setup, person, app, name, presses)
      pressedAtMs = performance.now()
      outcomes.add(app.isRunning() ? 'not killed' : name)
      await app.stop('SIGKILL')
      const next = await setup.start()
      person.to = next
      compare(
        outcomes,
        before,
        await look(setup, person),
        `${name}, ${presses} presses, kill ${nth}`,
        presses,
      )
      await next.stop()
      // The killed process held a lease, and the next press would wait for it.
      await dropLeases(setup.database)
    }
    await outcomes.check(setup, 'after all kills', OTHERS)
    await person.close()
  })

async function pressUntilKilled(
  { service }: Setup,
  person: Person,
  app: AppProcess,
  name: string,
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
  const pressed = PATHS.slice(0, presses).map((path) => press(person, path))
  await Promise.race([Promise.all([app.ended, ...pressed]), wait(5000)])
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
  const json = { count: service.monthOf(BUSINESS) }
  const { status } = await browser.request('POST', '/bff/readings', { json })
  if (status !== 201) throw new Error(`the reading answered ${status}`)
}

interface Interval {
  low: number
  high: number
  /** The service's own count. */
  truth: number
}

/** The person sees the requests of this app, and those of the whole organization. */
async function look({ service }: Setup, { browser }: Person): Promise<[own: Interval, all: Interval]> {
  const { low, high, organization } = (await browser.quota()).month
  if (organization === undefined) throw new Error('there is no reading')
  const truth = service.monthOf(BUSINESS)
  return [
    { low, high, truth: truth - OTHERS },
    { low: organization.low, high: organization.high, truth },
  ]
}

/** An interval may grow by the calls that were in flight. */
function compare(
  outcomes: Outcomes,
  before: Interval[],
  after: Interval[],
  seen: string,
  inFlight: number,
): void {
  for (const [nth, { low, high, truth }] of after.entries()) {
    const was = before[nth] as Interval
    const wider = high - low - (was.high - was.low)
    const text = `${seen}: ${low} to ${high}, the service ${truth}, wider by ${wider}`
    if (truth < low || truth > high) outcomes.wrong('outside the interval', text)
    if (wider > inFlight) outcomes.wrong('wider than the calls in flight', text)
  }
}
