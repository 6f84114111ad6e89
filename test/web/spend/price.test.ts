import { expect, test } from 'vitest'
import type { Caution } from '../../../src/contract/press.ts'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import { priceWords } from '../../../src/web/spend/button.tsx'
import { month } from '../_snapshot.ts'

const reading = (low: number, high = low) => ({ organization: { low, high, reading_age_ms: 0 } })
const { limit: _, ...unlimited } = month()

test.each<[Partial<MonthSnapshot>, Caution, string]>([
  [{}, 'plain', 'uses 1–2 of at most 97'],
  [reading(45), 'plain', 'uses 1–2 of 55'],
  [reading(41, 45), 'plain', 'uses 1–2 of 55–59'],
  [reading(97), 'last', 'uses 1–2 of 3'],
  [reading(99), 'risky', 'up to 2 requests, may be refused'],
  // While the month turns, what is left is of two months.
  [{ ...reading(0, 71), may_have_reset: true }, 'plain', 'uses 1–2 requests'],
])('the price in the month %o, %s, is "%s" (8.3, C32)', (changes, caution, words) => {
  expect(priceWords({ low: 1, high: 2 }, caution, month(changes))).toBe(words)
})

test('without a limit, and before the first snapshot, the price is a number of requests (8.3)', () => {
  expect(priceWords({ low: 1, high: 2 }, 'plain', unlimited)).toBe('uses 1–2 requests')
  expect(priceWords({ low: 1, high: 1 }, 'plain', undefined)).toBe('uses 1 request')
})
