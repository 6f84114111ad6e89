import { expect, test } from 'vitest'
import { readReasons, REASONS } from '../../src/contract/reason.ts'

test('reasons are read whole, with the numbers that they have, and what is not known in one is left out (8.4.3)', () => {
  const numbers = { count: 1, limit: 2, since: 3, age_ms: 4 }
  const reasons = REASONS.map((code) => ({ code, ...numbers }))
  expect(readReasons(reasons)).toEqual(reasons)
  expect(readReasons([{ code: 'payment_asked', words: 'x' }])).toEqual([{ code: 'payment_asked' }])
})

test.each([
  'payment_asked',
  [{ code: 'toString' }],
  [{}],
  ['payment_asked'],
  ...['count', 'limit', 'since', 'age_ms'].map((name) => [{ code: 'payment_asked', [name]: -1 }]),
])('%j is no list of reasons (8.4.3)', (value) => {
  expect(() => readReasons(value)).toThrow(TypeError)
})
