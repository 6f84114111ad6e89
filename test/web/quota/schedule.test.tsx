import { act, render, screen } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { type Ui, useUi } from '../../../src/web/lib/ui.ts'
import { forgetQuota } from '../../../src/web/quota/quota.ts'
import { useQuotaSchedule } from '../../../src/web/quota/schedule.ts'
import { Stale, useStale } from '../../../src/web/quota/stale.tsx'
import { refuseOnce, signedInNetwork } from '../_network.ts'

beforeEach(() => forgetQuota())
// Fake timers do not wait for a module that is loaded later.
beforeAll(() => import('../../../src/web/quota/queries.ts'))

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
