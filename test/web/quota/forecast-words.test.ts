import { expect, test } from 'vitest'
import type { Forecast } from '../../../src/contract/quota.ts'
import { forecastWords } from '../../../src/web/quota/month-words.ts'
import { dayWords } from '../../../src/web/lib/time.ts'

const NOW_MS = Date.UTC(2026, 10, 21, 4, 3)
const DAY_MS = 86_400_000

test.each<[Partial<Forecast>, string]>([
  [{ state: 'too_early' }, ''],
  [{ state: 'used_up' }, ''],
  [{ state: 'on_pace' }, 'At this pace it lasts until the reset.'],
  [{ state: 'under', difference: 1 }, 'At this pace 1 request will be left at the reset.'],
  [{ state: 'over', difference: 4 }, 'At this pace 4 requests of the reserve will be used by the reset.'],
  [
    { state: 'runs_out', runs_out_in_ms: 6 * DAY_MS },
    `At this pace it lasts until ${dayWords(NOW_MS + 6 * DAY_MS)}.`,
  ],
  [{ state: 'on_pace', early: true }, 'At this pace it lasts until the reset (an early estimate).'],
  [{ state: 'stale' }, 'The newest reading is too old for a forecast.'],
])('the forecast %o is "%s" (C36, C37)', (forecast, words) => {
  expect(forecastWords({ state: 'too_early', early: false, ...forecast }, NOW_MS, true)).toBe(words)
})

test('where others are not counted the pace is that of this app alone, and stated as that (C23)', () => {
  expect(forecastWords({ state: 'on_pace', early: false }, NOW_MS, false)).toBe(
    'At the pace of this app alone it lasts until the reset.',
  )
})
