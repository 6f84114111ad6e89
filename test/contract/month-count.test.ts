import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CountedReading,
  type MonthKnown,
  organizationCount,
  readingWanted,
  usedAtMost,
} from '../../src/contract/month-count.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const NONE = { low: 0, high: 0 }
const BOTH = (low: number, high = low) => ({ low, high })

const reading = (count: number, days: number, more: Partial<CountedReading> = {}): CountedReading => ({
  count,
  readAtMs: days * DAY_MS,
  inFlight: 0,
  monthWasReset: false,
  ownSince: NONE,
  ...more,
})

/** The known facts on day 20 of a month that began at 0 or 26 hours later. */
const known = (readings: CountedReading[], own = BOTH(0), more: Partial<MonthKnown> = {}): MonthKnown => ({
  nowMs: 20 * DAY_MS,
  startMs: { earliest: 0, latest: 26 * HOUR_MS },
  own: { sinceEarliest: own, sinceLatest: own },
  readings,
  ...more,
})
const interval = (at: MonthKnown) => {
  const count = organizationCount(at)
  return count && [count.low, count.high]
}

test.each<[string, MonthKnown, number[] | undefined]>([
  ['without a reading nothing is known', known([], BOTH(5)), undefined],
  ['just after a reading it is the number that was read', known([reading(32, 20)], BOTH(2)), [32, 32]],
  [
    'what surely counts since is added to its low end, and what may count to its high end',
    known([reading(5, 20, { ownSince: BOTH(3, 6), inFlight: 2 })], BOTH(8, 11)),
    [8, 13],
  ],
  // Such a reading is of an earlier count: no row is lost in the high end.
  ['a reading is below our own', known([reading(3, 20, { ownSince: BOTH(1, 2) })], BOTH(5, 9)), [4, 9]],
  ['a reading equals our own', known([reading(4, 20, { ownSince: BOTH(1, 2) })], BOTH(5, 9)), [5, 6]],
])('the count of the organization: %s (8.3)', (_, at, expected) => {
  expect(interval(at)).toEqual(expected)
})

test.each([
  ['since the month began, by the latest of its starts', [reading(20, 11, {})], BOTH(0), 20 + 18],
  ['less what this app sent by then', [reading(20, 11, { ownSince: BOTH(3) })], BOTH(13), 23 + 9],
  ['and what may not have counted is taken for theirs', [reading(20, 11)], BOTH(10, 20), 20 + 9],
  ['and so is what was under way', [reading(20, 11, { inFlight: 10 })], BOTH(0), 30 + 27],
  ['since the reading before', [reading(30, 11), reading(20, 6)], BOTH(0), 30 + 18],
  [
    'less what this app sent between the two',
    [reading(30, 11, { ownSince: BOTH(1) }), reading(20, 6, { ownSince: BOTH(6) })],
    BOTH(8),
    31 + 9,
  ],
  [
    'since the month began, where it was reset after the reading before',
    [reading(10, 11, { monthWasReset: true }), reading(90, 6)],
    BOTH(0),
    10 + 9,
  ],
  ['over a day at least', [reading(30, 16, {}), reading(28, 15.999)], BOTH(0), 30 + 8],
  ['never below 0', [reading(20, 11, {})], BOTH(30), 30],
])('the high end widens by the rate of others: %s (8.3)', (_, readings, own, high) => {
  // Ten days lie between the latest start and the reading on day 11, and ten between it and now.
  const at = known(readings, own, { startMs: { earliest: 0, latest: DAY_MS } })
  expect(organizationCount({ ...at, nowMs: 20 * DAY_MS })?.high).toBe(high)
})

test('a reading between the two starts may be of the month before: this app’s own is the low end (8.3)', () => {
  const own = { sinceEarliest: BOTH(9), sinceLatest: BOTH(4) }
  const at = known([reading(70, 0.5, { ownSince: BOTH(6) })], NONE, { own, nowMs: DAY_MS })
  expect(interval(at)).toEqual([4, 76 + Math.floor(67 / 2)])
  // Even with more since the reading, the count since the latest start is the least.
  const few = known([reading(1, 0.5, { ownSince: BOTH(1) })], NONE, { own, nowMs: DAY_MS })
  expect(interval(few)?.[0]).toBe(2)
})

