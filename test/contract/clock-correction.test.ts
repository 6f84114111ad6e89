import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ClockCorrection,
  correctedMs,
  correctionsInto,
  partsSince,
  withCorrection,
} from '../../src/contract/clock-correction.ts'

const correction = fc
  .tuple(
    fc.integer({ min: 0, max: 900 }),
    fc.integer({ min: 0, max: 60 }),
    fc.integer({ min: -900, max: 900 }),
  )
  .map(([fromMs, length, by]) => ({ fromMs, toMs: fromMs + length, byMs: by * 1_000_000 || 1_000_000 }))
const corrections = fc
  .array(correction, { maxLength: 8 })
  .map((list) => list.reduce<ClockCorrection[]>(withCorrection, []))

test('the parts count each request by the time at which it was sent, once (8.3)', () => {
  const rows = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 40 })
  const since = fc.oneof(
    fc.integer({ min: -10, max: 1010 }),
    fc.integer({ min: -900, max: 900 }).map((by) => by * 1_000_000),
  )
  fc.assert(
    fc.property(rows, corrections, since, (atMs, list, sinceMs) => {
      const counted = partsSince(sinceMs, list)
        .map(({ sinceMs: from, by }) => by * atMs.filter((at) => at >= from).length)
        .reduce((sum, one) => sum + one, 0)
      expect(counted).toBe(atMs.filter((at) => correctedMs(at, list) >= sinceMs).length)
      for (const at of atMs.filter((one) => one < sinceMs && correctedMs(one, list) >= sinceMs))
        expect(correctionsInto(sinceMs, list).some(({ fromMs, toMs }) => at >= fromMs && at <= toMs)).toBe(
          true,
        )
    }),
  )
})

test('without a correction one part is counted (8.3)', () => {
  expect(partsSince(1000, [])).toEqual([{ sinceMs: 1000, by: 1 }])
  expect(correctedMs(1000, [])).toBe(1000)
})

test('of two corrections of one row the newer counts, and equal ones are one (8.3)', () => {
  const first = { fromMs: 100, toMs: 200, byMs: 1_000_000 }
  expect(withCorrection([first], { fromMs: 150, toMs: 300, byMs: 1_000_500 })).toEqual([
    { fromMs: 100, toMs: 300, byMs: 1_000_500 },
  ])
  expect(withCorrection([first], { fromMs: 120, toMs: 130, byMs: -1_000_000 })).toEqual([
    { fromMs: 120, toMs: 130, byMs: -1_000_000 },
    { fromMs: 100, toMs: 119, byMs: 1_000_000 },
    { fromMs: 131, toMs: 200, byMs: 1_000_000 },
  ])
})
