import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type LedgerDay,
  type LedgerEntry,
  parseLedger,
  parseLedgerDays,
} from '../../../src/contract/ledger.ts'
import { BUSINESS, startApp } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { addSent, SENT } from './_requests.ts'

const DAY_MS = 86_400_000

async function days(browser: Person): Promise<LedgerDay[]> {
  const { status, body } = await browser.request<unknown>('GET', '/bff/ledger/days')
  expect(status).toBe(200)
  return parseLedgerDays(body).days
}

async function allEntries(browser: Person, next?: string): Promise<LedgerEntry[]> {
  const query = next === undefined ? '' : `?next=${next}`
  const page = parseLedger((await browser.request<unknown>('GET', `/bff/ledger${query}`)).body)
  return page.next === undefined ? page.entries : [...page.entries, ...(await allEntries(browser, page.next))]
}

function countEntries(entries: readonly LedgerEntry[]): LedgerDay[] {
  const counted = new Map<string, LedgerDay>()
  for (const { at, kind, counts } of entries) {
    if (counts === 'no') continue
    const day = at.slice(0, 10)
    const known = counted.get(`${day} ${kind}`) ?? { day, kind, low: 0, high: 0 }
    const low = known.low + (counts === 'yes' ? 1 : 0)
    counted.set(`${day} ${kind}`, { ...known, low, high: known.high + 1 })
  }
  return [...counted.values()]
}
const inOrder = (list: LedgerDay[]) =>
  list.toSorted((a, b) => b.day.localeCompare(a.day) || a.kind.localeCompare(b.kind))

test('the requests of the month are counted by day and kind, newest first, at least and at most (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(DAY_MS)
  const sent = fixture.sent.length
  const atMs = fixture.now()
  await addSent(fixture, [
    { kind: 'rate_limit', atMs, outcome: 'settled', status: 200 },
    { kind: 'api.read', atMs, outcome: 'settled', status: 200 },
    { kind: 'api.read', atMs, outcome: 'uncertain' },
    { kind: 'api.update', atMs, outcome: 'void' },
  ])
  await addSent(fixture, [{ kind: 'api.read', atMs, outcome: 'settled', status: 200 }], BUSINESS)
  expect(await days(browser)).toEqual([
    { day: '2026-11-22', kind: 'api.read', low: 1, high: 2 },
    { day: '2026-11-22', kind: 'rate_limit', low: 0, high: 1 },
    { day: '2026-11-21', kind: 'api.read', low: 1, high: 1 },
    { day: '2026-11-21', kind: 'token.code', low: 0, high: 1 },
  ])
  expect(fixture.sent).toHaveLength(sent)
})

const request = fc.record(SENT, { requiredKeys: ['kind', 'atMs', 'outcome'] })

test('any requests are the same by day as in the list, and together what the month counts at most (8.3)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 120 }), async (requests) => {
      const fixture = startApp({ startMs: Date.UTC(2026, 10, 4) })
      const browser = fixture.browser()
      await browser.signIn()
      await addSent(
        fixture,
        requests.map((one) => ({ ...one, atMs: Math.floor(one.atMs) })),
      )
      const found = await days(browser)
      expect(found).toEqual(inOrder(countEntries(await allEntries(browser))))
      const high = found.reduce((sum, day) => sum + day.high, 0)
      expect(high).toBe((await browser.quota()).month.high)
      await fixture.store.close()
    }),
    { numRuns: 25 },
  )
})

test('a request of another process between two counts makes no count negative (8.3)', async () => {
  const fixture = startApp({ startMs: Date.UTC(2026, 10, 4) })
  const browser = fixture.browser()
  await browser.signIn()
  await addSent(fixture, [{ kind: 'api.read', atMs: Date.UTC(2026, 9, 31, 12), outcome: 'uncertain' }])
  const { countByKind } = fixture.store
  const succeeded = { kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 } as const
  fixture.store.countByKind = async (organization, sinceMs) => {
    const counted = await countByKind(organization, sinceMs)
    return sinceMs % DAY_MS === 0
      ? [...counted, succeeded]
      : [...counted, { ...succeeded, outcome: 'reserved' }]
  }
  expect((await days(browser)).at(-1)).toEqual({ day: '2026-10-31', kind: 'api.read', low: 0, high: 1 })
})

test.each(['next=a', 'day=2026-11-21', 'day'])('the parameter %s is refused (8.3)', async (query) => {
  const browser = startApp().browser()
  await browser.signIn()
  const { status, body } = await browser.request('GET', `/bff/ledger/days?${query}`)
  expect([status, body.code]).toEqual([400, 'invalid_request'])
})

test('without a session there are no days (5.5)', async () => {
  const { status, body } = await startApp().browser().request('GET', '/bff/ledger/days')
  expect([status, body.code]).toEqual([401, 'signed_out'])
})
