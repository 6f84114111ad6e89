import { expect, test } from 'vitest'
import { parseLoginRequest, parseSession, parseSessionRequest } from '../../src/contract/session.ts'

const STATE = 'state-of-sixteen'
const VERIFIER = 'v'.repeat(43)
const problem = (code: string) => expect.objectContaining({ code })

test('a sign-in begins with a state and an id, which may be a number (5.3)', () => {
  expect(parseLoginRequest({ state: STATE, organization_id: 7 })).toEqual({
    state: STATE,
    organization_id: '7',
  })
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

test.each([
  { code: 'c', state: STATE },
  { code: 'c', state: STATE, code_verifier: VERIFIER },
  { api_key: 'k' },
])('a sign-in ends with %j (5.1.5, 5.3, RFC 7636 4.1)', (body) => {
  expect(parseSessionRequest(body)).toEqual(body)
})

test.each([
  [{}, 'state_mismatch'],
  [{ code: 'c', state: 'short' }, 'state_mismatch'],
  [{ state: STATE }, 'invalid_request'],
  [{ code: 'c', state: STATE, code_verifier: 'v'.repeat(42) }, 'invalid_request'],
  [{ code: 'c', state: STATE, code_verifier: `${VERIFIER}=` }, 'invalid_request'],
  [{ api_key: 'k', code: 'c', state: STATE }, 'invalid_request'],
  [{ api_key: 'k', organization_id: 7 }, 'invalid_request'],
  [{ api_key: 'two words' }, 'key_rejected'],
  [{ api_key: '' }, 'key_rejected'],
  [{ api_key: null }, 'key_rejected'],
])('a sign-in that ends with %j is refused: %s (5.1.5, 5.3)', (body, code) => {
  expect(() => parseSessionRequest(body)).toThrow(problem(code))
})

test.each([
  { signed_in: true, method: 'oauth', organization_id: '7', ends_in: 60 },
  { signed_in: false, authorize: { authorization_endpoint: 'https://tasks.example/oauth2/login' } },
])('the page takes %j for a session (5)', (body) => {
  expect(parseSession(body)).toBe(body)
})

test.each([undefined, null, 'signed in', {}, { signed_in: true }, { signed_in: false }, { signed_in: 'no' }])(
  'the page does not take %j for a session (5)',
  (body) => {
    expect(() => parseSession(body)).toThrow(problem('unexpected_reply'))
  },
)
