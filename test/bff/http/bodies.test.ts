import { expect, test } from 'vitest'
import * as exported from '../../../src/bff/http/bodies.ts'
import { MOST_NAME_LENGTH } from '../../../src/contract/chosen-name.ts'
import { LONGEST_KEPT_ADDRESS } from '../../../src/contract/session.ts'
import { MOST_COUNT } from '../../../src/contract/readings.ts'

const { parseBody, readBody: _, ...bodies } = exported
const { BROWSER_NAME, LINK, LOGIN, NUMBER } = bodies
type Name = keyof typeof bodies

const STATE = 'state-of-sixteen'
const VERIFIER = 'v'.repeat(43)
const BEGUN = { state: STATE, organization_id: '7' }
const ENDED = { code: 'c', state: STATE }
const LONGEST = 'x'.repeat(MOST_NAME_LENGTH)

test.each<[Name, object]>([
  ['CODE', ENDED],
  ['CODE', { ...ENDED, code_verifier: VERIFIER }],
  ['CODE', { ...ENDED, code_verifier: 'AZaz09-._~'.repeat(12) + 'v'.repeat(8) }],
  ['API_KEY', { api_key: 'k' }],
  ['LOGIN', BEGUN],
  ['LOGIN', { ...BEGUN, return_to: `/${'a'.repeat(LONGEST_KEPT_ADDRESS - 1)}`, code_verifier: VERIFIER }],
  ['STARTED', { state: STATE }],
  ['CONFIRMATION', { value: 'no' }],
  ['READING', { count: 0 }],
  ['READING', { count: MOST_COUNT }],
  ['READING', { count: 3, read_at: '2026-11-21T06:00:00+09:00' }],
  ['READING', { count: 3, month_was_reset: true }],
  ['LINK', { name: 'Wall', days: 1 }],
  ['BROWSER_NAME', { name: '' }],
  ['NOTHING', {}],
])('%s accepts %j as it is (5.1.5, 5.3, 8.3, RFC 7636 4.1)', (name, body) => {
  expect(parseBody(bodies[name], body)).toEqual(body)
})

test('what a person may type in several ways is read in one (5.3)', () => {
  expect(parseBody(LOGIN, { ...BEGUN, organization_id: 7 })).toEqual(BEGUN)
  expect(parseBody(NUMBER, { code: 'abcd-efgh', number: ' ４７ ' })).toEqual({
    code: 'ABCDEFGH',
    number: '47',
  })
  expect(parseBody(BROWSER_NAME, { name: ' e\u0301\t' })).toEqual({ name: '\u00E9' })
  expect(parseBody(LINK, { name: 'Wall' })).toEqual({ name: 'Wall', days: 30 })
})

type Row = [Name, body: unknown, fault: string]
const each = (name: Name, values: unknown[], bodyOf: (value: unknown) => unknown, fault: string): Row[] =>
  values.map((value) => [name, bodyOf(value), fault])
const NO_VERIFIER = ['v'.repeat(42), 'v'.repeat(129), `${VERIFIER}=`, `=${VERIFIER}`, [VERIFIER], null, 7]

test.each<Row>([
  ['CODE', { state: STATE }, 'code_malformed'],
  ...each('CODE', NO_VERIFIER, (code_verifier) => ({ ...ENDED, code_verifier }), 'code_verifier_malformed'),
  ['API_KEY', { api_key: 'k', ...ENDED }, 'unknown_member'],
  ['LOGIN', { state: 'short', organization_id: 7 }, 'state_malformed'],
  ['LOGIN', { ...BEGUN, redirect_uri: 'https://evil.example' }, 'unknown_member'],
  ['LOGIN', { ...BEGUN, return_to: `/${'a'.repeat(LONGEST_KEPT_ADDRESS)}` }, 'return_to_malformed'],
  ['LOGIN', { ...BEGUN, return_to: 'https://evil.example/' }, 'return_to_malformed'],
  ['STARTED', ENDED, 'unknown_member'],
  ['CONFIRMATION', {}, 'value_not_a_string'],
  ['CONFIRMATION', { value: false }, 'value_not_a_string'],
  ['READING', { count: -1 }, 'count_not_in_range'],
  ['READING', { count: MOST_COUNT + 1 }, 'count_not_in_range'],
  ['READING', { count: 0.5 }, 'count_not_in_range'],
  ['READING', { count: '3' }, 'count_not_in_range'],
  ['READING', {}, 'count_not_in_range'],
  ['READING', { count: 3, read_at: 'now' }, 'read_at_malformed'],
  ['READING', { count: 3, read_at: null }, 'read_at_malformed'],
  ['READING', { count: 3, month_was_reset: false }, 'month_was_reset_not_true'],
  ['CLAIM', {}, 'value_not_a_string'],
  ['CLAIM', { code: 'ABCDEFG0' }, 'code_malformed'],
  ['BROWSER_NAME', { name: `${LONGEST}x` }, 'name_too_long'],
  ['BROWSER_NAME', { name: '💻'.repeat(MOST_NAME_LENGTH + 1) }, 'name_too_long'],
  ['BROWSER_NAME', { name: 'a\u202Eb' }, 'name_has_hidden_characters'],
  ['BROWSER_NAME', { name: null }, 'value_not_a_string'],
  ['LINK', { name: ' ' }, 'name_missing'],
  ['LINK', { name: 'Wall', days: 366 }, 'days_not_in_range'],
  ...each('NOTHING', [[], ['no'], null, 'no', 7], (body) => body, 'body_not_an_object'),
])('%s refuses %j with its fault: %s (5.3, 8.3, RFC 9700 4.11)', (name, body, fault) => {
  expect(() => parseBody(bodies[name], body)).toThrow(
    expect.objectContaining({ code: 'invalid_request', fault }),
  )
})

test.each<Row>([
  ['CODE', {}, 'state_mismatch'],
  ['CODE', { code: 'c', state: 'short' }, 'state_mismatch'],
  ['STARTED', { state: 'short' }, 'state_mismatch'],
  ['LOGIN', { state: STATE }, 'invalid_organization_id'],
  ['LOGIN', { state: STATE, organization_id: '0' }, 'invalid_organization_id'],
  ...each('API_KEY', ['two words', '', null, ['k'], 7], (api_key) => ({ api_key }), 'key_rejected'),
])('%s refuses %j with a problem of its own: %s (5.1.5, 5.3)', (name, body, code) => {
  expect(() => parseBody(bodies[name], body)).toThrow(expect.objectContaining({ code }))
})

test.each(['{"code":1,"cod":2}', '{"__proto__":{"code":1}}', '{"constructor":1}'])(
  '%s is refused with the members that are known, and nothing of it is repeated (RFC 9457 5)',
  (text) => {
    expect(() => parseBody(NUMBER, JSON.parse(text))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        fault: 'unknown_member',
        known: ['code', 'number'],
      }),
    )
  },
)
