import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { render, screen } from '@testing-library/react'
import type { WindowSnapshot } from '../../../src/contract/quota.ts'
import { gaugeValues } from '../../../src/web/minute/gauge.ts'
import { UNSEEN, window_ } from '../_snapshot.ts'
import { Ring } from '../../../src/web/minute/ring.tsx'
import {
  ageWords,
  limitWords,
  middleWords,
  refillWords,
  remarkWords,
  spokenWords,
  valueWords,
} from '../../../src/web/minute/words.ts'

test.each([
  [37, 'plenty', 37, 0],
  [12, 'low', 12, 0],
  [13, 'plenty', 13, 0],
  [0, 'none', 0, 0],
  [-4, 'none', 0, 4],
  [61, 'plenty', 61, 0],
])('%i of 60 left is %s', (remaining, state, shown, overBy) => {
  expect(gaugeValues(window_({ remaining }), 0)).toMatchObject({ state, remaining: shown, overBy })
})

test('0 of 0 is valid (B2)', () => {
  expect(gaugeValues(window_({ limit: 0, remaining: 0 }), 0)).toMatchObject({
    state: 'none',
    share: 0,
    limit: 0,
  })
})

test('a class that was never seen has no number, and the limit of the plan (B24)', () => {
  const minute = gaugeValues(UNSEEN, 5000, { limit: 15 })
  expect(minute).toMatchObject({ state: 'unknown', limit: 15, share: 0 })
  expect(minute.remaining).toBeUndefined()
})

test('when the countdown ends the number disappears, and nothing replaces it (B26)', () => {
  expect(gaugeValues(window_(), 21_999)).toMatchObject({ state: 'plenty', countdownMs: 0 })
  const over = gaugeValues(window_(), 22_000)
  expect(over).toMatchObject({ state: 'plenty', isNew: true, share: 0, limit: 60 })
  expect([over.remaining, over.countdownMs]).toEqual([undefined, undefined])
})

test('requests in flight, of this page and of others, make a prediction beside the measurement (B17, B30)', () => {
  const minute = gaugeValues(window_({ in_flight: 1 }), 0, { sending: 2 })
  // The server may count this page's own already.
  expect(gaugeValues(window_({ in_flight: 2 }), 0, { sending: 1 })).toEqual(minute)
  expect(minute).toMatchObject({ inFlight: 2, remaining: 37, expected: 35, state: 'plenty' })
  expect(minute.share).toBeCloseTo(35 / 60)
  expect(minute.flightShare).toBeCloseTo(2 / 60)
  expect(gaugeValues(window_({ remaining: 1, in_flight: 3 }), 0)).toMatchObject({ expected: 0, share: 0 })
  expect(gaugeValues(window_(), 0)).toMatchObject({ expected: 37, flightShare: 0 })
})

test.each([
  [61_999, 0, 60_000],
  [61_000, 0, 60_000],
  [61_000, 500, 59_500],
  [1500, 1000, 0],
  [65_000, 0, 60_000],
  [66_001, 0, 65_001],
])(
  'a window that ends in %d ms counts down, after %d ms, from %d ms',
  (resetInMs, elapsedMs, countdownMs) => {
    expect(gaugeValues(window_({ reset_in_ms: resetInMs }), elapsedMs)).toMatchObject({ countdownMs })
  },
)

test('a reset that has nothing to give back has no countdown (8.2)', () => {
  const of = (changes: Partial<WindowSnapshot>) => gaugeValues(window_(changes), 0).countdownMs
  expect(of({ remaining: 60 })).toBeUndefined()
  expect(of({ remaining: 61 })).toBeUndefined()
  expect(of({ remaining: 60, in_flight: 1 })).toBe(21_000)
  const { limit: _, ...unlimited } = window_({ remaining: 60 })
  expect(gaugeValues(unlimited, 0).countdownMs).toBe(21_000)
})

test('without a reset there is no countdown, and only an open window has a former limit (B1, B28)', () => {
  const { reset_in_ms: _, ...unlimited } = window_({ limit_before: 600 })
  expect(gaugeValues(unlimited, 0)).toMatchObject({ countdownMs: undefined, limitBefore: 600 })
  expect(gaugeValues(window_({ limit_before: 600 }), 22_000).limitBefore).toBeUndefined()
})

test.each([
  ['a window is open', {}, 0, false],
  ['an answer came within the minute', { known: 'expired' as const, age_ms: 59_000 }, 999, false],
  ['a minute has passed since', { known: 'expired' as const, age_ms: 59_000 }, 1000, true],
  ['an answer reported nothing', { known: 'unseen' as const, age_ms: 90_000, silent_ms: 59_000 }, 999, false],
  ['a request is in flight', { known: 'unseen' as const, age_ms: 90_000, in_flight: 1 }, 0, false],
  ['none ever came', UNSEEN, 0, true],
])('while %s the minute is idle: %4$s', (_, changes, elapsedMs, isIdle) => {
  const { age_ms: __, ...base } = window_()
  expect(gaugeValues({ ...base, ...changes }, elapsedMs).isIdle).toBe(isIdle)
})

