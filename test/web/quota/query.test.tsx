import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../../src/contract/quota.ts'
import { createQueryClient } from '../../../src/web/lib/query.ts'
import { type LiveState, useUi } from '../../../src/web/lib/ui.ts'
import {
  openQuota,
  putAnswer,
  putQuota,
  QUOTA_KEY,
  type ReceivedQuota,
  refetchQuota,
  useQuota,
  useQuotaEnds,
} from '../../../src/web/quota/query.ts'
import { Stale, useStale } from '../../../src/web/quota/live-word.tsx'
import { draw } from '../_month.tsx'
import { hold, type Network, refuseOnce, signedInNetwork, stubFetch } from '../_network.ts'
import { showAgain } from '../_page.tsx'
import { snapshot, window_ } from '../_snapshot.ts'

const DAY = 86_400_000
const shownAs = (version: number, left: number, changes: Partial<QuotaSnapshot> = {}) =>
  snapshot({ version, read: window_({ remaining: left }), ...changes })

function open() {
  const client = createQueryClient(() => {})
  openQuota(client, { session: 'id' })
  const quota = () => client.getQueryData<ReceivedQuota>(QUOTA_KEY)
  return { client, quota, left: () => quota()?.snapshot.read.remaining }
}

test('an older snapshot is dropped whichever way it comes, and one of another epoch is not (B14, B20)', async () => {
  const { client, left } = open()
  putQuota(client, shownAs(7, 36))
  putQuota(client, shownAs(6, 37))
  expect(left()).toBe(36)
  stubFetch(async () => Response.json(shownAs(4, 40)))
  await client.prefetchQuery({ queryKey: QUOTA_KEY, staleTime: 0 })
  expect([left(), client.getQueryState(QUOTA_KEY)?.fetchStatus]).toEqual([36, 'idle'])
  putQuota(client, shownAs(7, 35))
  expect(left()).toBe(35)
  putQuota(client, shownAs(7, 34), Date.now() - 60_000)
  expect(left()).toBe(35)
  putQuota(client, shownAs(2, 12, { epoch: 'restored' }))
  expect(left()).toBe(12)
  putQuota(client, shownAs(1, 13, { epoch: 'restored' }))
  expect(left()).toBe(12)
})

test('if answers overtake each other, the one asked for last stays (B14)', async () => {
  const { client, left } = open()
  const waiting: ((left: number) => void)[] = []
  stubFetch(
    () =>
      new Promise((resolve) => waiting.push((remaining) => resolve(Response.json(shownAs(1, remaining))))),
  )
  const first = client.fetchQuery({ queryKey: QUOTA_KEY }).catch(() => {})
  const second = refetchQuota(client)
  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  for (const [at, answer] of waiting.toReversed().entries()) answer(35 + at)
  await Promise.all([first, second])
  expect(left()).toBe(35)
})

test('an answer shows the quota that it carries, unless a newer one is shown, or it carries none (B14)', () => {
  const { client, left } = open()
  const answer = (version: number, remaining: number): void =>
    putAnswer(client, new Headers({ 'X-Plimsoll-Quota': JSON.stringify(shownAs(version, remaining)) }))
  answer(1, 37)
  expect(left()).toBe(37)
  putQuota(client, shownAs(3, 35))
  answer(2, 36)
  putAnswer(client, new Headers({ 'X-RateLimit-Remaining': '3' }))
  expect(left()).toBe(35)
})

test('a snapshot that a stopped tab held up has its own age (B11, B20)', () => {
  const { client, quota } = open()
  putQuota(client, shownAs(1, 37), Date.now() - 60_000)
  expect(Math.round((Date.now() - (quota()?.atMs ?? 0)) / 1000)).toBe(60)
})

test('a failed read leaves the former quota, and a press on the removed cache brings nothing (ASVS 14.3.1)', async () => {
  const network = await signedInNetwork()
  const { client, quota, left } = open()
  await client.prefetchQuery({ queryKey: QUOTA_KEY })
  network.cut.add('GET /bff/quota')
  await client.prefetchQuery({ queryKey: QUOTA_KEY, staleTime: 0 })
  expect(left()).toBe(59)
  expect(client.getQueryState(QUOTA_KEY)?.error).toMatchObject({ code: 'bff_unreachable' })
  network.cut.clear()
  const answer = hold(network)
  const late = client.prefetchQuery({ queryKey: QUOTA_KEY, staleTime: 0 })
  client.getQueryCache().clear()
  answer()
  await late
  expect(quota()).toBeUndefined()
})

