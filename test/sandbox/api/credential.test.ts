import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, rate, STANDARD_KEY, START_MS } from '../../kit/sandbox.ts'

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

/** @returns the status, the challenge and the error word of a read */
async function refusal(choices: Partial<Choices>, headers: 'none' | 'unknown' | 'expired') {
  const { send, bearer, clock } = open({ choices })
  const expired = headers === 'expired' ? await bearer() : {}
  clock.ms += 3_600_000
  const sent = { none: {}, unknown: { Authorization: 'Bearer unknown' }, expired }[headers]
  const answer = await send('/organizations', { headers: sent })
  const { error } = await answer.json()
  return { status: answer.status, challenge: answer.headers.get('WWW-Authenticate'), error, answer }
}

test.each<[Choices['invalidcred'], number, string | null, string]>([
  ['invalid_token_401', 401, 'Bearer realm="api", error="invalid_token"', 'invalid_token'],
  ['bare_401', 401, null, 'invalid_token'],
  ['status_403', 403, null, 'invalid_token'],
  ['status_404', 404, null, 'not_found'],
])(
  'to an unknown token, the choice %s answers %i with the challenge %s (U36)',
  async (invalidcred, status, challenge, error) => {
    expect(await refusal({ invalidcred }, 'unknown')).toMatchObject({ status, challenge, error })
    // The choice for one does not apply to the other.
    expect(await refusal({ invalidcred }, 'expired')).toMatchObject({ status: 401, error: 'invalid_token' })
  },
)

test.each<[Choices['expired'], number, string | null, string]>([
  ['invalid_token_401', 401, 'Bearer realm="api", error="invalid_token"', 'invalid_token'],
  ['token_expired_401', 401, 'Bearer realm="api", error="token_expired"', 'token_expired'],
  ['status_403', 403, null, 'invalid_token'],
  ['status_440', 440, null, 'invalid_token'],
])(
  'to an expired token, the choice %s answers %i with the challenge %s (U37)',
  async (expired, status, challenge, error) => {
    expect(await refusal({ expired }, 'expired')).toMatchObject({ status, challenge, error })
    expect(await refusal({ expired }, 'unknown')).toMatchObject({ status: 401, error: 'invalid_token' })
  },
)

test('every 401 has a challenge (check 60, RFC 9110 15.5.2)', async () => {
  const { send, token, post } = open()
  const answers = [
    await send('/organizations'),
    await send('/rate_limit', { headers: { 'X-Service-Api-Key': 'unknown' } }),
    await post('/oauth2/token', { grant_type: 'refresh_token', client_id: 'unknown', refresh_token: 'x' }),
    await token({
      grant_type: 'authorization_code',
      code: 'x',
      client_id: 'plimsoll',
      client_secret: 'wrong',
    }),
  ]
  for (const { status, headers } of answers)
    expect([status, headers.has('WWW-Authenticate')]).toEqual([401, true])
})

test('a 401 because of the month has a realm and an error in its challenge (U66, RFC 6750 3)', async () => {
  const { sandbox, send, key } = open({ choices: { monthly: 'status_401' } })
  sandbox.control.changeLimits({ '1001': { per_month: 0 } })
  const answer = await send('/organizations', { headers: key() })
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([
    401,
    'Bearer realm="api", error="monthly_limit_exceeded"',
  ])
})

test.each<[Choices['scope'], number]>([
  ['none', 405],
  ['in_token_response', 405],
  ['read_only', 403],
])('the choice %s answers %i to an update (U48)', async (scope, status) => {
  const { send, bearer } = open({ choices: { scope } })
  const headers = await bearer()
  expect((await send('/organizations', { method: 'PUT', headers })).status).toBe(status)
  expect((await send('/organizations', { headers })).status).toBe(200)
})

test('a refusal names the scope that would be enough (check 59, RFC 6750 3.1)', async () => {
  const { send, bearer } = open({ choices: { scope: 'read_only' } })
  const answer = await send('/tasks', { method: 'POST', headers: await bearer() })
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([
    403,
    'Bearer realm="api", error="insufficient_scope", scope="write"',
  ])
  expect(await answer.json()).toMatchObject({ error: 'insufficient_scope' })
  // Without a credential, the missing credential is the reason.
  expect((await send('/rate_limit', { method: 'POST' })).status).toBe(405)
})