test('two readings on both sides of a start are no pair (8.3)', () => {
  const readings = [reading(12, 11), reading(11, 0.5)]
  const at = known(readings, NONE, { startMs: { earliest: 0, latest: DAY_MS } })
  expect(interval(at)).toEqual([12, 12 + Math.floor(1.2 * 9)])
  // On one side they are a pair.
  expect(interval({ ...at, startMs: { earliest: 0, latest: 12 * DAY_MS } })?.[1]).toBe(12)
})

test('a reading at the very latest start is of this month, and one before it is not (8.3)', () => {
  const own = { sinceEarliest: BOTH(9), sinceLatest: BOTH(4) }
  const startMs = { earliest: 0, latest: DAY_MS }
  const [at, before] = [1, 1 - 1 / DAY_MS].map((days) =>
    known([reading(70, days, { ownSince: BOTH(4) })], NONE, { own, startMs, nowMs: DAY_MS }),
  ) as [MonthKnown, MonthKnown]
  expect([interval(at)?.[0], interval(before)?.[0]]).toEqual([74, 4])
  const below = { ...at, readings: [reading(3, 1)] }
  expect([wanted(below), wanted({ ...below, readings: [reading(3, 1 - 1 / DAY_MS)] })]).toEqual([
    'below_own',
    'old',
  ])
  // It is a pair with the reading at the start: others sent 10 in 10 days.
  const later = known([reading(30, 11), reading(20, 1)], NONE, { startMs })
  expect(interval(later)?.[1]).toBe(39)
})

test('once the month has surely begun, a reading from before holds it back, so a new one is wanted (8.3)', () => {
  const at = known([reading(100, 0.5)], NONE, { startMs: { earliest: 0, latest: DAY_MS } })
  const wantedAt = (days: number) => wanted({ ...at, nowMs: days * DAY_MS })
  expect([0.9, 1, 2].map(wantedAt)).toEqual([undefined, 'old', 'old'])
})

test('the age of a reading that is new or ahead of the clock is 0 (8.3)', () => {
  const ageOf = (days: number) => organizationCount(known([reading(3, days)]))?.reading_age_ms
  expect([20, 21, 19.00000001].map(ageOf)).toEqual([0, 0, DAY_MS - 1])
})

/** A true month: the times of our requests, the ones that counted, and the times of others' requests. */
const histories = fc.record({
  ours: fc.array(
    fc.record({
      atMs: fc.integer({ min: 26 * HOUR_MS, max: 20 * DAY_MS }),
      kind: fc.constantFrom('yes', 'counted', 'not counted'),
    }),
    { maxLength: 60 },
  ),
  /** Others' requests up to each reading, and their share of the assumed rate afterwards. */
  others: fc.array(fc.nat(30), { minLength: 2, maxLength: 2 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  readAtMs: fc.tuple(
    fc.integer({ min: 26 * HOUR_MS, max: 20 * DAY_MS }),
    fc.integer({ min: 26 * HOUR_MS, max: 20 * DAY_MS }),
  ),
  readings: fc.constantFrom(1, 2),
})
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never

/** The app's knowledge of a history, and the truth at day 20. */
function play({ ours, others, share, readAtMs, readings: many }: History) {
  const nowMs = 20 * DAY_MS
  const [firstMs, secondMs] = readAtMs.toSorted((a, b) => a - b) as [number, number]
  const counts = (from: number, to: number, kinds: string[]) =>
    ours.filter(({ atMs, kind }) => atMs > from && atMs <= to && kinds.includes(kind)).length
  const truth = (from: number, to: number) => counts(from, to, ['yes', 'counted'])
  const ownSince = (from: number) =>
    BOTH(counts(from, nowMs, ['yes']), counts(from, nowMs, ['yes', 'counted', 'not counted']))
  const made = (count: number, atMs: number) =>
    reading(count, 0, { readAtMs: atMs, ownSince: ownSince(atMs) })
  const startMs = 26 * HOUR_MS
  const [byFirst = 0, between = 0] = others
  const first = made(truth(startMs - 1, firstMs) + byFirst, firstMs)
  const second = made(first.count + truth(firstMs, secondMs) + between, secondMs)
  const readings = many === 1 ? [first] : [second, first]
  const newest = readings[0] as CountedReading
  const [sent, sinceMs] = many === 1 ? [byFirst, startMs] : [between, firstMs]
  const perMs = sent / Math.max(DAY_MS, newest.readAtMs - sinceMs)
  const later = Math.floor(perMs * (nowMs - newest.readAtMs) * share)
  const total = newest.count + truth(newest.readAtMs, nowMs) + later
  return { at: known(readings, ownSince(startMs - 1), { startMs: { earliest: 0, latest: startMs } }), total }
}

test('the interval contains the truth for every split of the month, while others go on as before (8.3)', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { at, total } = play(history)
      const { low, high } = organizationCount(at) ?? BOTH(Infinity, -Infinity)
      expect(low).toBeLessThanOrEqual(total)
      expect(high).toBeGreaterThanOrEqual(total)
      expect(usedAtMost(at).atMost).toBeLessThanOrEqual(Math.max(high, at.own.sinceEarliest.high))
    }),
    { numRuns: 500 },
  )
})