test('no snapshot gives a number below zero, or a bar longer than its frame (B7)', () => {
  const window = fc.record(
    {
      known: fc.constantFrom<WindowSnapshot['known'][]>('measured', 'expired', 'unseen'),
      limit: fc.nat(),
      remaining: fc.integer(),
      reset_in_ms: fc.nat(),
      age_ms: fc.nat(),
      in_flight: fc.nat(),
    },
    { requiredKeys: ['known', 'in_flight'] },
  )
  fc.assert(
    fc.property(window, fc.nat(), (made, elapsedMs) => {
      const { overBy: _, ...minute } = gaugeValues({ ...UNSEEN, ...made }, elapsedMs)
      const numbers = Object.values(minute).filter((value) => typeof value === 'number')
      expect(numbers.every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
      expect(minute.share).toBeLessThanOrEqual(1)
    }),
  )
})

function draw(changes: Partial<WindowSnapshot>) {
  const { container } = render(<Ring of="read" minute={gaugeValues(window_(changes), 0)} />)
  const circle = (kind: string) => container.querySelector(`path[class*="${kind}"]`)
  /** Parts of the circle: the line, and the gap after it. */
  const dashOf = (kind: string) => circle(kind)?.getAttribute('stroke-dasharray')?.split(' ').map(Number)
  return { container, dashOf, meter: screen.getByRole('meter', { name: 'Read requests left this minute' }) }
}

test('a meter has a name, bounds, a number, and a sentence that is also text in it (D2)', () => {
  const { meter } = draw({})
  expect(meter).toHaveAttribute('aria-valuemin', '0')
  expect(meter).toHaveAttribute('aria-valuemax', '60')
  expect(meter).toHaveAttribute('aria-valuenow', '37')
  expect(meter).toHaveAttribute('aria-valuetext', '37 of 60 reads left')
  expect(meter).toHaveTextContent('37 of 60 reads left')
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
    const [line = NaN, gap = NaN] = draw({ remaining }).dashOf('left') ?? []
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

const minuteOf = (changes: Partial<WindowSnapshot>, elapsedMs = 0) => gaugeValues(window_(changes), elapsedMs)

const { limit: _limit, ...withoutLimit } = window_()
const { remaining: _remaining, ...withoutNumber } = window_()

test.each([
  [minuteOf({}), '37', '37 of 60 left', 'seen 12 seconds ago', '37 of 60 reads left'],
  [
    minuteOf({ in_flight: 1 }),
    '36',
    'about 36 of 60 left',
    'seen 12 seconds ago',
    'about 36 of 60 reads left',
  ],
  [gaugeValues(withoutLimit, 0), '37', '37 left', 'seen 12 seconds ago', '37 reads left'],
  [
    minuteOf({ limit: 60_000, remaining: 59_999 }),
    '59,999',
    '59,999 of 60,000 left',
    'seen 12 seconds ago',
    '59,999 of 60,000 reads left',
  ],
  [minuteOf({ remaining: 8 }), '8', 'Low: 8 of 60 left', 'seen 12 seconds ago', '8 of 60 reads left'],
  [minuteOf({ remaining: 0 }), '0', 'None of 60 left', 'seen 12 seconds ago', '0 of 60 reads left'],
  [
    gaugeValues({ ...withoutLimit, remaining: 0 }, 0),
    '0',
    'None left',
    'seen 12 seconds ago',
    '0 reads left',
  ],
  [minuteOf({}, 30_000), '60', '60 left', 'new minute', 'reads: 60 left'],
  [minuteOf({}, 90_000), '60', '60 left', 'last seen 2 minutes ago', 'reads: 60 left'],
  [
    gaugeValues({ ...withoutLimit, known: 'expired' }, 0),
    '',
    'limit not known yet',
    'not measured yet',
    'reads: not measured yet',
  ],
  [gaugeValues(withoutNumber, 0), '60', '60 a minute', 'not measured yet', 'reads: not measured yet'],
  [gaugeValues(UNSEEN, 0, { limit: 15 }), '15', '15 a minute', 'not measured yet', 'reads: not measured yet'],
  [gaugeValues(UNSEEN, 0), '', 'limit not known yet', 'not measured yet', 'reads: not measured yet'],
])('%# has %2$s in the ring and "%3$s", "%4$s" beside it (B24, B26)', (shown, ...words) => {
  expect([middleWords(shown), valueWords(shown), ageWords(shown), spokenWords('read', shown)]).toEqual(words)
})

test('anything unusual about a number is a remark, and without it there is none (B2, B4)', () => {
  const odd = { limit_before: 60, limit: 600, remaining: -2, notes: ['long_window'] as const }
  expect(remarkWords('read', minuteOf(odd)).split(' · ')).toEqual([
    'Reads: the limit changed from 60 to 600',
    'over by 2',
    'the service’s report was unusual',
  ])
  for (const changes of [{ assumed: true }, { inconsistent: true }, { notes: ['reset_far'] as const }])
    expect(remarkWords('update', minuteOf(changes))).toBe('Updates: the service’s report was unusual')
  expect(remarkWords('read', minuteOf({}))).toBe('')
})

test('the refill is named for each class only if the two differ, and left out if none has any (8.2)', () => {
  const [read, full] = [minuteOf({}), minuteOf({ limit: 15, remaining: 15 })]
  expect(refillWords(read, full)).toBe('refills in 21 sec')
  expect(refillWords(full, read)).toBe('refills in 21 sec')
  expect(refillWords(read, minuteOf({ limit: 15, remaining: 3 }))).toBe('refills in 21 sec')
  expect(refillWords(read, minuteOf({ limit: 15, remaining: 3, reset_in_ms: 41_000 }))).toBe(
    'refill: reads in 21 sec, updates in 40 sec',
  )
  expect(refillWords(full, gaugeValues(UNSEEN, 0))).toBe('')
})

test('the limits of both classes are one line, as far as they are known', () => {
  const [read, unseen] = [minuteOf({}), gaugeValues(UNSEEN, 0)]
  expect(limitWords(read, minuteOf({ limit: 15 }))).toBe('60 reads and 15 updates a minute')
  expect(limitWords(read, unseen)).toBe('60 reads a minute')
  expect(limitWords(unseen, read)).toBe('60 updates a minute')
  expect(limitWords(unseen, unseen)).toBe('limits not known yet')
})
