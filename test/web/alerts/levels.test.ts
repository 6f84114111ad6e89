import { expect, test, vi } from 'vitest'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import {
  type Alert,
  alertOf,
  type AlertRecord,
  alertRecordOf,
  storeAlertRecord,
} from '../../../src/web/alerts/levels.ts'
import { month } from '../_snapshot.ts'
import { alertWords, titleMark } from '../../../src/web/alerts/words.ts'

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

test.each<[Partial<MonthSnapshot>[], string]>([
  [[49, 50, 51, 80, 94, 95, 100, 100].map(used), '- 50 - 80 - 95 100 -'],
  [[96, 40, 85].map(used), '95 - -'],
  // Requests that may count reach a level, but only those that surely count reach the last.
  [
    [
      { low: 10, high: 50 },
      { low: 10, high: 100 },
    ],
    '50 95',
  ],
  [[{ ...used(3), ...SUSPECTED }, used(3), used(3), used(50)], 'suspected available - 50'],
])('each level, a refusal and its end are notified once: %o gives %s (8.3)', (steps, alerts) => {
  expect(
    alertsOf(...steps)
      .map((alert) => alert ?? '-')
      .join(' '),
  ).toBe(alerts)
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
const reading = { organization: { low: 95, high: 97, reading_age_ms: 0 } }

test.each<[Partial<MonthSnapshot>, string]>([
  [{}, ''],
  [{ low: 79, high: 79 }, ''],
  [{ low: 90, high: 97 }, '▲ at most 10 left'],
  [reading, '▲ 3–5 left'],
  [{ low: 100, high: 100 }, '■ none left'],
  [SUSPECTED, '■ probably used up'],
  [{ low: 5000, high: 5000, limit: undefined as never }, ''],
])('at %o the title begins with "%s", only while the month is low or used up', (changes, mark) => {
  expect(titleMark(month(changes))).toBe(mark)
})

test.each<[Alert, string, string]>([
  [80, '80 % of the month may be used', 'has used 95–97 of 100; 3 of them through this app.'],
  [100, 'No requests of the month are left', 'It is reset between Nov 21, 9:00 AM and Nov 22, 10:00 AM.'],
  ['suspected', 'The month is probably used up', 'The service refused a request. It is reset between'],
  ['available', 'Requests are possible again', 'has used 95–97 of 100; 3 of them through this app.'],
])('%s is notified as "%s"', (alert, title, body) => {
  const resets_in_ms = { earliest: 0, latest: 25 * 3_600_000 }
  const words = alertWords(alert, month({ ...reading, resets_in_ms }), Date.UTC(2026, 10, 21))
  expect(words.title).toBe(title)
  expect(words.body).toContain(body)
})
