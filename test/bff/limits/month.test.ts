import { expect, test } from 'vitest'
import { writeOrganizationNote } from '../../../src/bff/limits/note.ts'
import { countMonth, readMonth } from '../../../src/bff/limits/month.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { SERVICE, STANDARD, type App } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'
import { RESERVATION, reserve, settle, reading } from '../_reservation.ts'
import { onCall } from '../../kit/store-methods.ts'
import { signedIn } from '../_signed-in.ts'
import { readAssumptions } from '../../../src/bff/evidence/findings.ts'
import { keyOf } from '../_answers.ts'

const PATH = `/organizations/${STANDARD}`
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const READING = reading(40, START_MS)

/** A context of an organization on Standard that sends on demand. */
async function onStandard() {
  const made = createContext()
  await writeOrganizationNote(made.context, '1001', { limits: { read: 60 }, months: {} })
  const send = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      const row = await reserve(made.context, RESERVATION)
      await settle(made.context, row, { status: 200, text: '{}' })
    }
  }
  const month = (assumed = ASSUMED) => readMonth(made.context, '1001', made.clock.ms, assumed)
  return { ...made, send, month }
}

test('which requests count, and change the pace, is by what is assumed (8.3)', async () => {
  const { month, context } = await onStandard()
  for (let time = 0; time < 3; time += 1) await reserve(context, { ...RESERVATION, kind: 'token.refresh' })
  expect(await month()).toMatchObject({ low: 0, high: 3 })
  const counts_in_month = { ...ASSUMED.counts_in_month, 'token.refresh': 'no' } as const
  expect(await month({ ...ASSUMED, counts_in_month })).toMatchObject({
    low: 0,
    high: 0,
    allowance_per_day: 8,
    forecast: { state: 'under', difference: 98 },
  })
})

test('requests of the month before, on the day of UTC on which this one began, are none of its pace (8.3)', async () => {
  const { context, clock, send, month } = await onStandard()
  clock.ms = Date.UTC(2026, 10, 30, 8)
  await send(30)
  clock.ms = Date.UTC(2026, 11, 2, 12)
  await context.store.addReading('1001', reading(2, clock.ms))
  expect(await month()).toMatchObject({
    high: 0,
    organization: { high: 2 },
    forecast: { state: 'too_early' },
  })
})

test('while some zone has the month before, it may have been reset, or not (8.3)', async () => {
  const { fixture, browser } = await signedIn({ startMs: Date.UTC(2026, 10, 30, 9, 59, 0) })
  await browser.spend(PATH)
  for (const [inMs, low, high, may_have_reset] of [
    [0, 2, 3, false],
    // On Kiritimati it is December now, west of it not yet.
    [MINUTE_MS, 0, 3, true],
    [26 * 3_600_000 - 1, 0, 3, true],
    [1, 0, 0, false],
  ] as const) {
    fixture.advance(inMs)
    expect((await browser.quota()).month).toMatchObject({ low, high, may_have_reset })
  }
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
    // A clock that was ahead has stamped it.
    [1, 99],
  ] as const)
    await context.store.addReading('1001', reading(count, START_MS + days * DAY_MS))
  await context.store.addReading('2002', { ...READING, count: 99 })
  // Others sent two a day between the newest two readings, and four days have passed since.
  expect((await month()).organization).toEqual({ low: 28, high: 36, reading_age_ms: 4 * DAY_MS })
  expect((await countMonth(context, '1001', clock.ms)).readings.map(({ count }) => count)).toEqual([28, 20])
  clock.ms = Date.UTC(2026, 11, 1, 12)
  expect((await month()).organization).toBeUndefined()
})

test('limit and reserves are named where the plan is known and has one (8.3)', async () => {
  const { month, context } = await onStandard()
  const LIMITED = { limit: 100, plan: 'standard', reserve: { person: 10, sign_in: 2 } }
  expect(await month()).toMatchObject(LIMITED)
  const unlimited = { low: 0, high: 0, resets_in_ms: expect.anything(), may_have_reset: false }
  await writeOrganizationNote(context, '1001', { limits: { read: 600 }, months: {} })
  expect(await month()).toEqual({ ...unlimited, plan: 'business' })
  await writeOrganizationNote(context, '1001', { limits: {}, months: {} })
  expect(await month()).toEqual(unlimited)
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

/** Another client of the organization, with a key, sends as many reads as are left. */
async function useUp(fixture: App): Promise<void> {
  const headers = { 'X-Service-Api-Key': keyOf(fixture) }
  for (let sent = 0, ok = true; ok; sent += 1) {
    if (sent % 60 === 59) fixture.advance(MINUTE_MS)
    const answer = await fixture.sandbox.fetch(new Request(`${SERVICE}/organizations`, { headers }))
    ok = answer.status === 200 && !(await answer.text()).includes('"error"')
  }
}

const REFUSALS = ['status_429', 'status_403', 'status_402', 'status_401', 'error_200'] as const
test.each(REFUSALS)('%s in November, then a success in December: it is Tokyo (8.3)', async (monthly) => {
  const startMs = Date.UTC(2026, 10, 30, 14, 50)
  const { fixture, browser } = await signedIn({ startMs, choices: { tz: 'asia_tokyo', monthly } })
  await useUp(fixture)
  fixture.advance(MINUTE_MS)
  await browser.request('POST', '/bff/readings', { json: { count: 100 } })
  const before = fixture.paid().length
  expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
  fixture.advance(10 * MINUTE_MS)
  expect((await browser.spend(PATH)).status).toBe(200)
  expect(fixture.paid()).toHaveLength(before + 2)
  await fixture.bff.drain()
  const context = { ...createContext().context, store: fixture.store }
  expect(await readAssumptions(context)).toEqual({ ...ASSUMED, month_zones: ['Asia/Tokyo'] })
  const endsInMs = Date.UTC(2026, 11, 31, 15) - fixture.now()
  expect((await browser.quota()).month).toMatchObject({
    resets_in_ms: { earliest: endsInMs, latest: endsInMs },
    may_have_reset: false,
    low: 1,
    high: 1,
  })
})
