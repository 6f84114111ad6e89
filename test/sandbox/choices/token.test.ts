import { expect, test } from 'vitest'
import { TOKEN } from '../../../src/sandbox/choices/token.ts'

test('U18 to U34 are there once each, in order', () => {
  expect(Object.values(TOKEN).map(({ number }) => number)).toEqual(
    Array.from({ length: 34 - 18 + 1 }, (_, index) => index + 18),
  )
})

test('they have 60 values together', () => {
  expect(Object.values(TOKEN).flatMap(({ values }) => [...values])).toHaveLength(60)
})
