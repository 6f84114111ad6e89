import { expect, test } from 'vitest'
import { AUTHORIZATION } from '../../../src/sandbox/choices/authorize.ts'

test('U1 to U17 are there once each, in order', () => {
  expect(Object.values(AUTHORIZATION).map(({ number }) => number)).toEqual(
    Array.from({ length: 17 - 1 + 1 }, (_, index) => index + 1),
  )
})

test('they have 59 values together', () => {
  expect(Object.values(AUTHORIZATION).flatMap(({ values }) => [...values])).toHaveLength(59)
})
