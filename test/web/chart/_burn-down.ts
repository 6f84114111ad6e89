// The only place that makes the data of the chart for tests.
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import { type BurnDown, burnDownOf, type MonthHistory } from '../../../src/web/chart/burn-down.ts'
import { snapshot } from '../_snapshot.ts'

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const NOW = Date.UTC(2026, 10, 21, 6)
/** The reset in all possible zones: from 10:00 UTC on the 30th until 12:00 on the 1st. */
const RESETS = {
  earliest: Date.UTC(2026, 10, 30, 10) - NOW,
  latest: Date.UTC(2026, 11, 1, 12) - NOW,
}

/** @param month changes of a month of which this app has used 7 to 9 of 100 requests */
export const burnDown = (
  month: Partial<MonthSnapshot> = {},
  { nowMs = NOW, days = [], readings = [] }: Partial<Omit<MonthHistory, 'month'>> = {},
): BurnDown =>
  burnDownOf({
    nowMs,
    days,
    readings,
    month: { ...snapshot().month, low: 7, high: 9, resets_in_ms: RESETS, limit: 100, ...month },
  })

/** The organization has used 60 by now, and 20 ten days ago. */
export const withReadings = (month: Partial<MonthSnapshot> = {}, nowMs = NOW): BurnDown =>
  burnDown(
    { organization: { low: 58, high: 60, reading_age_ms: DAY_MS }, ...month },
    { nowMs, readings: [{ count: 20, atMs: nowMs - 10 * DAY_MS }] },
  )
