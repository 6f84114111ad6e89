import { expect, test } from 'vitest'
import { derive } from '../../../src/sandbox/state/random.ts'

test('the same seed and label give the same value, any other another (RFC 6749 10.10)', () => {
  const values = [derive('a', '1'), derive('a', '2'), derive('b', '1'), derive('a1', '')]
  expect(derive('a', '1')).toBe(values[0])
  expect(new Set(values).size).toBe(4)
})

test('a value has 256 bits in the alphabet of a bearer token (RFC 6750 2.1)', () => {
  expect(derive('a', '1')).toMatch(/^[A-Za-z0-9_-]{43}$/)
})
