import { expect, test } from 'vitest'
import { API } from '../../../src/sandbox/choices/api.ts'

test('U35 to U52 are there once each, in order', () => {
  expect(Object.values(API).map(({ number }) => number)).toEqual(
    Array.from({ length: 52 - 35 + 1 }, (_, index) => index + 35),
  )
})

test('they have 59 values together', () => {
  expect(Object.values(API).flatMap(({ values }) => [...values])).toHaveLength(59)
})
