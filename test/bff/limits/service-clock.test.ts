// The month's interval, whatever time an answer states (8.3).
import { expect, test } from 'vitest'
import { IS_WHOLE } from '../../_extent.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/contract/duration.ts'
import type { LedgerBrowsers, LedgerDays, LedgerPage } from '../../../src/contract/ledger.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'
import { BUSINESS, type App } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { signedIn } from '../_signed-in.ts'

const PATH = `/organizations/${BUSINESS}`
const YEAR_MS = 365.25 * DAY_MS
/** From an hour to ten years, either way. */
const OFFSETS_MS = [HOUR_MS, 26 * HOUR_MS, 40 * DAY_MS, YEAR_MS, 10 * YEAR_MS].flatMap((ms) => [ms, -ms])

interface Kind {
  status: number
  body?: string
  isCached?: true
}
const KINDS: Kind[] = [
  { status: 200, isCached: true },
  { status: 404, body: '{"error":"x"}' },
  { status: 502, body: '<h1>Bad Gateway</h1>' },
  { status: 503, body: '{"error":"x"}' },
  { status: 200, body: '<!doctype html><p>Sign in to this network' },
]

/** The next answers state a time that is `aheadMs` off. The request reaches the service and counts there. */
function stateTime(fixture: App, aheadMs: number, { status, body, isCached }: Kind): void {
  fixture.intercept(async (request, through) => {
    const answer = await through(request)
    const headers = new Headers(answer.headers)
    headers.set('Date', new Date(fixture.now() + aheadMs).toUTCString())
    if (isCached) headers.set('Age', '5')
    return new Response(body ?? (await answer.text()), { status, headers })
  })
}

/** The service's own count. */
const trueCount = ({ sandbox }: App): number =>
  sandbox.control.snapshot().months[BUSINESS]?.count ?? Number.NaN

async function expectCount(fixture: App, browser: Person): Promise<void> {
  const { low, high } = (await browser.quota()).month
  const count = trueCount(fixture)
  expect({ count, isWithin: low <= count && count <= high, low, high }).toMatchObject({ isWithin: true })
}
const ledgerOf = async (browser: Person) =>
  (await browser.request<LedgerPage>('GET', '/bff/ledger')).body.entries

const READS = IS_WHOLE ? 200 : 60

test('errors and pages with a wrong Date: the true count is within the interval after each of them (8.3)', async () => {
  const { fixture, browser } = await signedIn({}, BUSINESS)
  for (let read = 0; read < 4; read += 1) await browser.spend(PATH)
  for (let nth = 0; nth < READS; nth += 1) {
    stateTime(fixture, OFFSETS_MS[nth % OFFSETS_MS.length]!, KINDS[Math.floor(nth / 10) % KINDS.length]!)
    await browser.spend(PATH)
    await expectCount(fixture, browser)
    expect((await ledgerOf(browser)).length).toBe(Math.min(50, nth + 7))
    fixture.advance(2 * SECOND_MS)
  }
  expect((await browser.quota()).month.high).toBeGreaterThanOrEqual(READS + 5)
})

test('a success of unclear meaning may count, also where a failed request surely does not (8.3)', async () => {
  const { fixture, browser } = await signedIn({ stated: { failed_requests_count: 'no' } }, BUSINESS)
  for (const kind of KINDS.filter(({ status }) => status === 200)) {
    fixture.advance(2 * SECOND_MS)
    stateTime(fixture, 0, kind)
    await browser.spend(PATH)
    await expectCount(fixture, browser)
    expect((await ledgerOf(browser))[0]?.outcome).toMatch(/uncertain|reserved/)
  }
})

test.each(OFFSETS_MS)('a clock %d ms off loses nothing and counts nothing twice (8.3)', async (aheadMs) => {
  const { fixture, browser } = await signedIn({ serviceAheadMs: aheadMs }, BUSINESS)
  await expectCount(fixture, browser)
  for (let read = 0; read < 3; read += 1) await browser.spend(PATH)
  const { low, high, resets_in_ms } = (await browser.quota()).month
  expect([low, high]).toEqual([4, 5])
  const end = fixture.now() + aheadMs + resets_in_ms.latest
  expect(new Date(end + 2 * SECOND_MS).getUTCDate()).toBe(1)
  const entries = await ledgerOf(browser)
  expect(entries).toHaveLength(5)
  for (const { at } of entries)
    expect(Math.abs(Date.parse(at) - fixture.now() - aheadMs)).toBeLessThan(MINUTE_MS)
  const { days } = (await browser.request<LedgerDays>('GET', '/bff/ledger/days')).body
  expect(new Set(days.map(({ kind, low: sure, high: most }) => `${kind} ${sure} ${most}`))).toEqual(
    new Set(['api.read 4 4', 'token.code 0 1']),
  )
  expect(new Set(days.map(({ day }) => day)).size).toBe(1)
  const { browsers } = (await browser.request<LedgerBrowsers>('GET', '/bff/ledger/browsers')).body
  expect(browsers).toEqual([{ browser: 'Another browser', low: 4, high: 5 }])
  // Two months later only a new sign-in counts, wherever the wrong clock has put it.
  fixture.advance(62 * DAY_MS)
  await browser.signIn(BUSINESS)
  expect((await browser.quota()).month).toMatchObject({ low: 1, high: 2 })
})

test.each(OFFSETS_MS.slice(4, 6))('a host %d ms off is right after a restart too (8.3)', async (ahead) => {
  const [first, second] = twoProcesses({ serviceAheadMs: ahead })
  const browser = first.browser()
  await browser.signIn(BUSINESS)
  await browser.spend(PATH)
  for (const process of [second, first.another()]) {
    const same = throughAnother(browser, process)
    expect((await same.quota()).month).toMatchObject({ low: 2, high: 3 })
    expect(await ledgerOf(same)).toHaveLength(3)
    expect(process.sent).toHaveLength(0)
  }
  const after = throughAnother(browser, second)
  await after.spend(PATH)
  expect((await after.quota()).month).toMatchObject({ low: 3, high: 4 })
  expect((await browser.quota()).month).toMatchObject({ low: 3, high: 4 })
})
