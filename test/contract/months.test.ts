import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ASSUMED } from '../../src/contract/assumptions.ts'
import {
  certainMonth,
  type DayUse,
  type MonthsKnown,
  type MonthUse,
  monthNameAt,
  monthNames,
  monthsOf,
  monthsSinceMs,
  type Sufficiency,
  shownBy,
  sufficiencyOf,
} from '../../src/contract/months.ts'
import { PLANS } from '../../src/contract/plan.ts'

const DAY_MS = 86_400_000
const utc = (text: string) => Date.parse(text.length > 10 ? `${text}Z` : text)
const day = (text: string, low: number, high = low): DayUse => ({ startMs: utc(text), low, high })
const reading = (count: number, at: string, inFlight = 0) => ({ count, readAtMs: utc(at), inFlight })
const UTC = { month_zones: ['UTC'] }
const STANDARD = { plan: 'standard', limit: 100 } as const

const known = (more: Partial<MonthsKnown> = {}): MonthsKnown => ({
  present: { month: '2026-11', low: 0, high: 0 },
  days: [],
  readings: [],
  noted: {},
  ...more,
})
const months = (more: Partial<MonthsKnown>, zones: typeof UTC | typeof ASSUMED = UTC) =>
  monthsOf(known(more), zones)
const october = (more: Partial<MonthsKnown>, zones?: typeof UTC | typeof ASSUMED) =>
  months(more, zones).find(({ month }) => month === '2026-10')

test.each([
  ['2026-10-31T09:59', '2026-10', '2026-10'],
  // It is 1 November in Kiritimati.
  ['2026-10-31T10:00', undefined, '2026-10'],
  ['2026-11-01T00:00', undefined, '2026-11'],
  // It is still October 12 hours behind UTC.
  ['2026-11-01T11:59', undefined, '2026-11'],
  ['2026-11-01T12:00', '2026-11', '2026-11'],
  ['2028-02-29T09:59', '2028-02', '2028-02'],
])('at %s the month is %s in every zone, and called %s (8.3)', (at, certain, name) => {
  expect(certainMonth(utc(at), ASSUMED)).toBe(certain)
  expect(monthNameAt(utc(at), ASSUMED)).toBe(name)
})

test('a month of a known zone has its name before it begins in UTC (8.3)', () => {
  expect(monthNameAt(utc('2026-10-31T15:00'), { month_zones: ['Asia/Tokyo'] })).toBe('2026-11')
})

test('twelve months end with the present one, over the end of a year, and begin a day early (8.3)', () => {
  const names = monthNames('2027-02')
  expect(names.join(' ')).toBe(
    '2027-02 2027-01 2026-12 2026-11 2026-10 2026-09 2026-08 2026-07 2026-06 2026-05 2026-04 2026-03',
  )
  expect(new Date(monthsSinceMs('2027-02')).toISOString()).toBe('2026-02-28T00:00:00.000Z')
  expect(new Date(monthsSinceMs('2029-02')).toISOString()).toBe('2028-02-29T00:00:00.000Z')
})

test('a new organization has the present month alone, as its card counts it (8.3)', () => {
  expect(months({ present: { month: '2026-11', low: 1, high: 3 } })).toEqual([
    { month: '2026-11', low: 1, high: 3 },
  ])
})

test.each<[string, Partial<MonthsKnown>]>([
  ['a request', { days: [day('2026-09-30', 0, 1)] }],
  ['a reading', { readings: [reading(0, '2026-09-10')] }],
  ['a known plan', { noted: { '2026-09': STANDARD } }],
])('the list begins with the first month that has %s, and a month without any has 0 (8.3)', (_, has) => {
  const found = months(has)
  expect(found.map(({ month }) => month)).toEqual(['2026-11', '2026-10', '2026-09'])
  expect(found[1]).toEqual({ month: '2026-10', low: 0, high: 0 })
})

test('a day without a request that may count begins no month, and none is below 0 (8.3)', () => {
  expect(months({ days: [day('2026-09-30', 0)] })).toHaveLength(1)
  expect(october({ days: [day('2026-10-02', -2, -1), day('2026-10-01', 1)] })).toMatchObject({
    low: 0,
    high: 0,
  })
})

