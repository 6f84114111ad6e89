import { expect, test } from 'vitest'
import { FINDINGS, parseEvidence, parseEvidenceConfirmation } from '../../src/contract/evidence.ts'

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
    { at: AT, code: 'headers_described', value: 7 },
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
