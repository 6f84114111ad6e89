import { expect, test } from 'vitest'
import { reserve, settleAnswered } from '../../../src/bff/service/ledger.ts'
import { changeOrganizationNote } from '../../../src/bff/limits/note.ts'
import { countMonth, readMonth } from '../../../src/bff/limits/month.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { STANDARD, type App, type AppOptions } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'
import { RESERVATION } from '../_reservation.ts'
import { onCall } from '../../kit/store-methods.ts'
import { signedIn } from '../_signed-in.ts'
import { noteMonth, readMonthsNote } from '../../../src/bff/limits/month-note.ts'
import type { Meaning } from '../../../src/contract/answer-meaning.ts'
import { readServiceNote } from '../../../src/bff/evidence/note.ts'
import { readAssumptions } from '../../../src/bff/evidence/findings.ts'
import { learnFromFullMonth, learnFromMonth } from '../../../src/bff/limits/month-refusal.ts'
import { PLANS } from '../../../src/contract/plan.ts'
import type { Person } from '../../kit/person.ts'
import { reading } from '../_reading.ts'

const PATH = `/organizations/${STANDARD}`
const DAY_MS = 86_400_000
const READING = reading(40, START_MS)

/** A context of an organization on Standard that sends on demand. */
async function onStandard() {
  const made = createContext()
  await changeOrganizationNote(made.context, '1001', () => ({ limits: { read: 60 } }))
  const send = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      const { id } = await reserve(made.context, RESERVATION)
      await settleAnswered(made.context, id, 200, '{}')
    }
  }
  const month = (assumed = ASSUMED) => readMonth(made.context, '1001', made.clock.ms, assumed)
  return { ...made, send, month }
}

test('with one zone left the reset is one instant, and the count one month’s (8.3)', async () => {
  const { month } = await onStandard()
  const endMs = Date.UTC(2026, 10, 30, 15) - START_MS
  const { resets_in_ms } = await month({ ...ASSUMED, month_zones: ['Asia/Tokyo'] })
  expect(resets_in_ms).toEqual({ earliest: endMs, latest: endMs })
})

test('which requests count is by what is assumed (8.3)', async () => {
  const { month, context } = await onStandard()
  await reserve(context, { ...RESERVATION, kind: 'token.refresh' })
  expect(await month()).toMatchObject({ low: 0, high: 1 })
  const counts_in_month = { ...ASSUMED.counts_in_month, 'token.refresh': 'no' } as const
  expect(await month({ ...ASSUMED, counts_in_month })).toMatchObject({ low: 0, high: 0 })
})

test('the starts of all months are whole quarters of an hour, as the running counts need them (8.3)', async () => {
  const { context, clock, month } = await onStandard()
  const starts: number[] = []
  onCall(context.store, 'countByKind', (_, sinceMs) => starts.push(sinceMs))
  for (let day = 0; day < 400; day += 1) {
    clock.ms += DAY_MS
    await month()
  }
  expect(starts).toHaveLength(800)
  expect(starts.filter((ms) => ms % 900_000 !== 0)).toEqual([])
})

test("the service's count is within ours each month, and the view changes at the boundary (8.3)", async () => {
  const { fixture, browser } = await signedIn({ startMs: Date.UTC(2026, 10, 30, 9, 59, 0) })
  await browser.spend(PATH)
  expect((await browser.quota()).month).toMatchObject({ low: 2, high: 3, may_have_reset: false })
  // On Kiritimati it is December now, west of it not yet: the month may have been reset, or not.
  fixture.advance(60_000)
  expect((await browser.quota()).month).toMatchObject({ low: 0, high: 3, may_have_reset: true })
  fixture.advance(26 * 3_600_000 - 1)
  expect((await browser.quota()).month).toMatchObject({ low: 0, high: 3, may_have_reset: true })
  fixture.advance(1)
  expect((await browser.quota()).month).toMatchObject({ low: 0, high: 0, may_have_reset: false })
  expect(fixture.paid()).toHaveLength(2)
})

test('months, windows and pauses of one snapshot are of one instant, though the clock goes on (8.3)', async () => {
  const { context, send, clock } = await onStandard()
  await send(1)
  clock.ms = Date.UTC(2026, 10, 30, 10) - 1
  onCall(context.store, 'countByKind', () => (clock.ms += DAY_MS))
  expect(await readMonth(context, '1001', clock.ms)).toMatchObject({
    low: 1,
    high: 1,
    may_have_reset: false,
    resets_in_ms: { earliest: 1, latest: 26 * 3_600_000 + 1 },
  })
})

