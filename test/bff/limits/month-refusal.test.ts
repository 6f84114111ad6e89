import { expect, test } from 'vitest'
import { readServiceNote } from '../../../src/bff/evidence/note.ts'
import { readAssumptions } from '../../../src/bff/evidence/findings.ts'
import { changeOrganizationNote } from '../../../src/bff/limits/note.ts'
import { learnFromFullMonth, learnFromMonth } from '../../../src/bff/limits/month-refusal.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { PLANS } from '../../../src/contract/plan.ts'
import { startApp, type App, type AppOptions, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { createContext, START_MS } from '../_context.ts'
import { reading } from '../_reading.ts'
import { RESERVATION } from '../_reservation.ts'

const PATH = `/organizations/${STANDARD}`
const MINUTE_MS = 60_000
const contextOf = ({ store }: App) => ({ ...createContext().context, store })
const assumed = (fixture: App) => readAssumptions(contextOf(fixture))
const statuses = async (fixture: App) =>
  (await readServiceNote(contextOf(fixture))).sightings.map(({ name, value }) => [name, value])

/** Another client of the organization, with a key, sends as many reads as are left. */
async function useUp(fixture: App): Promise<void> {
  const key = fixture.seed.api_keys.find(({ organization_id: id }) => String(id) === STANDARD)?.value ?? ''
  for (let sent = 0, ok = true; ok; sent += 1) {
    if (sent % 60 === 59) fixture.advance(MINUTE_MS)
    const request = new Request('http://127.0.0.1:4000/organizations', {
      headers: { 'X-Service-Api-Key': key },
    })
    const answer = await fixture.sandbox.fetch(request)
    ok = answer.status === 200 && !(await answer.text()).includes('"error"')
  }
}

const readCount = (browser: Person, count: number) =>
  browser.request('POST', '/bff/readings', { json: { count } })

/** A person at 23:50 in Tokyo whose organization has used up its month. */
async function usedUp(choices: AppOptions['choices']) {
  const fixture = startApp({ startMs: Date.UTC(2026, 10, 30, 14, 50), choices })
  const browser = fixture.browser()
  await browser.signIn()
  await useUp(fixture)
  return { fixture, browser }
}

test.each([
  ['status_429', 429],
  ['status_403', 403],
  ['status_402', 402],
  ['status_401', 401],
  ['error_200', 200],
] as const)(
  'a refusal over the month by %s, and a success after midnight of Tokyo, show status and zone (8.3)',
  async (monthly, status) => {
    const { fixture, browser } = await usedUp({ tz: 'asia_tokyo', monthly })
    fixture.advance(MINUTE_MS)
    await readCount(browser, 100)
    const before = fixture.paid().length
    expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
    fixture.advance(10 * MINUTE_MS)
    expect((await browser.spend(PATH)).status).toBe(200)
    expect(fixture.paid()).toHaveLength(before + 2)
    await fixture.bff.drain()
    expect(await assumed(fixture)).toEqual({ ...ASSUMED, month_status: status, month_zones: ['Asia/Tokyo'] })
    const { month } = await browser.quota()
    const { earliest, latest } = month.resets_in_ms
    expect([earliest, latest]).toEqual(Array(2).fill(Date.UTC(2026, 11, 31, 15) - fixture.now()))
    expect(month).toMatchObject({ may_have_reset: false, low: 1, high: 1 })
  },
)

test('a refusal that is followed by a success without a reset shows nothing (8.3)', async () => {
  const fixture = startApp({ startMs: Date.UTC(2026, 10, 20) })
  const browser = fixture.browser()
  await browser.signIn()
  await readCount(browser, 95)
  fixture.intercept(() => Promise.resolve(new Response('{}', { status: 402 })))
  fixture.advance(MINUTE_MS)
  expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
  fixture.intercept(undefined)
  fixture.advance(2 * MINUTE_MS)
  expect((await browser.spend(PATH)).status).toBe(200)
  await fixture.bff.drain()
  expect(await assumed(fixture)).toEqual(ASSUMED)
  expect(await fixture.store.readNote(`month refusal ${STANDARD}`)).toBeUndefined()
})

test('a reading of the limit shows the status of the refusal that stands (8.3)', async () => {
  const { fixture, browser } = await usedUp({ monthly: 'status_403' })
  fixture.advance(MINUTE_MS)
  await readCount(browser, 95)
  await browser.spend(PATH)
  await fixture.bff.drain()
  expect(await statuses(fixture)).toEqual([])
  fixture.advance(MINUTE_MS)
  await readCount(browser, 99)
  expect(await statuses(fixture)).toEqual([])
  await readCount(browser, 100)
  await readCount(browser, 100)
  expect(await statuses(fixture)).toEqual([['month_status', '403']])
})

const LIMITS: { read: number; update: number } = {
  read: PLANS.standard.read_per_minute,
  update: PLANS.standard.update_per_minute,
}

/** An organization on Standard whose service reports its time, with a reading and later requests. */
async function organization(count: number | undefined, { limits = LIMITS, nowMs = START_MS, sent = 0 } = {}) {
  const made = createContext()
  const { context } = made
  context.memory.clock = { lowMs: 0, highMs: 0 } as never
  await changeOrganizationNote(context, 'a', () => ({ limits }))
  if (count !== undefined) await context.store.addReading('a', reading(count, nowMs - MINUTE_MS))
  for (let nth = 0; nth < sent; nth += 1) {
    const id = `${nth}`
    await context.store.reserve({ ...RESERVATION, organization: 'a', id, atMs: nowMs - 1000 })
    await context.store.settle(id, { outcome: 'settled', status: 200 }, nowMs)
  }
  const refuse = (atMs: number, status = 403) =>
    learnFromMonth(context, 'a', { code: 'month_suspected', status }, atMs)
  const succeed = (atMs: number) => learnFromMonth(context, 'a', { code: 'success', status: 200 }, atMs)
  const note = () => readServiceNote(context)
  return { ...made, refuse, succeed, note }
}

const MIDNIGHT_MS = Date.UTC(2026, 11, 1)
const nowMs = MIDNIGHT_MS - 5 * MINUTE_MS

test.each([
  [89, 0, 0],
  [90, 0, 1],
  [89, 1, 1],
  [undefined, 89, 0],
  [undefined, 90, 1],
])(
  'a refusal at a reading of %s and %d requests, then a success after midnight, is %d sighting (8.3)',
  async (count, sent, sightings) => {
    const { context, refuse, succeed, note } = await organization(count, { nowMs, sent })
    await refuse(nowMs)
    await learnFromMonth(context, 'another', { code: 'success', status: 200 }, MIDNIGHT_MS)
    await succeed(MIDNIGHT_MS + MINUTE_MS)
    expect((await note()).sightings).toHaveLength(sightings)
    expect((await note()).resets).toHaveLength(sightings)
  },
)

test('the reset follows the newest refusal, and a minute is allowed for clocks (8.3)', async () => {
  const { refuse, succeed, note } = await organization(100, { nowMs })
  await refuse(nowMs - 40 * MINUTE_MS, 402)
  await refuse(nowMs)
  await succeed(MIDNIGHT_MS + MINUTE_MS)
  expect(await note()).toMatchObject({
    sightings: [{ name: 'month_status', value: '403', atMs: nowMs }],
    resets: [{ afterMs: nowMs - MINUTE_MS, byMs: MIDNIGHT_MS + 2 * MINUTE_MS }],
  })
  await succeed(MIDNIGHT_MS + 5 * MINUTE_MS)
  expect((await note()).resets).toHaveLength(1)
})

test('a success days after the reset shows the status, and no zone (8.3)', async () => {
  const { context, refuse, succeed, note } = await organization(100)
  await refuse(START_MS)
  await context.store.sweep(Date.UTC(2026, 11, 5))
  await succeed(Date.UTC(2026, 11, 5))
  expect(await note()).toMatchObject({ sightings: [{ value: '403' }], resets: [] })
})

test('without a limit of the month, or with another plan by then, a success shows nothing (8.3)', async () => {
  const business = { read: 600, update: 150 }
  const unlimited = await organization(100, { limits: business, nowMs })
  await unlimited.refuse(nowMs)
  await unlimited.succeed(MIDNIGHT_MS + MINUTE_MS)
  expect((await unlimited.note()).sightings).toEqual([])
  const changed = await organization(100, { nowMs })
  await changed.refuse(nowMs)
  await changeOrganizationNote(changed.context, 'a', () => ({ limits: business }))
  await changed.succeed(MIDNIGHT_MS + MINUTE_MS)
  expect((await changed.note()).sightings).toEqual([])
})

test('a refusal while the limit of the month is not known leaves the one before it (8.3)', async () => {
  const { context, refuse, succeed, note } = await organization(100, { nowMs })
  await refuse(nowMs)
  await changeOrganizationNote(context, 'a', () => ({ limits: {} }))
  await refuse(nowMs + MINUTE_MS, 402)
  await changeOrganizationNote(context, 'a', () => ({ limits: LIMITS }))
  await succeed(MIDNIGHT_MS + MINUTE_MS)
  expect((await note()).sightings).toMatchObject([{ value: '403', atMs: nowMs }])
})

test('a success shows nothing if no answer had a Date (8.3)', async () => {
  const { context, refuse, succeed, note } = await organization(100, { nowMs })
  context.memory.clock = undefined
  await refuse(nowMs)
  await succeed(MIDNIGHT_MS + MINUTE_MS)
  expect((await note()).sightings).toEqual([])
})

test.each([
  [100, 0, 1],
  [100, -MINUTE_MS, 1],
  [100, -MINUTE_MS - 1, 0],
  [99, 0, 0],
])('a reading of %d, %d ms after the refusal, is %d sighting (8.3)', async (count, afterMs, sightings) => {
  const { context, refuse, note } = await organization(95)
  await learnFromFullMonth(context, 'a', reading(count, START_MS + afterMs))
  await refuse(START_MS)
  await learnFromFullMonth(context, 'a', undefined)
  await learnFromFullMonth(context, 'a', reading(count, START_MS + afterMs))
  expect((await note()).sightings).toHaveLength(sightings)
})

test('a refusal of the credential is none of the month (8.3)', async () => {
  const { context, succeed, note } = await organization(100, { nowMs })
  await learnFromMonth(context, 'a', { code: 'credential_refused', status: 401 }, nowMs)
  await succeed(MIDNIGHT_MS + MINUTE_MS)
  expect((await note()).sightings).toEqual([])
})
