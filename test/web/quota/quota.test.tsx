import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { act, render, screen } from '@testing-library/react'
import { type ReportedAnswer, withAnswers } from '../../../src/contract/quota-fold.ts'
import { parseQuota, type QuotaSnapshot } from '../../../src/contract/quota.ts'
import { type Ui, useUi } from '../../../src/web/lib/ui.ts'
import {
  addAnswer,
  applySnapshot,
  forgetQuota,
  noticeSleep,
  readQuota,
} from '../../../src/web/quota/quota.ts'
import { SKELETON } from '../../../src/web/quota/skeleton.ts'
import { refuseOnce, signedInNetwork, stubFetch } from '../_network.ts'
import { snapshot, window_ } from '../_snapshot.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { useQuotaSchedule } from '../../../src/web/quota/schedule.ts'
import { Stale, useStale } from '../../../src/web/quota/stale.tsx'

beforeEach(() => forgetQuota())
// Fake timers do not wait for a module that is loaded later.
beforeAll(() => import('../../../src/web/quota/queries.ts'))

const remaining = () => useUi.getState().quota?.snapshot.read.remaining

test('if answers overtake each other, the one asked for last stays (B14)', async () => {
  const waiting: ((remaining: number) => void)[] = []
  stubFetch(
    () =>
      new Promise((resolve) => {
        waiting.push((left) => resolve(Response.json(snapshot({ read: window_({ remaining: left }) }))))
      }),
  )
  const both = [readQuota(), readQuota()]
  await expect.poll(() => waiting).toHaveLength(2)
  waiting[1]?.(35)
  await both[1]
  waiting[0]?.(36)
  await both[0]
  expect(remaining()).toBe(35)
})

const shownAs = (version: number, left: number, changes: Partial<QuotaSnapshot> = {}) =>
  snapshot({ version, read: window_({ remaining: left }), ...changes })

test('an older snapshot from another source is dropped, even if it comes last (B20)', () => {
  applySnapshot(shownAs(7, 36))
  applySnapshot(shownAs(6, 37))
  expect(remaining()).toBe(36)
  applySnapshot(shownAs(7, 35))
  applySnapshot(shownAs(8, 12, { token: 'another' }))
  expect(remaining()).toBe(12)
})

/** Its window ends as late as that of the snapshots. */
const reported = (left: number, token = 'token'): ReportedAnswer => {
  const resetAtSeconds = 1_800_000_021
  const seen = { class: 'read', assumed: false, servedAtSeconds: 1_800_000_000, notes: [] } as const
  return {
    token,
    serviceMs: 1_800_000_000_000,
    atMs: performance.now(),
    observations: [{ ...seen, limit: 60, remaining: left, resetAtSeconds }],
  }
}
const answer = (one: ReportedAnswer) => addAnswer(one, withAnswers)

test('an answer that the next snapshot lacks stays shown, unless its token is another one (B14, B21)', () => {
  applySnapshot(shownAs(1, 37))
  answer(reported(36))
  answer(reported(3, 'another'))
  expect(remaining()).toBe(36)
  applySnapshot(shownAs(2, 37))
  expect(remaining()).toBe(36)
  applySnapshot(shownAs(3, 12, { token: 'another' }))
  expect(remaining()).toBe(3)
})

test('a snapshot long after an answer, or after a sleep, replaces the answer (B11)', () => {
  vi.useFakeTimers()
  applySnapshot(shownAs(1, 37))
  answer(reported(36))
  vi.advanceTimersByTime(4999)
  applySnapshot(shownAs(2, 37, { read: window_({ reset_in_ms: 17_001 }) }))
  expect(remaining()).toBe(36)
  vi.advanceTimersByTime(1)
  applySnapshot(shownAs(3, 37))
  expect(remaining()).toBe(37)
  answer(reported(30))
  useUi.setState({ drifted: true })
  applySnapshot(shownAs(3, 37))
  expect(remaining()).toBe(37)
  expect(useUi.getState().drifted).toBe(false)
})

test('an answer before the first snapshot shows nothing, and a sign-out removes all answers (8.2)', () => {
  answer(reported(36))
  expect(useUi.getState().quota).toBeUndefined()
  applySnapshot(shownAs(1, 37))
  expect(remaining()).toBe(36)
  forgetQuota()
  applySnapshot(shownAs(1, 37))
  expect(remaining()).toBe(37)
})

