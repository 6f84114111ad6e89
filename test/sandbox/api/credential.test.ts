import { describe, expect, test } from 'vitest'
import { isSameSecret } from '../../../src/sandbox/api/credential.ts'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, rate, START_MS, STANDARD_KEY } from '../../kit/sandbox.ts'

test('all reads serve an API key, its header in any case (S4, 5.1.5) (S31, 4.4) (S33, 4.3) (S45, 5.1.5)', async () => {
  const { send, key } = open()
  for (const path of ['/organizations', '/organizations/1001', '/rate_limit'])
    expect((await send(path, { headers: key() })).status).toBe(200)
  const headers = { 'x-SERVICE-api-KEY': STANDARD_KEY }
  expect((await send('/organizations', { headers })).status).toBe(200)
})

test('all reads serve an access token, its scheme in any case (S4, 5.4.1) (S32, 4.4) (S64, 5.4.1) (check 58, RFC 6750 2.1)', async () => {
  const { send, bearer } = open()
  const { Authorization } = await bearer()
  for (const path of ['/organizations', '/organizations/1001', '/rate_limit'])
    expect(
      (await send(path, { headers: { Authorization: Authorization.replace('Bearer', 'bEARER') } })).status,
    ).toBe(200)
})

test('an access token is refused from 3600 seconds of age on (S65, 5.4.2) (check 35, RFC 6749 7)', async () => {
  const { send, bearer, clock } = open()
  const headers = await bearer('2002')
  const status = async () => (await send('/organizations', { headers })).status
  expect(await status()).toBe(200)
  clock.ms = START_MS + 3_599_999
  expect(await status()).toBe(200)
  clock.ms = START_MS + 3_600_000
  expect(await status()).toBe(401)
})

test('without a credential the answer is 401 and has no error word (S4, 5) (check 31, RFC 6750 3)', async () => {
  const answer = await open().send('/organizations')
  expect(answer.status).toBe(401)
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="api"')
  expect(await answer.json()).toEqual({ error_description: expect.any(String) })
})

test.each([
  ['an unknown token', { Authorization: 'Bearer unknown' }],
  ['a token named like a member of every object', { Authorization: 'Bearer constructor' }],
  ['a malformed token', { Authorization: 'Bearer a b' }],
  ['another scheme', { Authorization: `Basic ${STANDARD_KEY}` }],
  ['an API key as a token', { Authorization: `Bearer ${STANDARD_KEY}` }],
  ['an unknown key', { 'X-Service-Api-Key': 'unknown' }],
  ['an empty key', { 'X-Service-Api-Key': '' }],
  ['two keys', { 'X-Service-Api-Key': `${STANDARD_KEY}, ${STANDARD_KEY}` }],
])('with %s the answer is 401 invalid_token (check 32, RFC 6750 3.1)', async (_, headers) => {
  const answer = await open().send('/organizations', { headers })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="api", error="invalid_token"')
  expect(await answer.json()).toMatchObject({ error: 'invalid_token' })
})

test('two valid credentials are answered 400 invalid_request and not counted (check 57, RFC 6750 2)', async () => {
  const { send, key, bearer, sandbox } = open()
  const answer = await send('/organizations', { headers: { ...key(), ...(await bearer()) } })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
  expect(sandbox.snapshot().months).toEqual({})
})

test('a credential in the address or in the body is ignored (S45, 5.1.5) (S64, 5.4.1) (check 42, RFC 6749 2.3.1) (check 56, RFC 9700 4.3.2)', async () => {
  const { send, post, bearer } = open()
  const token = (await bearer()).Authorization.slice('Bearer '.length)
  for (const search of [`access_token=${token}`, `X-Service-Api-Key=${STANDARD_KEY}`])
    expect((await send(`/organizations?${search}`)).headers.get('WWW-Authenticate')).toBe(
      'Bearer realm="api"',
    )
  expect((await post('/organizations', { access_token: token })).status).toBe(405)
})

test('a refused credential is answered with an unused read window of Standard, and not counted (8.4.2)', async () => {
  const { api, sandbox } = open()
  const answer = await api(70, '/organizations', { Authorization: 'Bearer unknown' })
  expect(rate(answer)).toEqual({ limit: 60, remaining: 60, reset: Math.floor(START_MS / 1000) + 60 })
  expect(sandbox.snapshot()).toMatchObject({ windows: {}, months: {} })
})

test('a refreshed token has 3600 seconds of its own (S65, 5.4.2)', async () => {
  const { send, exchange, authorize, refresh, clock } = open()
  const { body } = await exchange(await authorize())
  clock.ms = START_MS + 3_000_000
  const headers = { Authorization: `Bearer ${(await refresh(body.refresh_token)).body.access_token}` }
  clock.ms = START_MS + 6_599_999
  expect((await send('/organizations', { headers })).status).toBe(200)
  clock.ms = START_MS + 6_600_000
  expect((await send('/organizations', { headers })).status).toBe(401)
})

describe('a request with both credentials (U39)', () => {
  test.each<[Choices['bothcred'], number, Record<string, unknown>]>([
    ['refused_400', 400, { error: 'invalid_request' }],
    ['bearer_wins', 200, { organization_id: 2002 }],
    ['key_wins', 200, { organization_id: 1001 }],
  ])('is answered by the choice %s with %i, %j', async (bothcred, status, body) => {
    const { send, bearer, key } = open({ choices: { bothcred } })
    const answer = await send('/organizations', { headers: { ...key(), ...(await bearer('2002')) } })
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining(body)])
  })
})

describe('the credentials of a path (U40)', () => {
  test.each<[Choices['methodpath'], string, number, number]>([
    ['both_everywhere', '/organizations', 200, 200],
    ['both_everywhere', '/organizations/1001', 200, 200],
    ['as_in_examples', '/organizations', 200, 401],
    ['as_in_examples', '/organizations/1001', 401, 200],
    ['as_in_examples', '/rate_limit', 200, 200],
  ])('with %s, %s answers %i to a key and %i to a token', async (methodpath, path, byKey, byToken) => {
    const { send, bearer, key } = open({ choices: { methodpath } })
    expect((await send(path, { headers: key() })).status).toBe(byKey)
    expect((await send(path, { headers: await bearer() })).status).toBe(byToken)
  })
})

test.each<[Choices['revoked'], number]>([
  ['at_once', 401],
  ['at_expiry', 200],
])('the choice %s answers a key that was deleted a minute ago with %i (U38)', async (revoked, status) => {
  const first = open()
  const state = first.sandbox.snapshot()
  state.api_keys[0]!.deleted_at_ms = START_MS - 60_000
  const { send, key } = open({ state, choices: { revoked } })
  expect((await send('/organizations', { headers: key() })).status).toBe(status)
})

describe('isSameSecret', () => {
  test('is true for equal texts only, whatever their length (RFC 6749 10.10)', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true)
    expect(isSameSecret('abc', 'abd')).toBe(false)
    expect(isSameSecret('abc', 'abcd')).toBe(false)
    expect(isSameSecret('abc', '')).toBe(false)
  })
})
