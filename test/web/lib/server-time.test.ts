import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerTime, onServer } from '../../../src/web/lib/server-time.ts'
import { useUi } from '../../../src/web/lib/ui.ts'

const NOON_MS = Date.UTC(2026, 10, 21, 12)
const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now: NOON_MS, toFake: ['Date'] })
  useUi.setState({ clockAheadMs: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

const answer = (serverMs: number, status = 200) =>
  new Response(null, { status, headers: { Date: new Date(serverMs).toUTCString() } })

test.each([
  [86_400_000, 86_400_000],
  [-86_400_000, -86_400_000],
  [3 * MINUTE_MS, 3 * MINUTE_MS],
  [2 * MINUTE_MS, 0],
  [-1000, 0],
])('a clock that is %i ms ahead of the server is corrected by %i ms (RFC 9110 6.6.1)', (ahead, by) => {
  noteServerTime(answer(NOON_MS - ahead))
  expect(useUi.getState().clockAheadMs).toBe(by)
  expect(onServer(NOON_MS)).toBe(NOON_MS - by)
})

test('a correction stays as it is until the clock is set, and an error corrects nothing (RFC 9110 6.6.1)', () => {
  noteServerTime(answer(NOON_MS - 86_400_000))
  noteServerTime(answer(NOON_MS - 86_400_000 + 5000))
  noteServerTime(answer(NOON_MS, 502))
  noteServerTime(new Response())
  expect(useUi.getState().clockAheadMs).toBe(86_400_000)
  noteServerTime(answer(NOON_MS))
  expect(useUi.getState().clockAheadMs).toBe(0)
})
