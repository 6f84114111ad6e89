import { expect, test } from 'vitest'
import { LIMITS } from '../../../src/sandbox/choices/limits.ts'

test('U53 to U75 are there once each, in order', () => {
  expect(Object.values(LIMITS).map(({ number }) => number)).toEqual(
    Array.from({ length: 75 - 53 + 1 }, (_, index) => index + 53),
  )
})

test('they have 80 values together', () => {
  expect(Object.values(LIMITS).flatMap(({ values }) => [...values])).toHaveLength(80)
})
