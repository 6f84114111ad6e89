import { expect, test } from 'vitest'
import { scriptQuotaOf, watchedState } from '../../src/contract/watch.ts'
import { month, snapshot, window_ } from '../web/_snapshot.ts'

const NOW_MS = Date.UTC(2026, 10, 21, 6)
const DAY_MS = 86_400_000

/** With each delay and each age that a link shows, a time after the answers that it is about. */
const after = (ms: number, { remaining = 37, runsOutInMs = 5 * DAY_MS, version = 1 } = {}) =>
  snapshot({
    version,
    read: window_({ remaining, reset_in_ms: 22_000 - ms, age_ms: 12_000 + ms }),
    month: month({
      resets_in_ms: { earliest: 9 * DAY_MS - ms, latest: 10 * DAY_MS - ms },
      organization: { low: 3, high: 3, reading_age_ms: 5000 + ms },
      forecast: { state: 'runs_out', early: false, runs_out_in_ms: runsOutInMs - ms },
    }),
    pauses: [{ code: 'rate_limited', ends_in_ms: 9000 - ms, reasons: [] }],
  })

test.each([
  ['5 s later', after(5000), 5000, true],
  ['with another version', after(0, { version: 2 }), 0, true],
  ['with times that differ by less than half a second', after(400), 0, true],
  ['with times that differ by a second', after(1000), 0, false],
  ['with one request less', after(0, { remaining: 36 }), 0, false],
  ['with a forecast that is 10 minutes earlier', after(0, { runsOutInMs: 5 * DAY_MS - 600_000 }), 0, true],
  ['with a forecast that is an hour earlier', after(0, { runsOutInMs: 5 * DAY_MS - 3_600_000 }), 0, false],
])('a snapshot %s says the same: %4$s (RFC 9110 8.8.1)', (_, quota, elapsedMs, isSame) => {
  expect(watchedState(quota, NOW_MS + elapsedMs) === watchedState(after(0), NOW_MS)).toBe(isSame)
})

test.each(['earliest', 'latest'] as const)(
  'another end of the month, %s, says something else (8.3)',
  (end) => {
    const { resets_in_ms } = month()
    const other = month({ resets_in_ms: { ...resets_in_ms, [end]: resets_in_ms[end] + 1000 } })
    expect(watchedState(snapshot({ month: other }), NOW_MS)).not.toBe(watchedState(snapshot(), NOW_MS))
  },
)

test('a script gets what is left of the month, and nothing of it without a limit (8.3)', () => {
  expect(scriptQuotaOf(snapshot())).toEqual({ ...snapshot(), left: { low: 97, high: 97 } })
  const { limit: _, ...unlimited } = month()
  expect(scriptQuotaOf(snapshot({ month: unlimited }))).not.toHaveProperty('left')
})