test('beside this app’s own count is the organization’s: the newest reading and what was sent since (8.3)', async () => {
  const { context, clock, send, month } = await onStandard()
  await send(2)
  expect(await month()).toMatchObject({ low: 2, high: 2, reading_wanted: 'none' })
  expect((await month()).organization).toBeUndefined()
  await context.store.addReading('1001', READING)
  clock.ms += 1
  await send(3)
  await reserve(context, RESERVATION)
  expect(await month()).toMatchObject({
    low: 5,
    high: 6,
    organization: { low: 43, high: 44, reading_age_ms: 1 },
  })
  expect((await month()).reading_wanted).toBeUndefined()
})

test("the two newest readings count, but not another organization's or a past month's (8.3)", async () => {
  const { context, clock, month } = await onStandard()
  for (const [days, count] of [
    [-30, 7],
    [-9, 10],
    [-8, 20],
    [-4, 28],
  ] as const)
    await context.store.addReading('1001', reading(count, START_MS + days * DAY_MS))
  await context.store.addReading('2002', { ...READING, count: 99 })
  // Others sent two a day between the newest two readings, and four days have passed since.
  expect((await month()).organization).toEqual({ low: 28, high: 36, reading_age_ms: 4 * DAY_MS })
  expect((await countMonth(context, '1001', clock.ms)).readings.map(({ count }) => count)).toEqual([28, 20])
  clock.ms = Date.UTC(2026, 11, 1, 12)
  expect((await month()).organization).toBeUndefined()
})

test('the reserves are named where there is a limit (8.3)', async () => {
  const { month, context } = await onStandard()
  expect(await month()).toMatchObject({ limit: 100, plan: 'standard', reserve: { person: 10, sign_in: 2 } })
  await changeOrganizationNote(context, '1001', () => ({ limits: { read: 600 } }))
  expect(await month()).toEqual({
    low: 0,
    high: 0,
    plan: 'business',
    resets_in_ms: expect.anything(),
    may_have_reset: false,
  })
  await changeOrganizationNote(context, '1001', () => ({ limits: {} }))
  expect(await month()).toEqual({ low: 0, high: 0, resets_in_ms: expect.anything(), may_have_reset: false })
})

test('the forecast is of the organization’s count where there is a reading, else of this app’s own (8.3)', async () => {
  const { context, clock, send, month } = await onStandard()
  await send(2)
  expect((await month()).forecast).toMatchObject({ state: 'too_early' })
  await send(10)
  // 10 days and some hours are left until the latest reset.
  expect(await month()).toMatchObject({ allowance_per_day: 7, forecast: { state: 'under', difference: 66 } })
  await context.store.addReading('1001', READING)
  expect(await month()).toMatchObject({ allowance_per_day: 5, forecast: { state: 'under' } })
  await send(58)
  await context.store.addReading('1001', { ...READING, id: 'another', count: 90 })
  expect(await month()).toMatchObject({ allowance_per_day: 0, forecast: { state: 'runs_out' } })
  clock.ms += 5 * DAY_MS
  expect((await month()).forecast).toMatchObject({ state: 'stale' })
})

test('a request that counts nowhere changes no pace, and is still a row of the ledger (8.3)', async () => {
  const { context, month } = await onStandard()
  for (let time = 0; time < 3; time += 1) await reserve(context, { ...RESERVATION, kind: 'token.refresh' })
  const counts_in_month = { ...ASSUMED.counts_in_month, 'token.refresh': 'no' } as const
  expect(await month({ ...ASSUMED, counts_in_month })).toMatchObject({
    allowance_per_day: 8,
    forecast: { state: 'under', difference: 98 },
  })
})

test('a minute before the first possible reset, requests are kept for the day until the last one (8.3)', async () => {
  const { context, clock, month } = await onStandard()
  clock.ms = Date.UTC(2026, 10, 30, 9, 59)
  await context.store.addReading('1001', { ...READING, count: 70, readAtMs: clock.ms })
  expect(await month()).toMatchObject({ may_have_reset: false, allowance_per_day: 14 })
})

const ON_STANDARD = { read: 60, update: 15 }
const ON_BUSINESS = { read: 600, update: 150 }
const NOTED = { plan: 'standard', limit: 100 }
const utc = (text: string) => Date.parse(`${text}Z`)

/** Counts the writes of an organization's months. */
function openMonths() {
  const { context, clock } = createContext()
  const written: { name: string; lapsesAtMs: number }[] = []
  onCall(
    context.store,
    'changeNote',
    (name, _, lapsesAtMs) => name.startsWith('months ') && written.push({ name, lapsesAtMs }),
  )
  const see = async (at: string, code: Meaning['code'], limits?: typeof ON_STANDARD, organization = '7') => {
    clock.ms = utc(at)
    if (limits) await changeOrganizationNote(context, organization, () => ({ limits }))
    await noteMonth(context, organization, code, { nowMs: clock.ms, assumed: ASSUMED })
  }
  return {
    context,
    clock,
    written,
    see,
    noted: (organization = '7') => readMonthsNote(context, organization),
  }
}

