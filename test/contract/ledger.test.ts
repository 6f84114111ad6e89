import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { foldedBeforeMs, READINGS_COMPARED_MS } from '../../src/contract/ledger-fold.ts'
import { monthBounds } from '../../src/contract/month.ts'

const DAY_MS = 86_400_000
const utc = (text: string) => Date.parse(`${text}Z`)

test.each([
  // Kiritimati is 14 hours ahead: its September began on 31 August at 10:00, and that day is not old yet.
  ['2026-11-22T12:00', '2026-08-31'],
  ['2026-11-30T09:59', '2026-08-31'],
  // 12 hours behind UTC it is still October; 14 hours ahead, August had already started.
  ['2026-11-01T11:59', '2026-07-31'],
  // 14 hours ahead it is July; in Tokyo it is June, and April began there on 31 March.
  ['2026-06-30T10:00', '2026-03-31'],
  ['2026-11-01T12:00', '2026-08-30'],
  // February is short: readings are compared over 62 days.
  ['2027-03-01T12:00', '2026-12-28'],
  ['2027-01-15T00:00', '2026-10-31'],
])('at %s what is before %s is old (8.3)', (now, before) => {
  expect(new Date(foldedBeforeMs(utc(now))).toISOString().slice(0, 10)).toBe(before)
})

test('nothing that a month of any zone or a comparison of readings asks for is old (8.3)', () => {
  const zones = [
    'UTC',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
    'Asia/Tokyo',
    'America/St_Johns',
    'Australia/Sydney',
  ]
  assert(
    property(integer({ min: utc('2025-01-01T00:00'), max: utc('2030-01-01T00:00') }), (nowMs) => {
      const beforeMs = foldedBeforeMs(nowMs)
      expect(Math.abs(beforeMs % DAY_MS)).toBe(0)
      expect(beforeMs).toBeLessThan(nowMs - READINGS_COMPARED_MS)
      for (const zone of zones) {
        const startBefore = (atMs: number) => monthBounds(atMs - 1, zone).startMs
        expect(beforeMs).toBeLessThanOrEqual(startBefore(startBefore(monthBounds(nowMs, zone).startMs)))
      }
    }),
  )
})
