import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Credential,
  credentialHeader,
  isApiKey,
  readCredentials,
} from '../../src/contract/credential.ts'

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
