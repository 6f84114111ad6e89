import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WindowSnapshot } from '../../src/contract/quota.ts'
import { readMinute } from '../../src/web/minute.ts'
import { UNSEEN, window_ } from './_snapshot.ts'

test.each([
  [37, 'plenty', 37, 0],
  [12, 'low', 12, 0],
  [13, 'plenty', 13, 0],
  [0, 'none', 0, 0],
  [-4, 'none', 0, 4],
])('%i of 60 left is %s', (remaining, state, shown, overBy) => {
  expect(readMinute(window_({ remaining }), 0)).toMatchObject({ state, remaining: shown, overBy })
})

test('more left than the limit fills the bar, is shown raw, and is not believed (B4)', () => {
  const minute = readMinute(window_({ remaining: 61, inconsistent: true }), 0)
  expect(minute).toMatchObject({ remaining: 61, limit: 60, share: 1, inconsistent: true })
})

test('0 of 0 is legal (B2)', () => {
  expect(readMinute(window_({ limit: 0, remaining: 0 }), 0)).toMatchObject({
    state: 'none',
    share: 0,
    limit: 0,
  })
})

test('a class never seen has no number, and the limit of the plan (B24)', () => {
  const minute = readMinute(UNSEEN, 5000, { limit: 15 })
  expect(minute).toMatchObject({ state: 'unseen', limit: 15, share: 0 })
  expect(minute.remaining).toBeUndefined()
})

test('when the countdown ends the number goes, and nothing takes its place (B26)', () => {
  expect(readMinute(window_(), 21_999)).toMatchObject({ state: 'plenty', resetInMs: 1 })
  const over = readMinute(window_(), 22_000)
  expect(over).toMatchObject({ state: 'reset', share: 0, limit: 60 })
  expect([over.remaining, over.resetInMs]).toEqual([undefined, undefined])
})

test('an open window without a number left is shown as such', () => {
  const { remaining: _, ...unreported } = window_()
  expect(readMinute(unreported, 0).state).toBe('unreported')
})

test('requests of this tab are in flight, and are not counted twice (B17)', () => {
  expect(readMinute(window_({ in_flight: 1 }), 0, { sending: 1 }).inFlight).toBe(1)
  expect(readMinute(window_(), 0, { sending: 1 })).toMatchObject({ inFlight: 1, remaining: 37 })
})

test('no snapshot makes a number below zero, or a bar longer than its frame (B7)', () => {
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
      const { overBy: _, ...minute } = readMinute({ ...UNSEEN, ...made }, elapsedMs)
      const numbers = Object.values(minute).filter((value) => typeof value === 'number')
      expect(numbers.every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
      expect(minute.share).toBeLessThanOrEqual(1)
    }),
  )
})
