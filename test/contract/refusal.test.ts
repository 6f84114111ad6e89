import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRateHeaders } from '../../src/contract/rate-limit.ts'
import { classifyRefusal, readRetryAfter } from '../../src/contract/refusal.ts'

const NOW = 1_800_000_000
type Refused = Parameters<typeof classifyRefusal>[0]
const refuse = (remaining?: number, reset?: number, differing: Partial<Refused> = {}) => {
  const headers = new Headers()
  if (remaining !== undefined) headers.set('X-RateLimit-Remaining', String(remaining))
  if (reset !== undefined) headers.set('X-RateLimit-Reset', String(reset))
  return classifyRefusal({
    reading: readRateHeaders(headers, NOW),
    retryAfterMs: undefined,
    serviceNowMs: NOW * 1000,
    sentThisMinute: 60,
    limit: 60,
    unknownBefore: false,
    ...differing,
  })
}

test.each([
  [0, NOW + 20, 21_000],
  [-4, NOW + 65, 66_000],
  [0, NOW - 100, 1000],
])('with %d left and the reset at %d it is the minute, for %d ms (8.4.3)', (remaining, reset, retryInMs) => {
  expect(refuse(remaining, reset)).toMatchObject({ code: 'rate_limited', retryInMs })
})

test.each([
  [0, 'rate_limited', 21_000],
  [30_000, 'rate_limited', 30_000],
  [65_000, 'rate_limited', 65_000],
  [65_001, 'month_suspected', undefined],
])('Retry-After of %d ms goes before the reset: %s (RFC 9110 10.2.3)', (retryAfterMs, code, retryInMs) => {
  expect(refuse(0, NOW + 20, { retryAfterMs })).toMatchObject(retryInMs ? { code, retryInMs } : { code })
})

test.each([
  ['requests of the minute are left', () => refuse(1, NOW + 20)],
  ['the reset is further away than a minute', () => refuse(0, NOW + 66)],
  ['the reset is further away than an hour', () => refuse(0, NOW + 86_400)],
  ['no header came and few were sent', () => refuse(undefined, undefined, { sentThisMinute: 29 })],
  [
    'it is the second without telling and the minute was not full',
    () => refuse(undefined, NOW + 20, { unknownBefore: true, sentThisMinute: 59 }),
  ],
])('the month is suspected when %s, and no wait of a minute is told (8.3)', (_why, refusal) => {
  expect(refusal().code).toBe('month_suspected')
  expect(refusal()).not.toHaveProperty('retryInMs')
})

test.each([
  ['half of the minute was sent', () => refuse(undefined, undefined, { sentThisMinute: 30 })],
  ['no limit was ever told', () => refuse(undefined, undefined, { sentThisMinute: 0, limit: undefined })],
  ['there is a reset and no remaining', () => refuse(undefined, NOW + 20, { sentThisMinute: 0 })],
  ['there is no reset', () => refuse(0, undefined, { sentThisMinute: 0 })],
  ['it is the second, and the minute was full', () => refuse(undefined, undefined, { unknownBefore: true })],
])('it cannot be told when %s, and the pause is a minute (7)', (_why, refusal) => {
  expect(refusal()).toMatchObject({ code: 'limit_unknown', retryInMs: 60_000 })
})

test('every refusal has a reason, and a wait that is a number above zero (8.4.3)', () => {
  const maybe = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined })
  const cases = fc.tuple(
    maybe(-5, 60),
    maybe(NOW - 200, NOW + 5000),
    fc.record({
      retryAfterMs: maybe(0, 100_000),
      sentThisMinute: fc.nat(100),
      limit: maybe(0, 600),
      unknownBefore: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(cases, ([remaining, reset, differing]) => {
      const { reasons, retryInMs = 1000 } = refuse(remaining, reset, differing)
      expect(reasons).not.toEqual([])
      expect(retryInMs).toBeGreaterThanOrEqual(1000)
      expect(retryInMs).toBeLessThanOrEqual(66_000)
    }),
  )
})

test.each([
  ['120', 120_000],
  ['0', 0],
  [' 7 ', 7000],
  ['Fri, 15 Jan 2027 08:00:30 GMT', 30_000],
  ['Friday, 15-Jan-27 08:00:30 GMT', 30_000],
  ['Fri Jan 15 08:00:30 2027', 30_000],
  ['Fri, 15 Jan 2027 07:00:00 GMT', 0],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['2027-01-15T08:00:30Z', undefined],
  ['Fri 15', undefined],
])('Retry-After: %s is a wait of %s ms (RFC 9110 10.2.3)', (text, waitMs) => {
  expect(readRetryAfter(new Headers({ 'Retry-After': text }), NOW * 1000)).toBe(waitMs)
})

test('without Retry-After there is none (RFC 9110 10.2.3)', () => {
  expect(readRetryAfter(new Headers(), NOW * 1000)).toBeUndefined()
})
