import { expect, test } from 'vitest'
import { SCREENS } from '../../../src/sandbox/choices/settings.ts'

test('U76 to U80 are there once each, in order', () => {
  expect(Object.values(SCREENS).map(({ number }) => number)).toEqual(
    Array.from({ length: 80 - 76 + 1 }, (_, index) => index + 76),
  )
})

test('they have 13 values together', () => {
  expect(Object.values(SCREENS).flatMap(({ values }) => [...values])).toHaveLength(13)
})
