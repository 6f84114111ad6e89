import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { byName } from '../../../src/bff/quota/ledger-browsers.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'
import { parseLedgerBrowsers } from '../../../src/contract/ledger.ts'
import { BUSINESS, startApp, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { addSent, SENT } from './_requests.ts'

async function browsers(browser: Person) {
  const { status, body } = await browser.request<unknown>('GET', '/bff/ledger/browsers')
  expect(status).toBe(200)
  return parseLedgerBrowsers(body).browsers
}

const request = fc.record(
  { ...SENT, owner: fc.constantFrom('browser a', 'key b/1', 'key b/2', '', '__proto__') },
  { requiredKeys: ['kind', 'atMs', 'outcome'] },
)

test('any requests sum up by name to what the month counts (8.3)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 80 }), async (requests) => {
      const fixture = startApp({ startMs: Date.UTC(2026, 10, 4) })
      const browser = fixture.browser()
      await browser.signIn()
      const named = ['browser a', '__proto__'].map((sender) => ({ sender, name: `name of ${sender}` }))
      await fixture.store.changeNote(`browsers ${STANDARD}`, () => ({ format: 1, value: named }), Infinity)
      await addSent(fixture, requests)
      const found = await browsers(browser)
      const { month } = await browser.quota()
      expect(found.reduce((sum, { high }) => sum + high, 0)).toBe(month.high)
      // The low end of the month begins in the last zone, that of the ledger in the first.
      const { days } = (await browser.request<{ days: { low: number }[] }>('GET', '/bff/ledger/days')).body
      const lowOf = (list: { low: number }[]) => list.reduce((sum, { low }) => sum + low, 0)
      expect(lowOf(found)).toBe(lowOf(days))
      expect(new Set(found.map((one) => one.browser)).size).toBe(found.length)
      await fixture.store.close()
    }),
    { numRuns: 25 },
  )
})

test('a month of more rows than one read takes is counted whole, and again only after a change (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn(BUSINESS, 'Cleo')
  const atMs = fixture.now()
  const read = { kind: 'api.read', atMs, outcome: 'settled', status: 200, owner: 'x' } as const
  await addSent(
    fixture,
    Array.from({ length: 749 }, () => read),
    BUSINESS,
  )
  await addSent(fixture, [read], STANDARD)
  const { listEntries } = fixture.store
  const asked: number[] = []
  fixture.store.listEntries = (organization, { most, ...rest }) => {
    asked.push(most)
    return listEntries(organization, { most, ...rest })
  }
  const [all, same] = await Promise.all([browsers(browser), browsers(browser)])
  expect(all).toEqual([
    { browser: 'Another browser', low: 1, high: 2 },
    { low: 749, high: 749 },
  ])
  expect(same).toEqual(all)
  expect(await browsers(browser)).toEqual(all)
  const reads = asked.length
  expect(reads).toBe(4)
  await browser.spend('/rate_limit')
  await fixture.bff.drain()
  expect((await browsers(browser))[0]).toEqual({ browser: 'Another browser', low: 1, high: 3 })
  expect(asked).toHaveLength(2 * reads)
})

test('other work runs between two reads of a long month (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  const read = { kind: 'api.read', atMs: fixture.now(), outcome: 'reserved' } as const
  await addSent(
    fixture,
    Array.from({ length: 700 }, () => read),
  )
  let iterations = 0
  const counted = browsers(browser)
  const follow = (): void => {
    iterations += 1
    pending = setImmediate(follow)
  }
  let pending = setImmediate(follow)
  await counted
  clearImmediate(pending)
  expect(iterations).toBeGreaterThanOrEqual(3)
})

test('names with the most requests come first, and those without a name are one line at the end (8.3)', () => {
  const one = { kind: 'api.read', outcome: 'settled', succeeded: true } as const
  const counts = new Map([
    ['a', [{ ...one, count: 2 }]],
    ['', [{ ...one, count: 9 }]],
    ['dropped', [{ ...one, count: 1 }]],
    ['b', [{ ...one, count: 3 }]],
    ['c', [{ ...one, succeeded: false, count: 4 }]],
    ['d', [{ ...one, outcome: 'void' as const, count: 4 }]],
  ])
  const names = new Map([
    ['a', 'Aya'],
    ['b', 'Ben'],
    ['c', 'Aya'],
    ['d', 'never sent'],
  ])
  expect(byName(counts, names, ASSUMED)).toEqual([
    { browser: 'Aya', low: 2, high: 6 },
    { browser: 'Ben', low: 3, high: 3 },
    { low: 10, high: 10 },
  ])
})

test.each(['next=a', 'browser'])('the parameter %s is refused (8.3)', async (query) => {
  const browser = startApp().browser()
  await browser.signIn()
  const { status, body } = await browser.request('GET', `/bff/ledger/browsers?${query}`)
  expect([status, body.code]).toEqual([400, 'invalid_request'])
})

test('without a session there are no sums (5.5)', async () => {
  const { status, body } = await startApp().browser().request('GET', '/bff/ledger/browsers')
  expect([status, body.code]).toEqual([401, 'signed_out'])
})
