import { expect, test } from 'vitest'
import { isRefusalCode, readRetryAfter } from '../../src/contract/refusal.ts'

const NOW = 1_800_000_000

test('three codes are those of a limit, and no other (8.4.3)', () => {
  const codes = ['rate_limited', 'month_suspected', 'limit_unknown', 'upstream_failed', 'success', undefined]
  expect(codes.filter(isRefusalCode)).toEqual(['rate_limited', 'month_suspected', 'limit_unknown'])
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