test('a request of this page that a snapshot has in flight does not count twice (B17)', () => {
  useUi.setState({ sending: 1 })
  applySnapshot(snapshot({ read: window_({ in_flight: 3 }), update: window_({ in_flight: 3 }) }))
  useUi.setState({ sending: 0 })
  const { read, update } = useUi.getState().quota?.snapshot ?? {}
  expect([read?.in_flight, update?.in_flight]).toEqual([2, 3])
  useUi.setState({ sending: 1 })
  applySnapshot(snapshot())
  expect(useUi.getState().quota?.snapshot.read.in_flight).toBe(0)
  useUi.setState({ sending: 0 })
})

test('a failed read leaves the former quota', async () => {
  const network = await signedInNetwork()
  await readQuota()
  network.cut.add('GET /bff/quota')
  await readQuota()
  expect(remaining()).toBe(59)
  expect(useUi.getState().quotaProblem).toMatchObject({ code: 'bff_unreachable' })
})

test('two clocks that differ show that the machine slept (B11)', async () => {
  await signedInNetwork()
  await readQuota()
  noticeSleep()
  expect(useUi.getState().drifted).toBe(false)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000)
  noticeSleep()
  expect(useUi.getState().drifted).toBe(true)
})

test('the skeleton is a valid snapshot', () => {
  expect(parseQuota(JSON.parse(JSON.stringify(SKELETON.snapshot)))).toEqual(SKELETON.snapshot)
})

function Reader() {
  useQuotaSchedule()
  return null
}

test('a day of idling reads the quota once, and spends nothing (B19)', async () => {
  const network = await signedInNetwork()
  vi.useFakeTimers()
  render(<Reader />)
  await act(() => vi.advanceTimersByTimeAsync(86_400_000))
  expect(network.calls).toHaveLength(1)
  expect(network.spent()).toBe(0)
})

test('during a pause until the end of the month the page sends nothing before its end (B13)', async () => {
  const network = await signedInNetwork()
  const days = 86_400_000
  await refuseOnce(network, {})
  vi.useFakeTimers()
  render(<Reader />)
  await act(() => vi.advanceTimersByTimeAsync(0))
  const [pause] = useUi.getState().quota?.snapshot.pauses ?? []
  expect(pause).toMatchObject({ code: 'month_suspected' })
  const endsInMs = pause?.ends_in_ms ?? 0
  expect(endsInMs).toBeGreaterThan(8 * days)
  await act(() => vi.advanceTimersByTimeAsync(endsInMs - 60_000))
  expect(network.calls).toHaveLength(1)
  network.fixture.advance(endsInMs)
  await act(() => vi.advanceTimersByTimeAsync(120_000))
  expect(network.calls).toHaveLength(2)
})

test('whenever the month may be reset the page shows it by itself, without a paid request (C15)', async () => {
  const network = await signedInNetwork()
  const { fixture, browser } = network
  const spent = network.spent()
  // An unused session ends after a week.
  while ((await browser.quota()).month.resets_in_ms.earliest > 5 * 86_400_000) {
    fixture.advance(4 * 86_400_000)
    await browser.session()
  }
  vi.useFakeTimers()
  render(<Reader />)
  await act(() => vi.advanceTimersByTimeAsync(0))
  const monthOf = () => useUi.getState().quota!.snapshot.month
  expect(monthOf()).toMatchObject({ may_have_reset: false, low: 1 })
  const { earliest, latest } = monthOf().resets_in_ms
  fixture.advance(earliest)
  await act(() => vi.advanceTimersByTimeAsync(earliest + 2000))
  expect(monthOf()).toMatchObject({ may_have_reset: true, low: 0 })
  fixture.advance(latest - earliest)
  await act(() => vi.advanceTimersByTimeAsync(latest - earliest + 2000))
  expect(monthOf()).toMatchObject({ may_have_reset: false, high: 0 })
  expect(network.spent()).toBe(spent)
})

test('a pause that ends while the page is hidden causes no read of the quota', async () => {
  const network = await signedInNetwork()
  await refuseOnce(network, { 'Retry-After': '5' })
  vi.useFakeTimers()
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  render(<Reader />)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(network.calls).toHaveLength(1)
})

const atMs = performance.now() - 180_000

function Word() {
  return useStale() ? <Stale atMs={atMs} /> : 'new'
}

test.each<[Partial<Ui>, string]>([
  [{ live: 'live' }, 'new'],
  [{ live: 'connecting' }, 'new'],
  [{ live: 'not_live' }, 'Last update 3 minutes ago'],
  [{ live: 'live', quotaProblem: new Problem('bff_unreachable') }, 'Last update 3 minutes ago'],
])('if the page is %o a card shows "%s" (B20)', (ui, words) => {
  render(<Word />)
  act(() => useUi.setState({ ...useUi.getInitialState(), ...ui }))
  expect(screen.getByText(words)).toBeVisible()
})