function Reader() {
  useQuotaEnds()
  return useQuota(({ snapshot: { read } }) => read.remaining)
}

/** A page with only the quota, under a stopped clock. */
async function idle(network: Network) {
  const { client, quota } = open()
  vi.useFakeTimers()
  render(
    <QueryClientProvider client={client}>
      <Reader />
    </QueryClientProvider>,
  )
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(0)
  return { pass, snapshot: () => quota()!.snapshot, asked: () => network.count('GET', '/bff/quota') }
}

test('a day of idling reads the quota once, and spends nothing (B19)', async () => {
  const network = await signedInNetwork()
  const { pass, asked } = await idle(network)
  await pass(DAY)
  expect([asked(), network.calls.length, network.spent()]).toEqual([1, 1, 0])
})

test('during a pause until the end of the month the page sends nothing before its end (B13)', async () => {
  const network = await signedInNetwork()
  await refuseOnce(network, {})
  const { pass, snapshot: now, asked } = await idle(network)
  const [pause] = now().pauses
  expect(pause).toMatchObject({ code: 'month_suspected' })
  const endsInMs = pause?.ends_in_ms ?? 0
  expect(endsInMs).toBeGreaterThan(8 * DAY)
  await pass(endsInMs - 60_000)
  expect(asked()).toBe(1)
  network.fixture.advance(endsInMs)
  await pass(120_000)
  expect(asked()).toBe(2)
})

test('whenever the month may be reset the page shows it by itself, without a paid request (C15)', async () => {
  const network = await signedInNetwork()
  const { fixture, browser } = network
  const spent = network.spent()
  // An unused session ends after a week.
  while ((await browser.quota()).month.resets_in_ms.earliest > 5 * DAY) {
    fixture.advance(4 * DAY)
    await browser.session()
  }
  const { pass, snapshot: now } = await idle(network)
  expect(now().month).toMatchObject({ may_have_reset: false, low: 1 })
  const { earliest, latest } = now().month.resets_in_ms
  fixture.advance(earliest)
  await pass(earliest + 2000)
  expect(now().month).toMatchObject({ may_have_reset: true, low: 0 })
  fixture.advance(latest - earliest)
  await pass(latest - earliest + 2000)
  expect(now().month).toMatchObject({ may_have_reset: false, high: 0 })
  expect(network.spent()).toBe(spent)
})

test('a pause that ends while the page is hidden is read when the page is seen again (B11)', async () => {
  const network = await signedInNetwork()
  await refuseOnce(network, { 'Retry-After': '5' })
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const { pass, asked } = await idle(network)
  await pass(60_000)
  expect(asked()).toBe(1)
  hidden.mockReturnValue('visible')
  act(showAgain)
  await pass(0)
  expect([asked(), network.spent()]).toEqual([2, 1])
})

function Word({ atMs }: { atMs: number }) {
  return useStale() ? <Stale atMs={atMs} /> : 'new'
}

test.each<[LiveState, boolean, string]>([
  ['live', false, 'new'],
  ['connecting', false, 'new'],
  ['not_live', false, 'Last update 3 minutes ago'],
  ['live', true, 'Last update 3 minutes ago'],
])('on a page that is %s, after a failed read: %s, a card shows "%s" (B20)', async (live, fails, words) => {
  const { fail } = draw(<Word atMs={Date.now() - 180_000} />)
  act(() => useUi.setState({ live }))
  if (fails) fail(new Problem('bff_unreachable'))
  expect(await screen.findByText(words)).toBeVisible()
})

test('after a sleep the ages are true at once, before anything is asked (B11)', () => {
  vi.useFakeTimers()
  draw(<Word atMs={Date.now()} />)
  act(() => useUi.setState({ live: 'not_live' }))
  expect(screen.getByText('Last update just now')).toBeVisible()
  vi.setSystemTime(Date.now() + 7 * 3_600_000)
  act(showAgain)
  expect(screen.getByText('Last update 7 hours ago')).toBeVisible()
})
