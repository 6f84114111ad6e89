import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSuccess } from '../../../src/contract/answer-meaning.ts'

import { isInMonth, type Outcome, type RequestKind } from '../../../src/contract/month.ts'
import { type MonthUse, type Months } from '../../../src/contract/months.ts'

import { BUSINESS, startApp, type App, signInUnproven, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'

import { reading } from '../_reservation.ts'
import { addSent, type Sent } from './_requests.ts'
import { signedIn as openSignedIn } from '../_signed-in.ts'

const DAY_MS = 86_400_000
const PATH = `/organizations/${STANDARD}`
const utc = (text: string) => Date.parse(text.length > 10 ? `${text}Z` : text)

async function months(browser: Person): Promise<MonthUse[]> {
  const { status, body } = await browser.request<unknown>('GET', '/bff/months')
  expect(status).toBe(200)
  return (body as Months).months
}

const reads = (count: number, at: string): Sent[] =>
  Array.from({ length: count }, () => ({ kind: 'api.read', atMs: utc(at), outcome: 'settled', status: 200 }))

async function signedIn(at = '2026-11-21T06:00'): Promise<[App, Person]> {
  const { fixture, browser } = await openSignedIn({ startMs: utc(at) })
  return [fixture, browser]
}

const NOW_MS = utc('2028-03-15T12:00')
const instants = fc.oneof(
  fc.integer({ min: utc('2026-12-01'), max: NOW_MS }),
  fc
    .record({ month: fc.integer({ min: 0, max: 14 }), offMs: fc.constantFrom(-1, 0, 1, -3_600_000) })
    .map(({ month, offMs }) => Date.UTC(2027, month, 1) + offMs),
)
const request = fc.record(
  {
    kind: fc.constantFrom<RequestKind[]>('api.read', 'rate_limit', 'token.code'),
    atMs: instants,
    outcome: fc.constantFrom<Outcome[]>('reserved', 'settled', 'void', 'uncertain'),
    status: fc.constantFrom(200, 429, 500),
  },
  { requiredKeys: ['kind', 'atMs', 'outcome'] },
)
/** The requests of a month of UTC by the times at which they were sent. */
function rowsOf(requests: readonly Sent[], month: string) {
  const counts = requests
    .filter(({ atMs }) => new Date(atMs).toISOString().startsWith(month))
    .map(({ kind, outcome, status = 0 }) =>
      isInMonth({ kind, outcome, succeeded: outcome === 'settled' && isSuccess(status) }),
    )
  const low = counts.filter((one) => one === 'yes').length
  return { low, high: low + counts.filter((one) => one === 'unknown').length }
}

test('the months are the sums of any rows, folded or not, and the card (8.3)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 30, maxLength: 80 }), async (requests) => {
      const [{ store }, browser] = await signedIn('2028-03-15T12:00')
      await addSent({ store }, requests)
      for (const isSwept of [false, true]) {
        if (isSwept) await store.sweep(NOW_MS)
        const [present, ...past] = await months(browser)
        const { low, high } = (await browser.quota()).month
        expect(present).toMatchObject({ month: '2028-03', low, high })
        for (const { month, ...counts } of past)
          expect([month, counts]).toEqual([month, rowsOf(requests, month)])
        // The months before the first one have no request.
        const listed = past.reduce((total, one) => total + one.high, 0)
        const years = ['2027-04', '2027-05', '2027-06', '2027-07', '2027-08', '2027-09', '2027-10']
        const all = [...years, '2027-11', '2027-12', '2028-01', '2028-02'].map((month) =>
          rowsOf(requests, month),
        )
        expect(listed).toBe(all.reduce((total, one) => total + one.high, 0))
      }
      await store.close()
    }),
    { numRuns: 12 },
  )
}, 60_000)

test('others are the newest reading less our own, as the card has it this month (8.3)', async () => {
  const [fixture, browser] = await signedIn()
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
  const [fixture, browser] = await signedIn()
  await fixture.store.addReading(STANDARD, reading(100, utc('2026-10-20T12:00')))
  expect((await months(browser))[1]).toMatchObject({ month: '2026-10', others: { low: 100, high: 100 } })
  await fixture.store.addReading(STANDARD, reading(900, utc('2026-11-22T12:00')))
  expect((await months(browser))[0]).not.toHaveProperty('others')
  await fixture.store.removeReading(STANDARD, reading(100, utc('2026-10-20T12:00')).id, fixture.now())
  expect(await months(browser)).toHaveLength(1)
})

test('a refusal over the month makes it run out, until a success of the same month (8.3)', async () => {
  const [fixture, browser] = await signedIn()
  await browser.request('POST', '/bff/readings', { json: { count: 95 } })
  fixture.advance(60_000)
  fixture.intercept(() => Promise.resolve(new Response('{}', { status: 402 })))
  expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
  await fixture.bff.drain()
  expect((await months(browser))[0]).toMatchObject({ ran_out_on: '2026-11-21' })
  fixture.intercept(undefined)
  fixture.advance(2 * 60_000)
  expect((await browser.spend(PATH)).status).toBe(200)
  await fixture.bff.drain()
  expect((await months(browser))[0]).not.toHaveProperty('ran_out_on')
})

test('a month that ran out keeps its plan and its day in the months after it, in each process (8.3)', async () => {
  const [fixture, browser] = await signedIn()
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
  const [fixture, browser] = await signedIn()
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
