import { expect, test } from 'vitest'
import type { MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { priceOf, priceWords } from '../../../src/web/spend/price.ts'
import { month, snapshot } from '../_snapshot.ts'

const words = (changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}, elapsedMs = 0) => {
  const price = priceOf(snapshot({ month: month(changes), ...rest }), elapsedMs)
  return [price.kind, priceWords(price)]
}
const reserve = { person: 10, sign_in: 2 }
const reading = (low: number, high: number) => ({ organization: { low, high, reading_age_ms: 0 } })
const PAUSE = { code: 'month_suspected', ends_in_ms: 1000, reasons: [] } as const

test.each<[Partial<MonthSnapshot>, string, string]>([
  [{}, 'plain', '1 request'],
  [{ reserve, low: 97, high: 97 }, 'plain', '1 request'],
  [{ reserve, low: 97, high: 98 }, 'reserved', '1 request'],
  [{ reserve, ...reading(98, 98) }, 'reserved', '1 request'],
  [{ reserve, low: 98, high: 100 }, 'doubtful', 'up to 1 request'],
  [{ low: 99, high: 99 }, 'plain', '1 request'],
  [{ low: 100, high: 100 }, 'refused', 'up to 1 request'],
  [{ suspected: { age_ms: 0, reasons: [] } }, 'refused', 'up to 1 request'],
])('a press at %o is %s: %s (C32)', (changes, kind, price) => {
  expect(words(changes)).toEqual([kind, price])
})

test('without a limit a press costs one (8.3)', () => {
  const { limit: _, ...unlimited } = month({ low: 400, high: 400 })
  expect(priceOf(snapshot({ month: unlimited }), 0).kind).toBe('plain')
})

test('a pause of the month holds until its end (B36)', () => {
  expect(words({}, { pauses: [PAUSE] }, 999)[0]).toBe('refused')
  expect(words({}, { pauses: [PAUSE] }, 1000)[0]).toBe('plain')
  expect(words({}, { pauses: [{ ...PAUSE, code: 'rate_limited' }] })[0]).toBe('plain')
})

test('a press that refreshes the token first costs two, once the page knows that this counts (C32)', () => {
  const due = (counts: 'yes' | 'unknown' | 'no', due_in_ms = 5000) => ({ refresh: { due_in_ms, counts } })
  expect(words({}, due('yes'), 5000)).toEqual(['plain', '2 requests'])
  expect(words({ low: 100, high: 100 }, due('yes', 0))[1]).toBe('up to 2 requests')
  expect(words({}, due('yes'), 4999)[1]).toBe('1 request')
  expect(words({}, due('unknown', 0))[1]).toBe('1 request')
  expect(words({}, due('no', 0))[1]).toBe('1 request')
})
