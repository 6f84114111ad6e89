import { expect, test } from 'vitest'
import { type MonthUse, type Months } from '../../../src/contract/months.ts'
import { BUSINESS, startApp, signInUnproven, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { reading } from '../_reservation.ts'
import { addSent, type Sent } from './_requests.ts'
import { signedIn } from '../_signed-in.ts'

const DAY_MS = 86_400_000
const PATH = `/organizations/${STANDARD}`
const utc = (text: string) => Date.parse(text.length > 10 ? `${text}Z` : text)

const months = async (browser: Person): Promise<MonthUse[]> =>
  (await browser.request<Months>('GET', '/bff/months')).body.months

const reads = (count: number, at: string): Sent[] =>
  Array.from({ length: count }, () => ({ kind: 'api.read', atMs: utc(at), outcome: 'settled', status: 200 }))

test('while the month turns, the present one is what surely and what may be of it, as on its card (8.3)', async () => {
  const { fixture, browser } = await signedIn({ startMs: utc('2026-12-01T06:00') })
  await addSent(fixture, reads(5, '2026-11-30T11:00'))
  const { low, high } = (await browser.quota()).month
  expect([low, high]).toEqual([1, 7])
  expect(await months(browser)).toMatchObject([
    { month: '2026-12', low, high },
    { month: '2026-11', low: 5, high: 5 },
  ])
})

test('others are the newest reading less our own, as the card has it this month (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await fixture.store.addReading(STANDARD, reading(40, utc('2026-10-20T12:00')))
  await addSent(fixture, [...reads(10, '2026-10-19T12:00'), ...reads(2, '2026-10-20T06:00')])
  fixture.advance(60_000)
  await browser.request('POST', '/bff/readings', { json: { count: 30 } })
  fixture.advance(60_000)
  await browser.spend(PATH)
  const [november, october] = await months(browser)
  // The sign-in may count, and of the day of the reading only the end is known in October.
  expect(november).toMatchObject({ low: 2, high: 3, others: { low: 28, high: 29 } })
  expect(october).toMatchObject({ low: 12, high: 12, others: { low: 28, high: 30 } })
})

test('a removed reading, and one of a clock that was ahead, show no others (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await fixture.store.addReading(STANDARD, reading(100, utc('2026-10-20T12:00')))
  expect((await months(browser))[1]).toMatchObject({ month: '2026-10', others: { low: 100, high: 100 } })
  await fixture.store.addReading(STANDARD, reading(900, utc('2026-11-22T12:00')))
  expect((await months(browser))[0]).not.toHaveProperty('others')
  await fixture.store.removeReading(STANDARD, reading(100, utc('2026-10-20T12:00')).id, fixture.now())
  expect(await months(browser)).toHaveLength(1)
})

test('a month that ran out keeps its plan and its day in the months after it, in each process (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await browser.request('POST', '/bff/readings', { json: { count: 100 } })
  fixture.advance(12 * DAY_MS)
  const other = fixture.another()
  const later = other.browser()
  await later.signIn()
  expect(await months(later)).toMatchObject([
    { month: '2026-12', low: 1, high: 2, plan: 'standard', limit: 100 },
    { month: '2026-11', ran_out_on: '2026-11-21', others: { low: 98, high: 100 }, limit: 100 },
  ])
})

test('an organization sees its own months, and an unproven session only those of itself (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await addSent(fixture, reads(7, '2026-10-19T12:00'), BUSINESS)
  expect(await months(browser)).toHaveLength(1)
  const business = fixture.browser()
  await business.signIn(BUSINESS)
  expect(await months(business)).toMatchObject([
    { month: '2026-11', plan: 'business' },
    { month: '2026-10', low: 7 },
  ])
  const unproven = startApp()
  await addSent(unproven, reads(7, '2026-10-19T12:00'))
  expect(await months(await signInUnproven(unproven))).toMatchObject([{ month: '2026-11', low: 0 }])
})