test.each<[string, Partial<MonthsKnown>, [low: number, high: number]]>([
  ['nothing of ours', { readings: [reading(45, '2026-10-17T12:00')] }, [45, 45]],
  [
    'our own before its day; those of its day may be among it',
    {
      days: [day('2026-10-18', 9), day('2026-10-17', 3, 4), day('2026-10-16', 20, 22)],
      readings: [reading(45, '2026-10-17T12:00')],
    },
    [45 - 26, 45 - 20],
  ],
  [
    'what was under way may be among it',
    { days: [day('2026-10-16', 20)], readings: [reading(45, '2026-10-17T12:00', 2)] },
    [25, 27],
  ],
  [
    'only the newest reading',
    { readings: [reading(45, '2026-10-17T12:00'), reading(5, '2026-10-09T12:00')] },
    [45, 45],
  ],
  ['never below 0', { days: [day('2026-10-16', 20)], readings: [reading(3, '2026-10-17T12:00')] }, [0, 0]],
  [
    'our own count at that time, where it is known exactly',
    { readings: [{ ...reading(45, '2026-10-17T12:00', 1), ownBefore: { low: 20, high: 23 } }] },
    [22, 26],
  ],
])('others have used a reading less %s (8.3)', (_, has, [low, high]) => {
  expect(october(has)?.others).toEqual({ low, high, read_on: '2026-10-17' })
})

test('where the zone is unknown, our own of the days at the start may be of either month (8.3)', () => {
  const has = {
    days: [day('2026-10-02', 4), day('2026-10-01', 2), day('2026-09-30', 8), day('2026-09-29', 16)],
    readings: [reading(40, '2026-10-17T12:00')],
  }
  expect(october(has, ASSUMED)?.others).toMatchObject({ low: 40 - 14, high: 40 - 4 })
  expect(october(has)?.others).toMatchObject({ low: 40 - 6, high: 40 - 6 })
})

test('a reading that may be of the month before shows nothing of others (8.3)', () => {
  const has = { readings: [reading(70, '2026-10-01T05:00')] }
  expect(months(has, ASSUMED)).toEqual([{ month: '2026-11', low: 0, high: 0 }])
  expect(october(has)?.others).toMatchObject({ low: 70, high: 70 })
})

const NOTED = { '2026-10': STANDARD }
test.each<[string, Partial<MonthsKnown>, string | undefined]>([
  ['no request', { noted: NOTED }, undefined],
  ['a refusal', { noted: { '2026-10': { refusedAtMs: utc('2026-10-21T23:59') } } }, '2026-10-21'],
  [
    'a refusal before the plan was changed',
    { noted: { '2026-10': { plan: 'business', refusedAtMs: utc('2026-10-21T23:59') } } },
    '2026-10-21',
  ],
  [
    'our own count at the limit',
    { noted: NOTED, days: [day('2026-10-20', 0, 3), day('2026-10-19', 60), day('2026-10-02', 40)] },
    '2026-10-19',
  ],
  [
    'our own count that only may be at the limit',
    { noted: NOTED, days: [day('2026-10-19', 99, 120)] },
    undefined,
  ],
  ['successes beyond the limit', { noted: NOTED, days: [day('2026-10-19', 101)] }, undefined],
  ['the limit of no known plan', { days: [day('2026-10-19', 100)] }, undefined],
  ['a reading at the limit', { noted: NOTED, readings: [reading(100, '2026-10-19T12:00')] }, '2026-10-19'],
  ['a reading below the limit', { noted: NOTED, readings: [reading(99, '2026-10-19T12:00')] }, undefined],
  [
    'a reading at the limit, and a success on an earlier day',
    { noted: NOTED, days: [day('2026-10-18', 1)], readings: [reading(100, '2026-10-19T12:00')] },
    '2026-10-19',
  ],
  [
    'a reading at the limit, and a success on a later day',
    { noted: NOTED, days: [day('2026-10-20', 1)], readings: [reading(100, '2026-10-19T12:00')] },
    undefined,
  ],
  [
    'the earliest of several',
    {
      noted: { '2026-10': { ...STANDARD, refusedAtMs: utc('2026-10-25') } },
      days: [day('2026-10-24', 100)],
      readings: [reading(120, '2026-10-28T12:00'), reading(110, '2026-10-26T12:00')],
    },
    '2026-10-24',
  ],
])('the month has run out with %s on its day (8.3)', (_, has, on) => {
  expect(october({ readings: [reading(0, '2026-10-01T05:00')], ...has })?.ran_out_on).toBe(on)
})

test('a success of the last day may be of the next month, and ends nothing (8.3)', () => {
  const has = { noted: NOTED, days: [day('2026-10-31', 1)], readings: [reading(100, '2026-10-19T12:00')] }
  expect(october(has, ASSUMED)?.ran_out_on).toBe('2026-10-19')
  expect(october(has)?.ran_out_on).toBeUndefined()
})

