import { expect, test } from 'vitest'
import { FINDINGS, parseEvidence, parseEvidenceConfirmation } from '../../src/contract/evidence.ts'
import {
  MOST_COUNT,
  parseReading,
  parseReadingRequest,
  parseReadings,
  planPage,
} from '../../src/contract/readings.ts'

const AT = '2026-11-21T06:00:00.000Z'
const finding = {
  name: 'month_status',
  assumed: 'unknown',
  value: '403',
  in_use: true,
  confirmable: false,
  observations: [
    { at: '2026-11-21T06:00:00.000Z', code: 'status_over_the_month', value: '403' },
    { at: AT, code: 'month_reset', after: AT, by: AT },
  ],
}

test('the evidence is read as it was written, with and without a value (8.3)', () => {
  const { value: _, ...without } = finding
  for (const one of [finding, without, ...FINDINGS.map((name) => ({ ...finding, name }))])
    expect(parseEvidence({ findings: [one] })).toEqual({ findings: [one] })
})

test.each<[string, unknown]>([
  ['no findings', {}],
  ['a finding of another name', { findings: [{ ...finding, name: 'other' }] }],
  ['a finding without what is assumed', { findings: [{ ...finding, assumed: undefined }] }],
  ['a value that is no text', { findings: [{ ...finding, value: 403 }] }],
  ['a use that is no flag', { findings: [{ ...finding, in_use: 'yes' }] }],
  ['a confirmation that is no flag', { findings: [{ ...finding, confirmable: 1 }] }],
  [
    'an observation without a code',
    { findings: [{ ...finding, observations: [{ at: finding.observations[0]?.at }] }] },
  ],
  ...[
    { at: 'x', code: 'confirmed' },
    { at: AT, code: 'toString' },
    { at: AT, code: 'status_over_the_month', value: 7 },
    { at: AT, code: 'month_reset', after: 'x' },
    { at: AT, code: 'month_reset', by: 'x' },
  ].map((one): [string, unknown] => [
    `the observation ${JSON.stringify(one)}`,
    { findings: [{ ...finding, observations: [one] }] },
  ]),
])('evidence with %s is refused as a whole (8.3)', (_, body) => {
  expect(() => parseEvidence(body)).toThrow(expect.objectContaining({ code: 'unexpected_reply' }))
})

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