test('another request of this app is in both ends, whatever was read before (8.3)', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { at } = play(history)
      const more = play({ ...history, ours: [...history.ours, { atMs: at.nowMs, kind: 'yes' }] })
      const [low = 0, high = 0] = interval(at) ?? []
      if (history.readAtMs.some((ms) => ms === at.nowMs)) return
      expect(interval(more.at)).toEqual([low + 1, high + 1])
    }),
  )
})

test('the used requests are our own or those of the reading, whichever are more; none are guessed (8.3)', () => {
  const since = { ownSince: BOTH(1, 2), inFlight: 1 }
  const used = (...readings: CountedReading[]) => usedAtMost(known(readings, BOTH(3, 7)))
  const byApp = { atMost: 7, reason: { code: 'month_used_by_app', count: 7 } }
  expect(used()).toEqual(byApp)
  expect(used(reading(4, 1, since))).toEqual(byApp)
  expect(used(reading(5, 1, since))).toEqual({
    atMost: 8,
    reason: { code: 'month_used_by_reading', count: 5, since: 3, age_ms: 19 * DAY_MS },
  })
})

const RESERVE = { person: 10, sign_in: 2 }
const wanted = (at: MonthKnown, limit: number | undefined = 100, suspectedAtMs?: number) =>
  readingWanted(at, limit, RESERVE, suspectedAtMs)
const since = (count: number, ownSince: number) =>
  known([reading(count, 20, { ownSince: BOTH(ownSince) })], BOTH(ownSince))

test.each([
  ['there is none', known([]), 'none'],
  ['it is of just now', since(32, 0), undefined],
  ['it is almost 5 days old', known([reading(0, 15.01)]), undefined],
  ['it is 5 days old', known([reading(0, 15)]), 'old'],
  ['half was not reached', since(40, 9), undefined],
  ['half was reached since', since(40, 10), 'half'],
  ['half was reached before', since(50, 20), undefined],
  ['four fifths were reached since', since(50, 30), 'four_fifths'],
  ['half and four fifths were', since(40, 40), 'four_fifths'],
  ['the reserve for people was reached', since(85, 5), 'reserve'],
  ['it was reached before', since(90, 7), undefined],
  ['the reserve for sign-ins was reached', since(95, 3), 'reserve'],
  ['the number is below this app’s own', known([reading(3, 20)], BOTH(4)), 'below_own'],
  ['the number is this app’s own', known([reading(4, 20)], BOTH(4)), undefined],
  ['some were under way', known([reading(3, 20, { inFlight: 1 })], BOTH(4)), undefined],
  ['it may be of the month before', known([reading(3, 1)], BOTH(4), { nowMs: DAY_MS }), undefined],
])('a reading is wanted where %s: %3$s (8.3)', (_, at, reason) => {
  expect(wanted(at)).toBe(reason)
})

test('after a suspicion newer than the newest reading one is wanted, before all else and on any plan (8.3)', () => {
  const at = known([reading(3, 19)], BOTH(4))
  expect(wanted(at, 100, 19 * DAY_MS + 1)).toBe('suspected')
  expect(wanted(at, 100, 19 * DAY_MS)).toBe('below_own')
  expect(wanted(known([]), 100, 0)).toBe('suspected')
  expect(readingWanted(at, undefined, RESERVE, 20 * DAY_MS)).toBe('suspected')
})

test('without a limit none is wanted (8.3)', () => {
  for (const at of [known([]), known([reading(0, 1)]), since(40, 60)])
    expect(readingWanted(at, undefined, RESERVE)).toBeUndefined()
})
