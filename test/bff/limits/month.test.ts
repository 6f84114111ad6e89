import { expect, test } from 'vitest'
import { reserve, settleAnswered } from '../../../src/bff/service/ledger.ts'
import { changeOrganizationNote } from '../../../src/bff/limits/note.ts'
import { countMonth, readMonth } from '../../../src/bff/limits/month.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { startApp, STANDARD } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'
import { RESERVATION } from '../_reservation.ts'

const PATH = `/organizations/${STANDARD}`
const DAY_MS = 86_400_000
const READING = {
  id: 'a reading',
  count: 40,
  readAtMs: START_MS,
  inFlight: 0,
  monthWasReset: false,
  owner: '',
}

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

test('the reset is between the earliest and the latest first day of a month (8.3)', async () => {
  const { month } = await onStandard()
  expect((await month()).resets_in_ms).toEqual({
    earliest: Date.UTC(2026, 10, 30, 10) - START_MS,
    latest: Date.UTC(2026, 11, 1, 12) - START_MS,
  })
})

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
  const { countByKind } = context.store
  const starts: number[] = []
  context.store.countByKind = (organization, sinceMs) => {
    starts.push(sinceMs)
    return countByKind(organization, sinceMs)
  }
  for (let day = 0; day < 400; day += 1) {
    clock.ms += DAY_MS
    await month()
  }
  expect(starts).toHaveLength(800)
  expect(starts.filter((ms) => ms % 900_000 !== 0)).toEqual([])
})

test("the service's count is within ours each month, and the view changes at the boundary (8.3)", async () => {
  const fixture = startApp({ startMs: Date.UTC(2026, 10, 30, 9, 59, 0) })
  const browser = fixture.browser()
  await browser.signIn()
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

test.each([-5 * DAY_MS, 5 * DAY_MS])(
  'the month is that of the service’s clock, from which ours is %d ms away at its end (8.3)',
  async (serviceAheadMs) => {
    const fixture = startApp({ startMs: Date.UTC(2026, 10, 30, 9) - serviceAheadMs, serviceAheadMs })
    const browser = fixture.browser()
    await browser.signIn()
    const { month } = await browser.quota()
    expect(month).toMatchObject({ low: 1, may_have_reset: false })
    expect(Math.abs(month.resets_in_ms.earliest - 3_600_000)).toBeLessThanOrEqual(1000)
    fixture.advance(3_602_000)
    expect((await browser.quota()).month).toMatchObject({ low: 0, may_have_reset: true })
    fixture.advance(26 * 3_600_000)
    const next = (await browser.quota()).month
    expect(next).toMatchObject({ low: 0, may_have_reset: false })
    // The exchange of the code was recorded before any answer showed the clock.
    expect(next.high).toBeLessThanOrEqual(1)
  },
)

test('months, windows and pauses of one snapshot are of one instant, though the clock goes on (8.3)', async () => {
  const { context, send, clock } = await onStandard()
  await send(1)
  clock.ms = Date.UTC(2026, 10, 30, 10) - 1
  const { countByKind } = context.store
  context.store.countByKind = (organization, sinceMs) => {
    clock.ms += DAY_MS
    return countByKind(organization, sinceMs)
  }
  expect(await readMonth(context, '1001', clock.ms)).toMatchObject({
    low: 1,
    high: 1,
    may_have_reset: false,
    resets_in_ms: { earliest: 1, latest: 26 * 3_600_000 + 1 },
  })
})

test('sessions of one organization share its month (8.3)', async () => {
  const fixture = startApp()
  const [one, two] = [fixture.browser(), fixture.browser()]
  await one.signIn(STANDARD, 'Ada')
  await two.signIn(STANDARD, 'Ada')
  expect((await one.quota()).month.low).toBe(2)
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
    await context.store.addReading('1001', {
      ...READING,
      id: `${days}`,
      count,
      readAtMs: START_MS + days * DAY_MS,
    })
  await context.store.addReading('2002', { ...READING, count: 99 })
  // Others sent two a day between the newest two readings, and four days have passed since.
  expect((await month()).organization).toEqual({ low: 28, high: 36, reading_age_ms: 4 * DAY_MS })
  expect((await countMonth(context, '1001', clock.ms)).readings.map(({ count }) => count)).toEqual([28, 20])
  clock.ms = Date.UTC(2026, 11, 1, 12)
  expect((await month()).organization).toBeUndefined()
})

test('a suspicion is in the month with its age and its reasons until it ends, and asks for a reading (8.3)', async () => {
  const { context, clock, month } = await onStandard()
  await context.store.addReading('1001', READING)
  const suspicion = {
    reasons: [{ code: 'payment_asked' }],
    sinceMs: START_MS + 1000,
    untilMs: START_MS + 3000,
  } as const
  await changeOrganizationNote(context, '1001', (known) => ({ ...known, suspicion }))
  clock.ms += 2999
  expect(await month()).toMatchObject({
    suspected: { age_ms: 1999, reasons: [{ code: 'payment_asked' }] },
    reading_wanted: 'suspected',
  })
  clock.ms += 1
  expect((await month()).suspected).toBeUndefined()
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
  expect(await month()).toEqual({
    low: 0,
    high: 0,
    resets_in_ms: expect.anything(),
    may_have_reset: false,
  })
})

test('the forecast is of the organization’s count where there is a reading, else of this app’s own (8.3)', async () => {
  const { context, clock, send, month } = await onStandard()
  await send(2)
  expect((await month()).forecast).toMatchObject({ state: 'too_early' })
  await send(10)
  // 9 days and some hours are left until the earliest reset.
  expect(await month()).toMatchObject({ allowance_per_day: 8, forecast: { state: 'under', difference: 68 } })
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
    allowance_per_day: 9,
    forecast: { state: 'under', difference: 98 },
  })
})
