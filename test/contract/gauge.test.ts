import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, type Gauges, waitFor, wasUsedUp, windowAt } from '../../src/contract/gauge.ts'
import { attribute, type Observation, readRateHeaders } from '../../src/contract/rate-limit.ts'
import { ODD_HEADERS } from './_odd-headers.ts'

const NOW = 1_800_000_000
const RESET = NOW + 60

const observed = (what: Partial<Observation> = {}): Observation => ({
  class: 'read',
  servedAtSeconds: NOW,
  ...what,
})
const full = (remaining: number, what: Partial<Observation> = {}) =>
  observed({ limit: 60, remaining, resetAtSeconds: RESET, ...what })
const at = (observations: Observation[], seconds = NOW) =>
  windowAt(fold({}, observations).read, seconds * 1000)

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const answers: fc.Arbitrary<Observation> = fc
  .record({
    class: fc.constantFrom('read' as const, 'update' as const),
    limit: maybe(fc.constantFrom(0, 15, 60, 600)),
    remaining: maybe(fc.integer({ min: -2, max: 70 })),
    resetAtSeconds: maybe(fc.constantFrom(RESET, RESET + 1, RESET + 2, RESET + 3, RESET + 20, RESET + 60)),
    servedAtSeconds: fc.integer({ min: NOW - 5, max: NOW + 5 }),
  })
  .map(({ limit, remaining, resetAtSeconds, ...rest }) => ({
    ...rest,
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(resetAtSeconds === undefined ? {} : { resetAtSeconds }),
  }))

test('eight answers give one state, in any order and however often each comes (8.4.2)', () => {
  const disordered = fc
    .array(answers, { minLength: 8, maxLength: 8 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: 16 })))
  fc.assert(
    fc.property(disordered, ([list, other]) => {
      const stored = JSON.parse(JSON.stringify(fold({}, other.slice(0, 7)))) as Gauges
      expect(fold(stored, other.slice(7))).toEqual(fold({}, list))
    }),
    { numRuns: 500 },
  )
})

test('the remaining of a window never rises, whichever answer comes last (8.2)', () => {
  const answersOfOneWindow = fc.array(
    fc.record({
      remaining: fc.integer({ min: -2, max: 60 }),
      resetAtSeconds: fc.constantFrom(RESET, RESET + 1, RESET + 2),
      servedAtSeconds: fc.integer({ min: NOW, max: NOW + 50 }),
      named: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(answersOfOneWindow, (list) => {
      let gauges: Gauges = {}
      let shown = 60
      for (const { named, ...what } of list) {
        gauges = fold(gauges, [observed({ ...(named ? { limit: 60 } : {}), ...what })])
        const { remaining = Number.NaN } = windowAt(gauges.read, (NOW + 50) * 1000)
        expect(remaining).toBeLessThanOrEqual(shown)
        shown = remaining
      }
    }),
  )
})

test('whatever the headers are, a window holds numbers or nothing (8.4.2, attack 66)', () => {
  const value = fc.oneof(
    fc.constantFrom(...ODD_HEADERS),
    fc.constantFrom('0', '60', '600', String(RESET), String(RESET * 1000), '30'),
    fc.integer().map(String),
    fc.string({ unit: 'grapheme-ascii' }),
  )
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
  const triples = fc.array(fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 }), {
    maxLength: 3,
  })
  fc.assert(
    fc.property(triples, fc.integer({ min: -4000, max: 4000 }), (list, later) => {
      const observations = list.map((headers) =>
        attribute(readRateHeaders(new Headers(headers), NOW), 'read', NOW),
      )
      const gauges = fold({}, observations)
      for (const gauge of [gauges.read, gauges.update]) {
        const window = windowAt(gauge, (NOW + later) * 1000)
        const isOdd = (value: unknown) =>
          value === undefined || (typeof value === 'number' && !Number.isFinite(value))
        expect(Object.entries(window).filter(([, value]) => isOdd(value))).toEqual([])
        expect(Object.is(window.remaining, -0)).toBe(false)
        expect(waitFor(window, 0) ?? 0).toBeGreaterThanOrEqual(0)
      }
    }),
    { numRuns: 500 },
  )
})

test('a remaining below zero stays and means over by that much (8.4.2)', () => {
  expect(at([full(-3)])).toMatchObject({ known: 'measured', limit: 60, remaining: -3 })
})

test('a remaining above the limit is kept as it came, and does not move the limit (8.4.2)', () => {
  expect(at([full(75)])).toMatchObject({ limit: 60, remaining: 75 })
  const none = observed({ limit: 0, remaining: 0, resetAtSeconds: RESET })
  expect(at([none])).toMatchObject({ limit: 0, remaining: 0 })
})

test('a class that no answer reported is unseen, also where only its limit was reported (8.2)', () => {
  expect(windowAt(undefined, 0)).toEqual({ known: 'unseen' })
  expect(fold({}, [observed(), observed({ isResetFar: true })])).toEqual({})
  expect(at([observed({ limit: 60 })])).toEqual({ known: 'unseen', limit: 60, age_ms: 0 })
})