const use = (more: Partial<MonthUse>): MonthUse => ({ month: '2026-10', low: 0, high: 0, ...more })
const byOthers = (low: number, high = low, read_on = '2026-10-29') => ({ others: { low, high, read_on } })
test.each<[Partial<MonthUse>, Sufficiency, whileRunning: Sufficiency]>([
  [{}, 'others_unknown', 'running'],
  [{ low: 100, high: 100 }, 'others_unknown', 'running'],
  [{ low: 101, high: 101 }, 'too_little', 'too_little'],
  [{ low: 90, high: 101, ...byOthers(0) }, 'inexact', 'running'],
  [{ low: 90, high: 100, ...byOthers(0) }, 'enough', 'running'],
  [{ low: 60, high: 60, ...byOthers(41) }, 'too_little', 'too_little'],
  [{ low: 60, high: 60, ...byOthers(40, 41) }, 'inexact', 'running'],
  [{ low: 60, high: 60, ...byOthers(38, 40) }, 'enough', 'running'],
  [byOthers(88, 88, '2026-10-21'), 'read_early', 'running'],
  [byOthers(0, 0, '2026-10-28'), 'read_early', 'running'],
  [byOthers(101, 101, '2026-10-02'), 'too_little', 'too_little'],
  [{ month: '2028-02', ...byOthers(0, 0, '2028-02-26') }, 'read_early', 'running'],
  [{ month: '2028-02', ...byOthers(0, 0, '2028-02-27') }, 'enough', 'running'],
  [{ month: '2026-12', ...byOthers(0, 0, '2026-12-29') }, 'enough', 'running'],
  // A zone in which October ends on 1 November.
  [byOthers(0, 0, '2026-11-01'), 'enough', 'running'],
  [{ ran_out_on: '2026-10-21', ...byOthers(0) }, 'too_little', 'too_little'],
])('for %j Standard is %s, while the month runs %s, and Business is enough (8.3)', (month, past, running) => {
  expect(sufficiencyOf(PLANS.standard, use(month), false)).toBe(past)
  expect(sufficiencyOf(PLANS.standard, use(month), true)).toBe(running)
  expect(sufficiencyOf(PLANS.business, use(month), false)).toBe('enough')
  expect(sufficiencyOf(PLANS.business, use(month), true)).toBe('enough')
})

const ownDay = fc.record({ nth: fc.integer({ min: 20, max: 30 }), low: fc.nat(9), may: fc.nat(5) })
const readOn = fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined })
test('no true count contradicts what is said of a plan, and enough needs a late reading (8.3)', () => {
  fc.assert(
    fc.property(
      fc.array(ownDay, { maxLength: 5 }),
      fc.integer({ min: 60, max: 110 }),
      readOn,
      fc.nat(5),
      (own, others, readDay, counting) => {
        const dayMs = (nth: number) => utc('2026-10-01') + nth * DAY_MS
        const days = own.map(({ nth, low, may }) => ({ startMs: dayMs(nth), low, high: low + may }))
        // Of the requests of a day that may count, so many do.
        const used = (before: number) =>
          days
            .filter(({ startMs }) => startMs < before)
            .reduce((sum, { low, high }) => sum + Math.min(high, low + counting), others)
        const readings = [readDay ?? []]
          .flat()
          .map((nth) => ({ count: used(dayMs(nth)), readAtMs: dayMs(nth), inFlight: 0 }))
        const said = sufficiencyOf(PLANS.standard, october({ days, readings }) ?? use({}), false)
        const isLate = readDay !== undefined && readDay >= 28
        const isTrue = said === 'enough' ? isLate && used(Infinity) <= 100 : used(Infinity) > 100
        expect(isTrue || !['enough', 'too_little'].includes(said)).toBe(true)
      },
    ),
    { numRuns: 1000 },
  )
})

test('a plan shows its limit, and an unlimited or unknown plan none (8.3)', () => {
  expect([PLANS.standard, PLANS.business, undefined].map(shownBy)).toEqual([
    STANDARD,
    { plan: 'business' },
    {},
  ])
})

const anyDay = fc.record({ nth: fc.nat(480), low: fc.nat(9), may: fc.nat(5) })
test('the past months are together their days of UTC, leap day and month ends included (8.3)', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyDay, { selector: ({ nth }) => nth, maxLength: 200 }), (some) => {
      const days = some.map(({ nth, low, may }) => ({
        startMs: utc('2027-04-01') + nth * DAY_MS,
        low,
        high: low + may,
      }))
      const found = monthsOf(known({ days, present: { month: '2028-07', low: 5, high: 6 } }), ASSUMED)
      const sum = (end: 'low' | 'high', isIn: (startMs: number) => boolean) =>
        days.filter(({ startMs }) => isIn(startMs)).reduce((total, one) => total + one[end], 0)
      for (const end of ['low', 'high'] as const)
        expect(found.slice(1).reduce((total, one) => total + one[end], 0)).toBe(
          sum(end, (ms) => ms >= utc('2027-08-01') && ms < utc('2028-07-01')),
        )
      const ofFebruary = found.find(({ month }) => month === '2028-02')
      const inFebruary = (ms: number) => ms >= utc('2028-02-01') && ms <= utc('2028-02-29')
      expect(ofFebruary?.high ?? 0).toBe(sum('high', inFebruary))
      expect(found[0]).toEqual({ month: '2028-07', low: 5, high: 6 })
    }),
  )
})
