import { expect, test } from 'vitest'
import { replaceAfterMs } from '../../../src/serve/start/replacement.ts'

const WELL = { inARow: 0, hasListened: true, isFinal: false }

test('the delay doubles with each failure in a row, up to 10 s, and has no end (operations)', () => {
  const delays = Array.from({ length: 9 }, (_, inARow) => replaceAfterMs({ ...WELL, inARow }))
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
  expect(replaceAfterMs({ ...WELL, inARow: 100_000 })).toBe(10_000)
  expect(replaceAfterMs({ ...WELL, inARow: 1, isFinal: true })).toBe(200)
})

test('the start is given up after five failures, or one that only the operator can mend (operations)', () => {
  const atStart = { ...WELL, hasListened: false }
  const given = [1, 2, 3, 4, 5, 6].map((inARow) => replaceAfterMs({ ...atStart, inARow }))
  expect(given).toEqual([200, 400, 800, 1600, undefined, undefined])
  expect(replaceAfterMs({ ...atStart, inARow: 1, isFinal: true })).toBeUndefined()
})
