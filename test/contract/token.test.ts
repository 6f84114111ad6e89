import { expect, test } from 'vitest'
import {
  ACCESS_TOKEN_LIFETIME_SECONDS,
  EXCHANGE_PARAMETERS,
  REFRESH_PARAMETERS,
  TOKEN_PATH,
} from '../../src/contract/token.ts'

test('the token endpoint is at /oauth2/token (4)', () => {
  expect(TOKEN_PATH).toBe('/oauth2/token')
})

test('the exchange has five parameters, the refresh four, and none of them is a scope (5.3, 5.4.3, 5.5)', () => {
  expect(EXCHANGE_PARAMETERS.toSorted()).toEqual([
    'client_id',
    'client_secret',
    'code',
    'grant_type',
    'redirect_uri',
  ])
  expect(REFRESH_PARAMETERS.toSorted()).toEqual(['client_id', 'client_secret', 'grant_type', 'refresh_token'])
})

test('an access token is valid for an hour (2.1, 5.4.2)', () => {
  expect(ACCESS_TOKEN_LIFETIME_SECONDS).toBe(60 * 60)
})
