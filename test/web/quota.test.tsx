import { act, render } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { forgetQuota, noticeSleep, readQuota, useQuotaReadings } from '../../src/web/quota.ts'
import { useUi } from '../../src/web/ui.ts'
import { refuseOnce, signedInNetwork, stubFetch } from './_network.ts'
import { snapshot, window_ } from './_snapshot.ts'

beforeEach(() => forgetQuota())

const remaining = () => useUi.getState().quota?.snapshot.read.remaining

test('of answers that overtake each other the one asked for last stays (B14)', async () => {
  const waiting: ((remaining: number) => void)[] = []
  stubFetch(
    () =>
      new Promise((resolve) => {
        waiting.push((left) => resolve(Response.json(snapshot({ read: window_({ remaining: left }) }))))
      }),
  )
  const both = [readQuota(), readQuota()]
  waiting[1]?.(35)
  await both[1]
  waiting[0]?.(36)
  await both[0]
  expect(remaining()).toBe(35)
})

test('an answer that comes after the sign-out is dropped', async () => {
  await signedInNetwork()
  const late = readQuota()
  forgetQuota()
  await late
  expect(useUi.getState().quota).toBeUndefined()
})

test('a failed reading leaves what was known', async () => {
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

function Reader() {
  useQuotaReadings()
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

test('a pause until the end of the month is waited for without one request before its end (B13)', async () => {
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

test('a pause that ends while the page is hidden is not asked about', async () => {
  const network = await signedInNetwork()
  await refuseOnce(network, { 'Retry-After': '5' })
  vi.useFakeTimers()
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  render(<Reader />)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(network.calls).toHaveLength(1)
})
