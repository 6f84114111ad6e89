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
  fc.assert(
    fc.property(rows, corrections, fc.nat(), (between, list, nth) => {
      const edges = list.flatMap(({ fromMs, toMs }) => [fromMs, toMs].flatMap((ms) => [ms - 1, ms, ms + 1]))
      const atMs = [...between, ...edges]
      const instants = [-10, 0, 1010, ...atMs, ...atMs.map((at) => correctedMs(at, list))]
      const sinceMs = instants[nth % instants.length] as number
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

const HOUR_MS = 3_600_000
const late = { fromMs: 100, toMs: 200, byMs: HOUR_MS }

test('a correction holds from its first to its last millisecond (8.3)', () => {
  const sent = [99, 100, 200, 201].map((atMs) => correctedMs(atMs, [late]))
  expect(sent).toEqual([99, 100 + HOUR_MS, 200 + HOUR_MS, 201])
})

test.each([
  [100, []],
  [101, [late]],
  [200 + HOUR_MS, [late]],
  [201 + HOUR_MS, []],
])('of the requests recorded before %d, it moves those that were sent after it (8.3)', (sinceMs, moving) => {
  expect(correctionsInto(sinceMs, [late])).toEqual(moving)
})

test.each([
  ['meets the end', { fromMs: 200, toMs: 300, byMs: HOUR_MS }, [[100, 300]]],
  [
    'follows',
    { fromMs: 201, toMs: 300, byMs: HOUR_MS },
    [
      [201, 300],
      [100, 200],
    ],
  ],
  ['meets the start', { fromMs: 50, toMs: 100, byMs: HOUR_MS }, [[50, 200]]],
  [
    'comes before',
    { fromMs: 50, toMs: 99, byMs: HOUR_MS },
    [
      [50, 99],
      [100, 200],
    ],
  ],
  ['differs by two minutes', { fromMs: 150, toMs: 300, byMs: HOUR_MS + 120_000 }, [[100, 300]]],
  [
    'differs by more',
    { fromMs: 150, toMs: 300, byMs: HOUR_MS + 120_001 },
    [
      [150, 300],
      [100, 149],
    ],
  ],
  [
    'hides the first part',
    { fromMs: 100, toMs: 150, byMs: 2 * HOUR_MS },
    [
      [100, 150],
      [151, 200],
    ],
  ],
  [
    'leaves one millisecond',
    { fromMs: 101, toMs: 300, byMs: 2 * HOUR_MS },
    [
      [101, 300],
      [100, 100],
    ],
  ],
] as const)('a newer correction that %s (8.3)', (_name, newer, spans) => {
  expect(withCorrection([late], newer).map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual(spans)
})

test('the newest ten are kept (8.3)', () => {
  const apart = Array.from({ length: 12 }, (_, nth) => ({
    fromMs: nth * 10,
    toMs: nth * 10 + 5,
    byMs: HOUR_MS,
  }))
  const kept = apart.reduce<ClockCorrection[]>(withCorrection, [])
  expect(kept).toEqual(apart.toReversed().slice(0, 10))
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