test('an answer without the headers changes nothing, not even the age (8.4.2)', () => {
  const without = observed({ servedAtSeconds: NOW + 30 })
  expect(at([full(50), without], NOW + 30)).toEqual(at([full(50)], NOW + 30))
})

test('a field that is absent leaves what is known of it (8.4.2)', () => {
  expect(
    at([full(50), observed({ remaining: 49, resetAtSeconds: RESET, servedAtSeconds: NOW + 1 })]),
  ).toMatchObject({ limit: 60, remaining: 49 })
  expect(
    at([full(50), observed({ limit: 60, resetAtSeconds: RESET, servedAtSeconds: NOW + 1 })]),
  ).toMatchObject({ remaining: 50 })
  expect(
    at([full(50), observed({ limit: 600, resetAtSeconds: RESET, servedAtSeconds: NOW + 1 })]),
  ).toMatchObject({ remaining: 50 })
})

test('without a reset there is no countdown, and after a minute no remaining either (8.2)', () => {
  const loose = [observed({ limit: 60, remaining: 0 })]
  expect(at(loose, NOW + 60)).not.toHaveProperty('reset_in_ms')
  expect(at(loose, NOW + 60)).toMatchObject({ known: 'measured', remaining: 0 })
  expect(waitFor(at(loose, NOW + 60), 0)).toBe(1000)
  expect(at(loose, NOW + 61)).toMatchObject({ known: 'expired', limit: 60 })
})

test('a remaining without a reset joins the window that was open, and none that is over (8.2)', () => {
  const loose = (remaining: number, servedAtSeconds: number) => observed({ remaining, servedAtSeconds })
  expect(at([full(28), loose(20, NOW + 5)], NOW + 10).remaining).toBe(20)
  expect(at([full(28), loose(29, NOW + 5)], NOW + 10).remaining).toBe(28)
  expect(at([full(28), loose(0, NOW - 2)], NOW + 10).remaining).toBe(28)
  expect(at([full(0), loose(0, RESET)], RESET + 1).known).toBe('expired')
  expect(at([full(0), loose(59, RESET + 1)], RESET + 2).remaining).toBe(59)
  expect(at([loose(20, NOW), loose(30, NOW)]).remaining).toBe(20)
})

test('a window is over one second after its reset, and then nothing is measured (8.4.2)', () => {
  const window = (ms: number) => windowAt(fold({}, [full(0)]).read, ms)
  expect(window((RESET + 1) * 1000 - 1)).toMatchObject({ known: 'measured', remaining: 0, reset_in_ms: 1 })
  const over = window((RESET + 1) * 1000)
  expect(over).toMatchObject({ known: 'expired', limit: 60, age_ms: 61_000 })
  expect(over).not.toHaveProperty('remaining')
  expect(over).not.toHaveProperty('reset_in_ms')
})

test('the newest window counts, and late answers of an older one do not (8.2)', () => {
  const newer = full(59, { resetAtSeconds: RESET + 60, servedAtSeconds: RESET + 1 })
  expect(at([newer, full(0)], RESET + 2)).toMatchObject({ remaining: 59, reset_in_ms: 59_000 })
})

test('a new limit is taken from the answer that came last (8)', () => {
  const upgraded = observed({ limit: 600, remaining: 590, resetAtSeconds: RESET, servedAtSeconds: NOW + 1 })
  expect(at([upgraded, full(3)])).toMatchObject({ limit: 600, remaining: 590 })
  expect(at([upgraded, full(3)], RESET + 1)).toMatchObject({ known: 'expired', limit: 600 })
})

test.each([
  [1, 0, undefined],
  [1, 1, 61_000],
  [0, 0, 61_000],
  [-2, 0, 61_000],
])('with %d left and %d under way the wait is %s ms (8.2)', (remaining, inFlight, waitMs) => {
  expect(waitFor(at([full(remaining)]), inFlight)).toBe(waitMs)
})

test('no request waits for a window that is over or was never seen (8.2)', () => {
  expect(waitFor(at([full(0)], RESET + 1), 5)).toBeUndefined()
  expect(waitFor(windowAt(undefined, 0), 5)).toBeUndefined()
})

test('no request waits for a window whose remaining was not reported (8.4.2)', () => {
  const window = at([observed({ limit: 60, resetAtSeconds: RESET })])
  expect(window).toMatchObject({ known: 'measured', limit: 60, reset_in_ms: 61_000 })
  expect(waitFor(window, 5)).toBeUndefined()
})

test('an answer that reports no remaining stores none, not even as undefined (8.4.2)', () => {
  expect(fold({}, [observed({ limit: 60 })])).toStrictEqual({
    read: {
      limit: { value: 60, atSeconds: NOW },
      reports: [],
      seenAtSeconds: NOW,
    },
  })
})

