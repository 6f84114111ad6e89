import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetQuota, noticeSleep, readQuota, useQuotaReadings } from '../../src/web/quota.ts'
import { useUi } from '../../src/web/ui.ts'
import { snapshot, standIn, window_ } from './_bff.ts'

beforeEach(() => forgetQuota())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const remaining = () => useUi.getState().quota?.snapshot.read.remaining

test('of answers that overtake each other the last asked for stays (B14)', async () => {
  const waiting: ((remaining: number) => void)[] = []
  vi.stubGlobal(
    'fetch',
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
  standIn()
  const late = readQuota()
  forgetQuota()
  await late
  expect(useUi.getState().quota).toBeUndefined()
})

test('a reading that fails leaves what was known', async () => {
  const bff = standIn()
  await readQuota()
  bff.failures = { 'GET /bff/quota': 'unreachable' }
  await readQuota()
  expect(remaining()).toBe(37)
  expect(useUi.getState().quotaProblem).toMatchObject({ code: 'bff_unreachable' })
})

test('clocks that went apart show that the machine slept (B11)', async () => {
  standIn()
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
  vi.useFakeTimers()
  const bff = standIn()
  render(<Reader />)
  await act(() => vi.advanceTimersByTimeAsync(86_400_000))
  expect(bff.calls).toHaveLength(1)
  expect(bff.spent()).toBe(0)
})

test('a pause of 30 days is waited for without one request before its end (B13)', async () => {
  vi.useFakeTimers()
  const days = 86_400_000
  const bff = standIn({
    quota: snapshot({ pauses: [{ code: 'month_suspected', ends_in_ms: 30 * days, reasons: [] }] }),
  })
  render(<Reader />)
  await act(() => vi.advanceTimersByTimeAsync(29.9 * days))
  expect(bff.calls).toHaveLength(1)
  bff.quota = snapshot()
  await act(() => vi.advanceTimersByTimeAsync(days))
  expect(bff.calls).toHaveLength(2)
})

test('a pause that ends while nobody looks is not asked about', async () => {
  vi.useFakeTimers()
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const bff = standIn({
    quota: snapshot({ pauses: [{ code: 'rate_limited', ends_in_ms: 5000, reasons: [] }] }),
  })
  render(<Reader />)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(bff.calls).toHaveLength(1)
})
