import { expect, test } from 'vitest'
import { RESERVATION, reserve } from '../_reservation.ts'
import { IS_WHOLE } from '../../_extent.ts'
import { type App, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { createContext } from '../_context.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'

const PATH = `/organizations/${STANDARD}`

const ROUNDS = IS_WHOLE ? 20 : 4
const PATHS = [PATH, '/organizations', '/rate_limit']
const paidBy = (processes: readonly App[]) => processes.flatMap((process) => process.paid())
/** Every browser presses for every path through every process, at once. @returns the answers' number */
async function pressAll(browsers: Person[], processes: readonly App[], paths = PATHS) {
  const presses = browsers.flatMap((browser) =>
    processes.flatMap((process) => paths.map((path) => throughAnother(browser, process).spend(path))),
  )
  const answers = await Promise.all(presses)
  return answers.map(({ headers }) => Number(headers.get('X-Plimsoll-Spent'))).reduce((sum, one) => sum + one)
}

test('two processes at the last read of a minute send one, in each round (8.2)', async () => {
  const processes = twoProcesses()
  const [first] = processes
  first.sandbox.control.changeLimits({ [STANDARD]: { read_per_minute: 2 } })
  const browser = first.browser()
  await browser.signIn()
  for (let round = 0; round < ROUNDS; round += 1) {
    first.advance(61_000)
    await browser.spend(PATH)
    // The end of a request is stored within a moment.
    await expect.poll(async () => (await browser.quota()).read).toMatchObject({ remaining: 1, in_flight: 0 })
    expect(await pressAll([browser], processes)).toBe(1)
  }
  expect(paidBy(processes)).toHaveLength(1 + 2 * ROUNDS)
})

test('after a used-up minute one request of all processes checks it, and the others wait (2.2)', async () => {
  const processes = twoProcesses()
  const [first] = processes
  first.sandbox.control.changeLimits({ [STANDARD]: { read_per_minute: 1 } })
  const browser = first.browser()
  await browser.signIn()
  first.sandbox.control.changeLimits({})
  first.advance(61_000)
  const events: string[] = []
  for (const process of processes)
    process.intercept(async (request, through) => {
      events.push('sent')
      await new Promise((resolve) => setTimeout(resolve, 80))
      events.push('answered')
      return through(request)
    })
  expect(await pressAll([browser], processes)).toBe(3)
  expect([events.slice(0, 2), events.length]).toEqual([['sent', 'answered'], 6])
})

/** Signs four people in, and adds requests of others until `sent` of the month are sent. */
async function monthAt(sent: number) {
  const processes = twoProcesses()
  const [first] = processes
  const browsers = [1, 2, 3, 4].map(() => first.browser())
  for (const browser of browsers) await browser.signIn()
  const { context } = createContext()
  const entry = { ...RESERVATION, organization: STANDARD, token: 'another' } as const
  const missing = sent - (await month(browsers)).high
  await Promise.all(Array.from({ length: missing }, () => reserve({ ...context, store: first.store }, entry)))
  return { processes, browsers, first }
}
const month = async (browsers: Person[]) => (await browsers[0]!.quota()).month

test.each([
  ['by our own count', 99, undefined, { high: 99, limit: 100 }],
  ['by a reading', 8, 99, { high: 8, organization: { low: 99, high: 99 } }],
])('two processes at 99 of 100 of the month %s send one of 60 presses (8.3)', async (...row) => {
  const [, own, count, known] = row
  for (let round = 0; round < ROUNDS; round += 1) {
    const { processes, browsers, first } = await monthAt(own)
    if (count !== undefined) await browsers[0]?.request('POST', '/bff/readings', { json: { count } })
    expect(await month(browsers)).toMatchObject(known)
    // A request recorded in the millisecond of a reading was sent before it.
    first.advance(1)
    const before = paidBy(processes).length
    expect(await pressAll(browsers, processes, [...PATHS, ...PATHS, PATH, '/organizations'])).toBe(1)
    expect(paidBy(processes)).toHaveLength(before + 1)
  }
})

test('at a used-up month each session tries once a minute over both processes, and one of all in 5 s (8.3)', async () => {
  const { processes, browsers, first } = await monthAt(100)
  for (const process of processes)
    process.intercept(() => Promise.resolve(Response.json({}, { status: 402 })))
  const sent: number[] = []
  const tokens = () => paidBy(processes).map(({ headers }) => headers.get('Authorization'))
  const before = tokens().length
  for (let seconds = 0; seconds < 65; seconds += 5) {
    sent.push(await pressAll(browsers, processes))
    first.advance(5000)
  }
  // The last sign-in was just before the first press.
  expect(sent).toEqual([0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  expect(new Set(tokens().slice(before)).size).toBe(4)
  expect(await pressAll(browsers, processes)).toBe(1)
})