test('an answer whose reset has passed measures nothing (8.4.2)', () => {
  const over = at([observed({ limit: 60, remaining: 0, resetAtSeconds: NOW - 30 })])
  expect(over).toMatchObject({ known: 'expired', limit: 60 })
  expect(over).not.toHaveProperty('remaining')
})

test('of two limits in one window, the one reported last counts, even if its first report is older (8)', () => {
  const seconds = (limit: number, remaining: number, after: number) =>
    observed({ limit, remaining, resetAtSeconds: RESET, servedAtSeconds: NOW + after })
  expect(at([seconds(60, 10, 0), seconds(600, 500, 5), seconds(60, 12, 10)])).toMatchObject({
    limit: 60,
    remaining: 10,
  })
})

test('of two limits in one second, the one with the least remaining counts, or of equal ones the lower (8)', () => {
  const limited = (limit: number, remaining: number) => observed({ limit, remaining, resetAtSeconds: RESET })
  expect(at([limited(60, 10), limited(600, 5)])).toMatchObject({ limit: 600, remaining: 5 })
  expect(at([limited(60, 5), limited(600, 10)])).toMatchObject({ limit: 60, remaining: 5 })
  expect(at([limited(60, 5), limited(600, 5)])).toMatchObject({ limit: 60, remaining: 5 })
  expect(at([limited(60, 5), limited(100, 5)])).toMatchObject({ limit: 60, remaining: 5 })
  expect(at([limited(60, 5), observed({ limit: 15 })], RESET + 1)).toMatchObject({ limit: 15 })
  expect(at([limited(60, 5), observed({ limit: 600 })], RESET + 1)).toMatchObject({ limit: 60 })
})

test.each([
  [[], false],
  [[full(0)], true],
  [[full(-1)], true],
  [[full(1)], false],
  [[observed({ remaining: 0 })], true],
  [[observed({ remaining: 1 })], false],
  [[observed({ limit: 60 })], false],
  [[full(1), observed({ remaining: 0 })], true],
  [[full(0), full(59, { resetAtSeconds: RESET + 60 })], false],
])('the last report of %j is that none are left: %s (8.2)', (observations, usedUp) => {
  expect(wasUsedUp(fold({}, observations).read)).toBe(usedUp)
})

test('an answer of a time over a minute ahead measures nothing: a clock was set back (RFC 9110 6.6.1)', () => {
  const at = 1_800_000_000
  const observation = {
    class: 'read',
    limit: 60,
    remaining: 0,
    servedAtSeconds: at,
  } as const
  for (const reset of [{ resetAtSeconds: at + 30 }, {}]) {
    const { read } = fold({}, [{ ...observation, ...reset }])
    expect(windowAt(read, (at - 59) * 1000)).toMatchObject({ known: 'measured', remaining: 0 })
    const later = windowAt(read, (at - 62) * 1000)
    expect([later.known, waitFor(later, 0)]).toEqual(['expired', undefined])
  }
})

test('the age runs from the newest answer, also where an older one comes last (8.4.2)', () => {
  expect(at([full(50), full(51, { servedAtSeconds: NOW - 5 })], NOW + 2).age_ms).toBe(2000)
})

test('a stored gauge has nothing for what no answer has reported (8.4.2)', () => {
  const known = { resetAtSeconds: RESET, atSeconds: NOW }
  const stored = (...what: Partial<Observation>[]) => fold({}, what.map(observed)).read
  const reset = { resetAtSeconds: RESET }
  const seen = { seenAtSeconds: NOW }
  expect(stored(reset, reset)).toStrictEqual({ reports: [known], ...seen })
  expect(stored({ ...reset, remaining: 5 })).toStrictEqual({ reports: [{ ...known, remaining: 5 }], ...seen })
  expect(stored({ remaining: 5 })).toStrictEqual({
    reports: [],
    loose: { remaining: 5, atSeconds: NOW },
    ...seen,
  })
})

test('a gauge keeps the reports of its newest window alone, also where that came with two resets (8.2)', () => {
  const earlier = full(50, { limit: 15, resetAtSeconds: RESET - 60, servedAtSeconds: NOW - 60 })
  const { read } = fold({}, [earlier, full(50, { resetAtSeconds: RESET - 2 }), full(49), full(48)])
  const report = { limit: 60, atSeconds: NOW }
  expect(read?.reports).toEqual([
    { ...report, resetAtSeconds: RESET - 2, remaining: 50 },
    { ...report, resetAtSeconds: RESET, remaining: 48 },
  ])
  expect(at([earlier, full(50, { resetAtSeconds: RESET - 2 }), full(51)]).remaining).toBe(50)
})

test('an answer of a time that is a minute away still measures (RFC 9110 6.6.1)', () => {
  const { read } = fold({}, [full(7)])
  expect(windowAt(read, (NOW - 60) * 1000).remaining).toBe(7)
  expect(windowAt(read, (NOW - 60) * 1000 - 1).remaining).toBeUndefined()
})