test('the plan of a month is written once, however many answers show it, and kept for years (8.3)', async () => {
  const { see, noted, written, clock } = openMonths()
  for (let times = 0; times < 5; times += 1) await see('2026-11-05T12:00', 'success', ON_STANDARD)
  expect(written).toEqual([{ name: 'months 7', lapsesAtMs: clock.ms + 1200 * DAY_MS }])
  await see('2026-12-05T12:00', 'success')
  expect(written).toHaveLength(2)
  expect(await noted()).toEqual({ '2026-12': NOTED, '2026-11': NOTED })
  expect(await noted('8')).toEqual({})
})

test('answers that show nothing of a month write nothing (8.3)', async () => {
  const { see, noted, written } = openMonths()
  await see('2026-11-05T12:00', 'success')
  await see('2026-11-05T12:00', 'upstream_failed')
  expect([written, await noted()]).toEqual([[], {}])
})

test('a refusal that means the month keeps its first time, and a success of the month ends it (8.3)', async () => {
  const { see, noted, written } = openMonths()
  await see('2026-11-05T12:00', 'month_suspected', ON_STANDARD)
  await see('2026-11-06T12:00', 'month_suspected')
  await see('2026-11-06T12:00', 'upstream_failed')
  expect(await noted()).toEqual({ '2026-11': { ...NOTED, refusedAtMs: utc('2026-11-05T12:00') } })
  expect(written).toHaveLength(1)
  await see('2026-11-07T12:00', 'success')
  expect(await noted()).toEqual({ '2026-11': NOTED })
  await see('2026-11-08T12:00', 'month_suspected')
  expect(await noted()).toEqual({ '2026-11': { ...NOTED, refusedAtMs: utc('2026-11-08T12:00') } })
})

test('a refusal stays if the plan was changed before the next success, which it was not the cause of (8.3)', async () => {
  const { see, noted } = openMonths()
  await see('2026-11-05T12:00', 'month_suspected', ON_STANDARD)
  await see('2026-11-06T12:00', 'success', ON_BUSINESS)
  const refusedAtMs = utc('2026-11-05T12:00')
  expect(await noted()).toEqual({ '2026-11': { plan: 'business', refusedAtMs } })
})

test('a refusal with an unknown plan ends with a success that shows one (8.3)', async () => {
  const { see, noted } = openMonths()
  await see('2026-11-05T12:00', 'month_suspected')
  expect(await noted()).toEqual({ '2026-11': { refusedAtMs: utc('2026-11-05T12:00') } })
  await see('2026-11-05T12:01', 'success', ON_STANDARD)
  expect(await noted()).toEqual({ '2026-11': NOTED })
})

test('a plan without a monthly limit has no refusal that means the month (8.3)', async () => {
  const { see, noted } = openMonths()
  await see('2026-11-05T12:00', 'month_suspected', ON_BUSINESS)
  expect(await noted()).toEqual({ '2026-11': { plan: 'business' } })
})

test('a success in the next month, or where it may have begun, ends no refusal (8.3)', async () => {
  const { see, noted } = openMonths()
  await see('2026-11-05T12:00', 'month_suspected', ON_STANDARD)
  // It is December in Kiritimati.
  await see('2026-11-30T10:00', 'success')
  await see('2026-12-01T13:00', 'success')
  const refusedAtMs = utc('2026-11-05T12:00')
  expect(await noted()).toEqual({ '2026-12': NOTED, '2026-11': { ...NOTED, refusedAtMs } })
})

test('a refusal where the next month may have begun belongs to neither (8.3)', async () => {
  const { see, noted } = openMonths()
  await see('2026-11-30T10:00', 'month_suspected', ON_STANDARD)
  await see('2026-12-01T11:59', 'month_suspected')
  expect(await noted()).toEqual({ '2026-12': NOTED, '2026-11': NOTED })
})

test('the note keeps the newest 36 months (8.3)', async () => {
  const { see, noted } = openMonths()
  for (let month = 0; month < 40; month += 1)
    await see(new Date(Date.UTC(2026, month, 15)).toISOString().slice(0, 16), 'success', ON_STANDARD)
  const kept = Object.keys(await noted())
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([36, '2029-04', '2026-05'])
})

test('a member of a later version does not hide the note (8.3)', async () => {
  const { context, clock, noted } = openMonths()
  const value = { '2026-11': { ...NOTED, price: 3 } }
  await context.store.changeNote('months 7', () => ({ format: 1, value }), clock.ms + DAY_MS)
  expect(await noted()).toEqual({ '2026-11': NOTED })
})

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
  const { fixture, browser } = await signedIn({ startMs: Date.UTC(2026, 10, 30, 14, 50), choices })
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
  const { fixture, browser } = await signedIn({ startMs: Date.UTC(2026, 10, 20) })
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
