import { expect, test } from 'vitest'
import { LONGEST_KEPT_ADDRESS, parseLoginRequest, parseStartedRequest } from '../../src/contract/login.ts'
import { parseSessionRequest } from '../../src/contract/session.ts'

const STATE = 'state-of-sixteen'
const VERIFIER = 'v'.repeat(43)
const problem = (code: string) => expect.objectContaining({ code })

test.each([
  { code: 'c', state: STATE },
  { code: 'c', state: STATE, code_verifier: VERIFIER },
  { code: 'c', state: STATE, code_verifier: 'AZaz09-._~'.repeat(12) + 'v'.repeat(8) },
  { api_key: 'k' },
])('a sign-in ends with %j (5.1.5, 5.3, RFC 7636 4.1)', (body) => {
  expect(parseSessionRequest(body)).toEqual(body)
})

const REFUSED: [body: object, code: string, fault: string | undefined][] = [
  [{}, 'state_mismatch', undefined],
  [{ code: 'c', state: 'short' }, 'state_mismatch', undefined],
  [{ state: STATE }, 'invalid_request', 'code_malformed'],
  ...['v'.repeat(42), 'v'.repeat(129), `${VERIFIER}=`, `=${VERIFIER}`, [VERIFIER], null, 7].map(
    (code_verifier): (typeof REFUSED)[number] => [
      { code: 'c', state: STATE, code_verifier },
      'invalid_request',
      'code_verifier_malformed',
    ],
  ),
  ...[{ code: 'c' }, { state: STATE }, { code_verifier: VERIFIER }, { code: 'c', state: STATE }].map(
    (others): (typeof REFUSED)[number] => [
      { api_key: 'k', ...others },
      'invalid_request',
      'api_key_beside_code',
    ],
  ),
  [{ api_key: 'k', organization_id: 7 }, 'invalid_request', 'unknown_member'],
  ...['two words', '', null, ['k'], 7].map((api_key): (typeof REFUSED)[number] => [
    { api_key },
    'key_rejected',
    'api_key_malformed',
  ]),
]

test.each(REFUSED)('a sign-in that ends with %j is refused: %s, %s (5.1.5, 5.3)', (body, code, fault) => {
  expect(() => parseSessionRequest(body)).toThrow(expect.objectContaining({ code, fault }))
})

test('a sign-in begins with a state and an id, which may be a number (5.3)', () => {
  expect(parseLoginRequest({ state: STATE, organization_id: 7 })).toEqual({
    state: STATE,
    organization_id: '7',
  })
})

test('a state that is too short is refused with what it has to be (RFC 6749 A.5)', () => {
  expect(() => parseLoginRequest({ state: 'short', organization_id: 7 })).toThrow(
    expect.objectContaining({ fault: 'state_malformed' }),
  )
})

test.each([
  [{ state: STATE, organization_id: '0' }, 'invalid_organization_id'],
  [{ state: STATE }, 'invalid_organization_id'],
  [{ state: 'short', organization_id: 7 }, 'invalid_request'],
  [{ state: STATE, organization_id: 7, redirect_uri: 'https://evil.example' }, 'invalid_request'],
  [[STATE, 7], 'invalid_request'],
])('a sign-in that begins with %j is refused: %s (5.3)', (body, code) => {
  expect(() => parseLoginRequest(body)).toThrow(problem(code))
})

test('a sign-in may have the place to return to and its verifier with it (RFC 7636 4.1)', () => {
  const kept = { return_to: `/${'a'.repeat(LONGEST_KEPT_ADDRESS - 1)}`, code_verifier: VERIFIER }
  expect(parseLoginRequest({ state: STATE, organization_id: '7', ...kept })).toEqual({
    state: STATE,
    organization_id: '7',
    ...kept,
  })
})

test.each([
  [{ return_to: `/${'a'.repeat(LONGEST_KEPT_ADDRESS)}` }, 'return_to_malformed'],
  [{ return_to: 'https://evil.example/' }, 'return_to_malformed'],
  [{ return_to: '/a\r\nb' }, 'return_to_malformed'],
  [{ return_to: 7 }, 'return_to_malformed'],
  [{ code_verifier: 'short' }, 'code_verifier_malformed'],
  [{ code_verifier: null }, 'code_verifier_malformed'],
])('a sign-in with %j is refused: %s (RFC 9700 4.11)', (kept, fault) => {
  expect(() => parseLoginRequest({ state: STATE, organization_id: 7, ...kept })).toThrow(
    expect.objectContaining({ code: 'invalid_request', fault }),
  )
})

test('a sign-in is asked for by its state alone (RFC 6749 10.12)', () => {
  expect(parseStartedRequest({ state: STATE })).toBe(STATE)
  expect(() => parseStartedRequest({ state: 'short' })).toThrow(problem('state_mismatch'))
  expect(() => parseStartedRequest({ state: STATE, code: 'c' })).toThrow(problem('invalid_request'))
})
