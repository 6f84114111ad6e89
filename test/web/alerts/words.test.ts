import { expect, test } from 'vitest'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import type { Alert } from '../../../src/web/alerts/levels.ts'
import { alertWords, titleMark } from '../../../src/web/alerts/words.ts'
import { month } from '../_snapshot.ts'

const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }
const reading = { organization: { low: 95, high: 97, reading_age_ms: 0 } }

test.each<[Partial<MonthSnapshot>, string]>([
  [{}, ''],
  [{ low: 79, high: 79 }, ''],
  [{ low: 90, high: 97 }, '▲ at most 10 left'],
  [reading, '▲ 3–5 left'],
  [{ low: 100, high: 100 }, '■ none left'],
  [SUSPECTED, '■ probably used up'],
])('at %o the title begins with "%s", only while the month is low or used up', (changes, mark) => {
  expect(titleMark(month(changes))).toBe(mark)
})

test('without a limit the title has no mark (8.3)', () => {
  const { limit: _, ...unlimited } = month({ low: 5000, high: 5000 })
  expect(titleMark(unlimited)).toBe('')
})

test.each<[Alert, string, string]>([
  [
    80,
    '80 % of the month may be used',
    'Your organization has used 95–97 of 100; 3 of them through this app.',
  ],
  [100, 'No requests of the month are left', 'It is reset between Nov 21, 9:00 AM and Nov 22, 10:00 AM.'],
  ['suspected', 'The month is probably used up', 'The service refused a request. It is reset between'],
  [
    'available',
    'Requests are possible again',
    'Your organization has used 95–97 of 100; 3 of them through this app.',
  ],
])('%s is notified as "%s"', (alert, title, body) => {
  const resets_in_ms = { earliest: 0, latest: 25 * 3_600_000 }
  const words = alertWords(alert, month({ ...reading, resets_in_ms }), Date.UTC(2026, 10, 21))
  expect(words.title).toBe(title)
  expect(words.body).toContain(body)
})
