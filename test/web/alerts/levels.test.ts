import { expect, test, vi } from 'vitest'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import { alertOf, type AlertRecord, alertRecordOf, storeAlertRecord } from '../../../src/web/alerts/levels.ts'
import { month } from '../_snapshot.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const DAY_MS = 86_400_000
const used = (count: number) => ({ low: count, high: count })
const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }

/** After a first look at an unused month. */
function alertsOf(...steps: Partial<MonthSnapshot>[]) {
  let record: AlertRecord | undefined
  return [{ low: 0, high: 0 }, ...steps]
    .map((changes) => {
      const next = alertOf(month(changes), NOW_MS, record)
      record = next.record
      return next.alert
    })
    .slice(1)
}

test('each level is notified once (8.3)', () => {
  expect(alertsOf(used(49), used(50), used(51), used(80), used(94), used(95), used(100), used(100))).toEqual([
    undefined,
    50,
    undefined,
    80,
    undefined,
    95,
    100,
    undefined,
  ])
})

test('several levels at once are one notification, and a count that goes back repeats none', () => {
  expect(alertsOf(used(96), used(40), used(85))).toEqual([95, undefined, undefined])
})

test('requests that may count reach a level, but only those that surely count reach the last (8.3)', () => {
  expect(alertsOf({ low: 10, high: 50 }, { low: 10, high: 100 })).toEqual([50, 95])
})

test('a refusal and its end are notified once each, and lower levels are notified later', () => {
  expect(alertsOf({ ...used(3), ...SUSPECTED }, used(3), used(3), used(50))).toEqual([
    'suspected',
    'available',
    undefined,
    50,
  ])
})

test('a level that was reached before the first look is not notified', () => {
  const { alert, record } = alertOf(month(used(85)), NOW_MS, undefined)
  expect(alert).toBeUndefined()
  expect(record.done).toEqual([50, 80])
  expect(alertOf(month(used(95)), NOW_MS, record).alert).toBe(95)
})

test('a reset that moves by two days is the same month, and the next month starts from nothing', () => {
  const { record } = alertOf(month(used(85)), NOW_MS, undefined)
  const later = (ms: number) => alertOf(month(used(85)), NOW_MS + ms, record)
  expect(later(2 * DAY_MS).alert).toBeUndefined()
  expect(later(-2 * DAY_MS).alert).toBeUndefined()
  expect(later(28 * DAY_MS).alert).toBe(80)
})

test('a used-up month is notified as available in the next one, when the reset is certain', () => {
  const { record } = alertOf(month(used(100)), NOW_MS, undefined)
  expect(record.blocked).toBe(true)
  const between = alertOf(month({ low: 0, high: 100, may_have_reset: true }), NOW_MS + DAY_MS, record)
  expect(between).toEqual({ record })
  const next = alertOf(month(used(0)), NOW_MS + 28 * DAY_MS, record)
  expect(next.alert).toBe('available')
  expect(next.record).toMatchObject({ blocked: false, done: [] })
})

test('without a limit only a refusal is notified (8.3)', () => {
  const { limit: _, ...unlimited } = month(used(5000))
  const { record } = alertOf(unlimited, NOW_MS, undefined)
  expect(record.done).toEqual([])
  expect(alertOf({ ...unlimited, ...SUSPECTED }, NOW_MS, record).alert).toBe('suspected')
})

const RECORD = { resetsAtMs: 1_795_000_000_000, done: [50], blocked: false }

test('a record belongs to one organization until it is removed', () => {
  expect(alertRecordOf('1001')).toBeUndefined()
  expect(storeAlertRecord('1001', RECORD)).toBe(true)
  expect(alertRecordOf('1001')).toEqual(RECORD)
  expect(alertRecordOf('2002')).toBeUndefined()
  expect(storeAlertRecord('1001', undefined)).toBe(true)
  expect(alertRecordOf('1001')).toBeUndefined()
})

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"resetsAtMs":1,"done":[50]}',
  '{"resetsAtMs":1,"done":["a"],"blocked":true}',
])('%j in the storage is not a record', (value) => {
  localStorage.setItem('plimsoll.alerts.1001', value)
  expect(alertRecordOf('1001')).toBeUndefined()
})

test('a browser that forbids the storage has no record, and no error', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(storeAlertRecord('1001', RECORD)).toBe(false)
  expect(alertRecordOf('1001')).toBeUndefined()
})
