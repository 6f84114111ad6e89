import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ClockOffset,
  observeClock,
  parseHttpDate,
  readDate,
  serviceTimeMs,
} from '../../src/contract/clock.ts'

const DAY_MS = 86_400_000
const NOON_MS = Date.UTC(2026, 10, 20, 12)

/** An exchange with a service whose clock is ahead of ours by `aheadMs`. */
const exchange = (aheadMs: number, sentAtMs: number, thereMs: number, backMs: number) => ({
  servedAtSeconds: Math.floor((sentAtMs + thereMs + aheadMs) / 1000),
  sentAtMs,
  receivedAtMs: sentAtMs + thereMs + backMs,
})

test('the true offset lies in what was seen, however wrong the clock here is (RFC 9110 6.6.1)', () => {
  const way = fc.integer({ min: 0, max: 3000 })
  const exchanges = fc.array(fc.tuple(fc.integer({ min: 0, max: DAY_MS }), way, way), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }), exchanges, (aheadMs, list) => {
      let offset: ClockOffset | undefined
      for (const [at, there, back] of list)
        offset = observeClock(offset, exchange(aheadMs, NOON_MS + at, there, back))
      expect(offset?.lowMs).toBeLessThanOrEqual(aheadMs)
      expect(offset?.highMs).toBeGreaterThanOrEqual(aheadMs)
      const [, there, back] = list[0] ?? [0, 0, 0]
      expect(Math.abs(serviceTimeMs(offset, NOON_MS) - NOON_MS - aheadMs)).toBeLessThanOrEqual(
        1000 + there + back,
      )
    }),
  )
})

test('answers narrow the offset from both sides (RFC 9110 6.6.1)', () => {
  const first = observeClock(undefined, {
    servedAtSeconds: 1000,
    sentAtMs: 1_000_000,
    receivedAtMs: 1_000_400,
  })
  expect(first).toEqual({ lowMs: -400, highMs: 999 })
  expect(
    observeClock(first, { servedAtSeconds: 1001, sentAtMs: 1_000_900, receivedAtMs: 1_001_000 }),
  ).toEqual({
    lowMs: 0,
    highMs: 999,
  })
})

test.each([-DAY_MS, DAY_MS])(
  'a clock set by %d ms starts the measurement again (RFC 9110 6.6.1)',
  (aheadMs) => {
    const known = observeClock(undefined, exchange(0, NOON_MS, 50, 50))
    const answer = exchange(aheadMs, NOON_MS + 5000, 50, 50)
    expect(observeClock(known, answer)).toEqual(observeClock(undefined, answer))
  },
)

test('an offset of which one millisecond is left is not a contradiction (RFC 9110 6.6.1)', () => {
  const answer = { servedAtSeconds: 1001, sentAtMs: 1_000_000, receivedAtMs: 1_000_001 }
  expect(observeClock({ lowMs: 0, highMs: 999 }, answer)).toEqual({ lowMs: 999, highMs: 999 })
})

test('a clock that nothing contradicts is not corrected (RFC 9110 6.6.1)', () => {
  expect(serviceTimeMs(undefined, NOON_MS)).toBe(NOON_MS)
  expect(serviceTimeMs({ lowMs: -400, highMs: 599 }, NOON_MS)).toBe(NOON_MS)
  expect(serviceTimeMs({ lowMs: 300, highMs: 900 }, NOON_MS)).toBe(NOON_MS + 300)
})

test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  '%s is a date in one of the three forms, and is read as GMT (RFC 9110 5.6.7)',
  (text) => {
    expect(parseHttpDate(text)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37))
  },
)

test.each([
  '',
  '5',
  '1994',
  '1994-11-06T08:49:37Z',
  'Sun 5',
  'Sun, 06 Nov 1994 08:49:37 PST',
  'Xyz, 99 Xyz 1994 99:99:99 GMT',
  'x Sun, 06 Nov 1994 08:49:37 GMT',
  'Sun Nov  6 08:49:37 1994 (x)',
])('%j is no date of HTTP (RFC 9110 5.6.7)', (text) => {
  expect(parseHttpDate(text)).toBeUndefined()
})

test.each([
  [{}, 784_111_777],
  [{ Age: '0' }, 784_111_777],
  [{ Age: '1' }, undefined],
  [{ Age: '1, 1' }, undefined],
  [{ Age: 'x' }, undefined],
  [{ Date: 'now' }, undefined],
  [{ Date: '' }, undefined],
])('the Date of an answer with %j is %s (RFC 9110 6.6.1, RFC 9111 5.1)', (headers, seconds) => {
  expect(readDate(new Headers({ Date: 'Sun, 06 Nov 1994 08:49:37 GMT', ...headers }))).toBe(seconds)
})

test('an answer without a Date has none (RFC 9110 6.6.1)', () => {
  expect(readDate(new Headers())).toBeUndefined()
})
