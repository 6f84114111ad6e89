import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  callbackError,
  callbackParameters,
  callbackState,
  isCode,
  isState,
  readCallback,
} from '../../src/contract/authorize.ts'
import {
  type Credential,
  credentialHeader,
  isApiKey,
  readCredentials,
} from '../../src/contract/credential.ts'

const STATE = 'state-of-sixteen'

test.each([
  ['?code=c&state=s', 'code=c&state=s'],
  ['#code=c&state=s', 'code=c&state=s'],
  ['?code=c&state=s#code=d', 'code=c&state=s'],
  ['', ''],
])('an answer at %s is %s (4.1)', (at, parameters) => {
  expect(String(callbackParameters(new URL(`http://localhost:3000/callback${at}`)))).toBe(parameters)
})

test.each([
  [STATE, true],
  ['x'.repeat(512), true],
  ['x'.repeat(513), false],
  ['x'.repeat(15), false],
  [`${STATE} `, false],
  [`${STATE}\n`, false],
  [`${STATE}ä`, false],
  [7, false],
])('%j can be a state: %s (5.3, RFC 6749 A.5)', (value, can) => {
  expect(isState(value)).toBe(can)
})

test.each([
  ['c', true],
  ['', false],
  ['a b', false],
  ['x'.repeat(4096), true],
  ['x'.repeat(4097), false],
  [undefined, false],
])('%j can be a code: %s (RFC 6749 A.11)', (value, can) => {
  expect(isCode(value)).toBe(can)
})

test('code and state are read, whatever other parameters there are (4.1, RFC 6749 4.1.2)', () => {
  expect(readCallback(new URLSearchParams(`code=c%2B1&state=${STATE}&iss=x&error=`))).toEqual({
    code: 'c+1',
    state: STATE,
  })
})

test.each([
  [`error=access_denied&state=${STATE}`, 'access_denied'],
  [`error=server_error&state=${STATE}`, 'authorization_failed'],
  [`error=server_error&code=c&state=${STATE}`, 'authorization_failed'],
  [`state=${STATE}`, 'authorization_failed'],
  ['', 'authorization_failed'],
  ['code=c', 'state_mismatch'],
  ['code=c&state=short', 'state_mismatch'],
])('the answer %j is the problem %s (4.1, RFC 6749 3.1, 4.1.2.1, attack 11)', (query, code) => {
  expect(() => readCallback(new URLSearchParams(query))).toThrow(expect.objectContaining({ code }))
})

test.each([
  [`code=c&code=c&state=${STATE}`, 'repeated_parameter'],
  [`code=c&state=${STATE}&state=${STATE}`, 'repeated_parameter'],
  [`code=c&state=${STATE}&error=a&error=b`, 'repeated_parameter'],
  [`code=a%20b&state=${STATE}`, 'code_malformed'],
])('the answer %j is not understood: %s (4.1, RFC 6749 3.1, attack 8)', (query, fault) => {
  expect(() => readCallback(new URLSearchParams(query))).toThrow(
    expect.objectContaining({ code: 'invalid_request', fault }),
  )
})

test('the state is read beside an error too, and the first of two (4.1)', () => {
  expect(callbackState(new URLSearchParams(`error=access_denied&state=${STATE}`))).toBe(STATE)
  expect(callbackState(new URLSearchParams('state=a&state=b'))).toBe('a')
  expect(callbackState(new URLSearchParams('code=c'))).toBe('')
})

test.each(['', 'error=', 'error=Server_error', 'error=%3Cb%3E', 'error=server_error&error=server_error'])(
  'the answer %j has no error that could be shown (RFC 6749 4.1.2.1)',
  (query) => {
    expect(callbackError(new URLSearchParams(query))).toBeUndefined()
  },
)

test('the parameter of the error is the one that is assumed (4.1)', () => {
  const assumed = { redirect_parameters: { code: 'c', state: 's', error: 'e' }, denial_error: 'no' }
  expect(callbackError(new URLSearchParams('e=invalid_scope&error=server_error'), assumed)).toBe(
    'invalid_scope',
  )
})

const read = (...headers: [string, string][]) => readCredentials(new Headers(headers))

test('an access token goes into Authorization, a key into the header of its own (5.1.5, 5.4.1)', () => {
  expect(credentialHeader({ method: 'oauth', accessToken: 'abc' })).toEqual(['Authorization', 'Bearer abc'])
  expect(credentialHeader({ method: 'api_key', apiKey: 'k' })).toEqual(['X-Service-Api-Key', 'k'])
  expect(credentialHeader({ method: 'api_key', apiKey: 'k' }, 'X-Other')).toEqual(['X-Other', 'k'])
})

test('a credential that is written is read again (5.1.5, 5.4.1)', () => {
  const letters = (alphabet: string) =>
    fc.string({ unit: fc.constantFrom(...alphabet.split('')), minLength: 1, maxLength: 512 })
  const credentials: fc.Arbitrary<Credential> = fc.oneof(
    letters('aZ09-._~+/').map((accessToken) => ({
      method: 'oauth' as const,
      accessToken: `${accessToken}==`,
    })),
    letters(`aZ09!"#$%&'()*,;<>{}|`).map((apiKey) => ({ method: 'api_key' as const, apiKey })),
  )
  fc.assert(
    fc.property(credentials, (credential) => {
      expect(read(credentialHeader(credential))).toEqual([credential])
    }),
  )
})

test.each([
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'Bearer a b',
  'Bearer ä',
  'Bearer a, Bearer b',
  'Bearer =a',
  'Bearera',
])('Authorization: %s holds no token (RFC 6750 2.1)', (value) => {
  expect(read(['Authorization', value])).toEqual(['malformed'])
})

test('the name of the scheme may have any case (RFC 9110 11.1)', () => {
  expect(read(['authorization', 'bEARER  abc'])).toEqual([{ method: 'oauth', accessToken: 'abc' }])
})

test('each credential of a request is seen, and none where there is none (5)', () => {
  expect(read()).toEqual([])
  expect(read(['Authorization', 'Bearer abc'], ['X-Service-Api-Key', 'a key'])).toEqual([
    { method: 'oauth', accessToken: 'abc' },
    'malformed',
  ])
})

test.each(['', 'a b', 'a\r\nb', 'ä', '\u007f', 'a'.repeat(513)])(
  '%j is no API key (RFC 9110 5.5)',
  (text) => {
    expect(isApiKey(text)).toBe(false)
  },
)
