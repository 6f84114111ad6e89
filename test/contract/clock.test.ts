import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ClockOffset,
  observeClock,
  offsetToBelieve,
  parseHttpDate,
  readDate,
  serviceTimeMs,
  timeLeftMs,
} from '../../src/contract/clock.ts'

const DAY_MS = 86_400_000
const NOON_MS = Date.UTC(2026, 10, 20, 12)

/** A good answer of a service whose clock is ahead of ours by `aheadMs`. */
const exchange = (aheadMs: number, sentAtMs: number, thereMs = 50, backMs = 50) => ({
  servedAtSeconds: Math.floor((sentAtMs + thereMs + aheadMs) / 1000),
  sentAtMs,
  receivedAtMs: sentAtMs + thereMs + backMs,
})

/** The belief after some answers, as a process has it. */
const believed = (answers: readonly ReturnType<typeof exchange>[]): ClockOffset | undefined =>
  answers.reduce<ClockOffset | undefined>(observeClock, undefined)

test('the true offset lies in what is believed, however wrong our clock is (8.3)', () => {
  const way = fc.integer({ min: 0, max: 3000 })
  const exchanges = fc.array(fc.tuple(fc.integer({ min: 0, max: DAY_MS }), way, way), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(fc.integer({ min: -4000 * DAY_MS, max: 4000 * DAY_MS }), exchanges, (aheadMs, list) => {
      const offset = believed(list.map(([at, there, back]) => exchange(aheadMs, NOON_MS + at, there, back)))
      expect(offset?.lowMs).toBeLessThanOrEqual(aheadMs)
      expect(offset?.highMs).toBeGreaterThanOrEqual(aheadMs)
      const slowest = Math.max(...list.map(([, there, back]) => there + back))
      expect(Math.abs(serviceTimeMs(offset, NOON_MS) - NOON_MS - aheadMs)).toBeLessThanOrEqual(1000 + slowest)
    }),
  )
})

test('answers narrow the offset from both sides (RFC 9110 6.6.1)', () => {
  const first = { servedAtSeconds: 1000, sentAtMs: 1_000_000, receivedAtMs: 1_000_400 }
  expect(observeClock(undefined, first)).toEqual({ lowMs: -400, highMs: 999 })
  const second = { servedAtSeconds: 1001, sentAtMs: 1_000_900, receivedAtMs: 1_001_000 }
  expect(observeClock({ lowMs: -400, highMs: 999 }, second)).toEqual({ lowMs: 0, highMs: 999 })
})

test.each([-90_000, 90_000, 40 * DAY_MS])(
  'a clock that was set by %d ms starts the measurement again (RFC 9110 6.6.1)',
  (aheadMs) => {
    const answer = exchange(aheadMs, NOON_MS + 5000)
    expect(observeClock({ lowMs: 0, highMs: 999 }, answer)).toEqual(observeClock(undefined, answer))
  },
)

test('an offset of which one millisecond is left is not a contradiction (RFC 9110 6.6.1)', () => {
  const answer = { servedAtSeconds: 1001, sentAtMs: 1_000_000, receivedAtMs: 1_000_001 }
  expect(observeClock({ lowMs: 0, highMs: 999 }, answer)).toEqual({ lowMs: 999, highMs: 999 })
})

/** The offset of a clock, known to a millisecond. */
const by = (ms: number | undefined): ClockOffset | undefined =>
  ms === undefined ? undefined : { lowMs: ms, highMs: ms }
const HOUR_MS = 3_600_000
const LONG_MS = 40 * DAY_MS

test.each<[string, aheadMs: number, storedMs: number, ownMs: number | undefined, believed?: number]>([
  ['a host that is 40 days ahead restarts', LONG_MS, -LONG_MS, undefined, -LONG_MS],
  ['a host that was 40 days ahead is right', 0, -LONG_MS, undefined],
  ['a host that is 40 days behind restarts', -LONG_MS, LONG_MS, undefined, LONG_MS],
  ['a host that was 40 days behind is right', 0, LONG_MS, undefined],
  ['another host with a right clock has its own offset', 0, LONG_MS, 0, 0],
  ['a host is set right while it runs', 0, -LONG_MS, -LONG_MS],
  ['our own offset is right, and the stored one has fallen behind', 0, -HOUR_MS, 0, 0],
  ['our own offset is just not behind, and the stored one is', 500, -1000, -500, -500],
  ['both offsets are behind, and our clock alone is not', 0, -1000, -500],
  ['both offsets and our clock are behind', -HOUR_MS, -HOUR_MS, -500, -500],
  ['the stored one is just not behind, and earlier than our clock', HOUR_MS, -HOUR_MS, undefined, -HOUR_MS],
  ['the offsets differ by two minutes, so they are the same', 0, 0, 120_000, 120_000],
  ['the offsets differ by more, so the earlier one is right', 0, 0, 120_001, 0],
  ['our own offset is the earlier one, and just not behind', 0, HOUR_MS, 0, 0],
])('%s (8.3)', (_name, aheadMs, storedMs, ownMs, believed) => {
  const agreed = { offset: { lowMs: storedMs, highMs: storedMs }, atMs: NOON_MS + 120_000 }
  expect(offsetToBelieve(by(ownMs), agreed, NOON_MS + aheadMs)).toEqual(by(believed))
})

test('a service that goes 40 days on is followed by the processes that have not seen it (8.3)', () => {
  const agreed = { offset: { lowMs: LONG_MS, highMs: LONG_MS }, atMs: NOON_MS + LONG_MS }
  for (const own of [undefined, by(0)])
    expect(offsetToBelieve(own, agreed, NOON_MS + 1000)).toEqual(agreed.offset)
})

test('a wait ends on time, and one that seems too long was set before the clock went back (8.2)', () => {
  const left = [30_000, 35_000, 35_001, 0, -1].map((ms) => timeLeftMs(NOON_MS + ms, NOON_MS, 30_000))
  expect(left).toEqual([30_000, 35_000, 0, 0, 0])
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
