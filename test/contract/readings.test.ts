import { expect, test } from 'vitest'
import {
  MOST_COUNT,
  parseReading,
  parseReadingRequest,
  parseReadings,
  planPage,
} from '../../src/contract/readings.ts'

const READING = { id: 'abc', count: 32, read_at: '2026-11-21T06:00:00.000Z', by: 'you' }
const unexpected = expect.objectContaining({ code: 'unexpected_reply' })

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

test('the answers are read whole (8.3)', () => {
  for (const by of ['you', 'another']) expect(parseReading({ ...READING, by })).toEqual({ ...READING, by })
  expect(() => parseReading({ ...READING, by: '' })).toThrow(unexpected)
  const readings = { readings: [READING] }
  expect(parseReadings(readings)).toEqual(readings)
  for (const name of Object.keys(READING)) {
    const { [name as 'id']: _, ...rest } = READING
    expect(() => parseReading(rest)).toThrow(unexpected)
    expect(() => parseReadings({ ...readings, readings: [rest] })).toThrow(unexpected)
  }
  expect(() => parseReading({ ...READING, by: 'other' })).toThrow(unexpected)
  expect(() => parseReadings({})).toThrow(unexpected)
})

test('the plan page is below the address of the service, and names the organization if it is known (8.3)', () => {
  expect(planPage('https://tasks.example/app', '1001')).toBe(
    'https://tasks.example/app/plan?organization_id=1001',
  )
  expect(planPage('https://tasks.example', undefined)).toBe('https://tasks.example/plan')
})
