import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { render, screen } from '@testing-library/react'
import type { WindowSnapshot } from '../../../src/contract/quota.ts'
import { gaugeOf, Ring, valueWords } from '../../../src/web/minute/ring.tsx'
import { UNSEEN, window_ } from '../_snapshot.ts'

const { limit: _limit, ...withoutLimit } = window_()
const { remaining: _remaining, ...withoutNumber } = window_()
const { reset_in_ms: _reset, ...withoutReset } = window_({ age_ms: 1000 })

test.each<[WindowSnapshot, number, state: string, words: string]>([
  [window_(), 0, 'plenty', '37 of 60 left'],
  [window_({ remaining: 13 }), 0, 'plenty', '13 of 60 left'],
  [window_({ remaining: 12 }), 0, 'low', 'Low: 12 of 60 left'],
  [window_({ remaining: 0 }), 0, 'none', '0 of 60 left'],
  [window_({ remaining: -4 }), 0, 'none', '0 of 60 left'],
  [window_({ remaining: 61 }), 0, 'plenty', '61 of 60 left'],
  [window_({ limit: 0, remaining: 0 }), 0, 'none', '0 of 0 left'],
  [window_({ limit: 60_000, remaining: 59_999 }), 0, 'plenty', '59,999 of 60,000 left'],
  [withoutLimit, 0, 'plenty', '37 left'],
  [window_(), 21_999, 'plenty', '37 of 60 left'],
  [window_(), 22_000, 'new', '60 left'],
  [{ ...withoutLimit, known: 'expired' }, 0, 'unknown', 'limit not known yet'],
  [withoutReset, 59_999, 'plenty', '37 of 60 left'],
  [withoutReset, 60_000, 'new', '60 left'],
  [withoutNumber, 0, 'unknown', '60 a minute'],
  [UNSEEN, 5000, 'unknown', 'limit not known yet'],
])('%o after %i ms is %s: "%s" (B2, B3, B4, B24, B26)', (window, elapsedMs, state, words) => {
  const gauge = gaugeOf(window, elapsedMs)
  expect([gauge.state, valueWords(gauge)]).toEqual([state, words])
})

test('a class that was never seen has the limit of the plan (B24)', () => {
  expect(valueWords(gaugeOf(UNSEEN, 5000, 15))).toBe('15 a minute')
})

test.each([
  [61_999, 0, 60_000],
  [61_000, 500, 59_500],
  [1500, 1000, 0],
  [65_000, 0, 60_000],
])(
  'a window that ends in %d ms counts down, after %d ms, from %d ms (B12)',
  (resetInMs, elapsedMs, countdownMs) => {
    expect(gaugeOf(window_({ reset_in_ms: resetInMs }), elapsedMs)).toMatchObject({ countdownMs })
  },
)

test('a reset that has nothing to give back, or that nobody knows, has no countdown (8.2, B1)', () => {
  const { reset_in_ms: _, ...endless } = window_()
  for (const window of [window_({ remaining: 60 }), window_({ remaining: 61 }), endless])
    expect(gaugeOf(window, 0).countdownMs).toBeUndefined()
})

test('no snapshot gives a number below zero, or a bar longer than its frame (B7)', () => {
  const window = fc.record(
    {
      known: fc.constantFrom<WindowSnapshot['known'][]>('measured', 'expired', 'unseen'),
      limit: fc.nat(),
      remaining: fc.integer(),
      reset_in_ms: fc.nat(),
    },
    { requiredKeys: ['known'] },
  )
  fc.assert(
    fc.property(window, fc.nat(), (made, elapsedMs) => {
      const gauge = gaugeOf({ ...UNSEEN, ...made }, elapsedMs)
      const numbers = Object.values(gauge).filter((value) => typeof value === 'number')
      expect(numbers.every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
      expect(gauge.share).toBeLessThanOrEqual(1)
    }),
  )
})

function draw(changes: Partial<WindowSnapshot>) {
  const { container } = render(<Ring of="read" gauge={gaugeOf(window_(changes), 0)} />)
  const meter = screen.getByRole('meter', { name: 'Read requests left this minute' })
  return { container, meter }
}

test('a meter has a name, bounds, a number, and a sentence that is also text in it (D2)', () => {
  const { meter } = draw({})
  expect(meter).toHaveAttribute('aria-valuemin', '0')
  expect(meter).toHaveAttribute('aria-valuemax', '60')
  expect(meter).toHaveAttribute('aria-valuenow', '37')
  expect(meter).toHaveAttribute('aria-valuetext', 'Reads 37 of 60 left')
  expect(meter).toHaveTextContent('Reads 37 of 60 left')
})

test.each([
  [61, '60'],
  [-3, '0'],
])('a number outside its bounds, %i of 60, is read out as the bound (B4)', (remaining, now) => {
  expect(draw({ remaining }).meter).toHaveAttribute('aria-valuenow', now)
})

test.each([0, 1, 8, 37, 59, 60, 61])(
  'the ring of %i of 60 is as long as what is left, and never longer than its circle (8.2)',
  (remaining) => {
    const circle = draw({ remaining }).container.querySelector('path[class*="left"]')
    const [line = NaN, gap = NaN] = circle?.getAttribute('stroke-dasharray')?.split(' ').map(Number) ?? []
    const share = Math.min(1, remaining / 60)
    expect(line + gap).toBeCloseTo(1)
    // Its round ends are a part of it.
    expect(line).toBeGreaterThanOrEqual(Math.max(0, share - 0.05))
    expect(line).toBeLessThanOrEqual(share)
  },
)

test.each<[string, Partial<WindowSnapshot>, string | undefined]>([
  ['with much left', {}, undefined],
  ['that is low', { remaining: 8 }, 'triangle'],
  ['with none left', { remaining: 0 }, 'square'],
])('a ring %s has the shape %3$s beside its words (D5)', (_, changes, shape) => {
  const { container } = draw(changes)
  expect(container.querySelector<HTMLElement>('[data-shape]')?.dataset['shape']).toBe(shape)
})
