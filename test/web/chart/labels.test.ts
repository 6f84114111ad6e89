import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeLabels } from '../../../src/web/chart/labels.ts'
import { scaleOf } from '../../../src/web/chart/scale.ts'
import { endWords } from '../../../src/web/chart/words.ts'
import { burnDown, DAY_MS, withReadings } from './_burn-down.ts'

const PACE = 'even pace'
const UNDER = { forecast: { state: 'under', early: false, difference: 38 } } as const
const RUNS_OUT = { forecast: { state: 'runs_out', early: false, runs_out_in_ms: 2 * DAY_MS } } as const

type Box = ReturnType<typeof placeLabels>['boxes'][0]
const isOverlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

const place = (data: ReturnType<typeof burnDown>, size = { width: 28, height: 10 }) =>
  placeLabels(data, scaleOf(data), { pace: PACE, end: endWords(data) }, size)

test('the number of the forecast is at the right, near the end of its line (C37)', () => {
  const { end, boxes } = place(withReadings(UNDER))
  expect(Object.keys(end)).toHaveLength(1)
  expect(boxes[1]).toMatchObject({ right: 100 })
  expect(Math.abs((boxes[1]?.bottom ?? 0) - 60)).toBeLessThan(35)
})

test('without a forecast only the even pace has a label', () => {
  expect(place(burnDown()).boxes).toHaveLength(1)
  expect(place(burnDown()).pace).toBeDefined()
})

test('if the line falls below the even pace, the label of the pace is above it', () => {
  const { pace } = place(burnDown({ low: 80, high: 80 }, {}))
  expect(pace).toBeDefined()
  const many = { organization: { low: 90, high: 90, reading_age_ms: 0 }, ...RUNS_OUT }
  expect(place(withReadings(many)).pace).toBeDefined()
})

test('a drawing with no room for both leaves out the label of the pace', () => {
  const { pace, boxes } = place(withReadings(UNDER), { width: 8, height: 4 })
  expect(pace).toBeUndefined()
  expect(boxes).toHaveLength(1)
})

test('for any month and size the labels are inside, and never over each other (C37)', () => {
  const number = (from: number, to: number) => fc.double({ min: from, max: to, noNaN: true })
  fc.assert(
    fc.property(
      fc.nat(100),
      fc.nat(98),
      fc.nat(30),
      number(6, 90),
      number(5, 30),
      (used, left, day, w, h) => {
        const organization = { low: used, high: used, reading_age_ms: 0 }
        const nowMs = Date.UTC(2026, 10, 1, 1) + day * DAY_MS
        const ends = Date.UTC(2026, 11, 1) - nowMs
        const month = { organization, resets_in_ms: { earliest: ends, latest: ends } }
        for (const forecast of [{ ...UNDER.forecast, difference: left }, RUNS_OUT.forecast]) {
          const { boxes } = place(withReadings({ ...month, forecast }, nowMs), { width: w, height: h })
          const [one, other] = boxes
          expect(one && other && isOverlap(one, other)).not.toBe(true)
          for (const { left, right } of boxes) expect(left >= 0 && right <= 100).toBe(true)
        }
      },
    ),
  )
})
