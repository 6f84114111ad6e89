import { expect, test } from 'vitest'
import { parseEvidenceConfirmation } from '../../src/contract/evidence.ts'
import { MOST_COUNT, parseReadingRequest, planPage } from '../../src/contract/readings.ts'

test('a confirmation has the value alone (8.3)', () => {
  expect(parseEvidenceConfirmation({ value: 'no' })).toEqual({ value: 'no' })
  for (const [body, fault] of [
    [{}, 'value_not_a_string'],
    [{ value: false }, 'value_not_a_string'],
    [{ value: 'no', more: 1 }, 'unknown_member'],
    [['no'], 'body_not_an_object'],
    [null, 'body_not_an_object'],
    ['no', 'body_not_an_object'],
  ])
    expect(() => parseEvidenceConfirmation(body)).toThrow(
      expect.objectContaining({ code: 'invalid_request', fault }),
    )
})

test.each([
  { count: 0 },
  { count: MOST_COUNT },
  { count: 3, read_at: '2026-11-21T06:00:00+09:00' },
  { count: 3, month_was_reset: true },
])('%j is a reading (8.3)', (body) => {
  expect(parseReadingRequest(body)).toEqual(body)
})

test.each([
  [{ count: -1 }, 'count_not_in_range'],
  [{ count: MOST_COUNT + 1 }, 'count_not_in_range'],
  [{ count: 0.5 }, 'count_not_in_range'],
  [{ count: '3' }, 'count_not_in_range'],
  [{}, 'count_not_in_range'],
  [{ count: 3, read_at: 'now' }, 'read_at_malformed'],
  [{ count: 3, read_at: null }, 'read_at_malformed'],
  [{ count: 3, month_was_reset: false }, 'month_was_reset_not_true'],
  [{ count: 3, at: 1 }, 'unknown_member'],
  [[3], 'body_not_an_object'],
])('%j is none: %s (8.3)', (body, fault) => {
  expect(() => parseReadingRequest(body)).toThrow(expect.objectContaining({ code: 'invalid_request', fault }))
})

test('the plan page is below the address of the service, and names the organization if it is known (8.3)', () => {
  expect(planPage('https://tasks.example/app', '1001')).toBe(
    'https://tasks.example/app/plan?organization_id=1001',
  )
  expect(planPage('https://tasks.example', undefined)).toBe('https://tasks.example/plan')
})
