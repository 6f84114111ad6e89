import { expect, test } from 'vitest'
import { isErrorBody } from '../../src/contract/json.ts'
import { isPlainSuccess } from '../../src/contract/learn.ts'
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

test.each([
  ['when the answer was written', 'Fri, 15 Jan 2027 08:00:00 GMT', 30_000],
  ['a second before, for an answer that took longer', 'Fri, 15 Jan 2027 07:59:57 GMT', 30_400],
  ['now, for an answer that is said to come later', 'Fri, 15 Jan 2027 08:00:02 GMT', 29_400],
  ['now, for an answer without a time', '', 29_400],
])('a date to wait for is counted from %s (RFC 9110 10.2.3)', (_, date, waitMs) => {
  const headers = new Headers({ 'Retry-After': 'Fri, 15 Jan 2027 08:00:30 GMT', Date: date })
  expect(readRetryAfter(headers, NOW * 1000 + 600)).toBe(waitMs)
})

test.each([
  ['{"error":"monthly_limit_exceeded","error_description":"Over."}', true],
  ['{"error":"over","error_uri":"https://tasks.example/over"}', true],
  ['{"title":"Over","detail":"Over.","instance":"/organizations/1"}', true],
  ['{"message":"Over."}', true],
  ['{"code":"over","message":"Over."}', true],
  ['{"errors":[{"code":"over"}]}', true],
  ['{"type":"about:blank","title":"Over","status":403,"detail":"Over."}', true],
  ...['error_description', 'error_uri', 'code', 'status', 'type', 'title', 'instance'].map(
    (name): [string, boolean] => [JSON.stringify({ error: 'over', [name]: 'x' }), true],
  ),
  ['<h1>We are at work here</h1>', true],
  ['', true],
  ['{"id":1,"name":"Harbour Rope Works"}', false],
  ['{"error":"none","id":1}', false],
  ['{"code":"HRW","title":"Harbour Rope Works"}', false],
  ['{}', false],
  ['[]', false],
  ['[{"error":"x"}]', false],
  ['null', false],
])('%s is an error: %s (4.4, 7)', (text, isError) => {
  expect(isErrorBody(text)).toBe(isError)
  expect([200, 404].map((status) => isPlainSuccess({ status, text }))).toEqual([!isError, false])
})
