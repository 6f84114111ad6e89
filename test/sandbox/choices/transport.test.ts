import { expect, test } from 'vitest'
import { TRANSPORT } from '../../../src/sandbox/choices/transport.ts'

test('U81 to U84 are there once each, in order', () => {
  expect(Object.values(TRANSPORT).map(({ number }) => number)).toEqual(
    Array.from({ length: 84 - 81 + 1 }, (_, index) => index + 81),
  )
})

test('they have 17 values together', () => {
  expect(Object.values(TRANSPORT).flatMap(({ values }) => [...values])).toHaveLength(17)
})
