import { describe, expect, test } from 'vitest'
import { isSameSecret } from '../../src/sandbox/credential.ts'
import { open, rate, START_MS, STANDARD_KEY } from './_sandbox.ts'

test('an API key is served on all three reads (5.1.5)', async () => {
  const { send, key } = open()
  for (const path of ['/organizations', '/organizations/1001', '/rate_limit'])
    expect((await send(path, { headers: key() })).status).toBe(200)
})

test('an access token is served on all three reads, its scheme in any case (5.4.1, RFC 9110 11.1)', async () => {
  const { send, bearer } = open()
  const { Authorization } = await bearer()
  for (const path of ['/organizations', '/organizations/1001', '/rate_limit'])
    expect(
      (await send(path, { headers: { Authorization: Authorization.replace('Bearer', 'bEARER') } })).status,
    ).toBe(200)
})

test('an access token is refused from 3600 seconds of age on, however often it was used (5.4.2)', async () => {
  const { send, bearer, clock } = open()
  const headers = await bearer('2002')
  const status = async () => (await send('/organizations', { headers })).status
  expect(await status()).toBe(200)
  clock.ms = START_MS + 3_599_999
  expect(await status()).toBe(200)
  clock.ms = START_MS + 3_600_000
  expect(await status()).toBe(401)
})

test('without a credential the answer is 401 with a bare scheme and no error word (RFC 6750 3)', async () => {
  const answer = await open().send('/organizations')
  expect(answer.status).toBe(401)
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
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
])('with %s the answer is 401 invalid_token (RFC 6750 3.1)', async (_, headers) => {
  const answer = await open().send('/organizations', { headers })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"')
  expect(await answer.json()).toMatchObject({ error: 'invalid_token' })
})

test('with both, each valid, the answer is 400 invalid_request, and nothing is counted (RFC 6750 2)', async () => {
  const { send, key, bearer, sandbox } = open()
  const answer = await send('/organizations', { headers: { ...key(), ...(await bearer()) } })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
  expect(sandbox.snapshot().months).toEqual({})
})

test('a credential in the address or in the body is none (RFC 9700 4.3.2)', async () => {
  const { send, post, bearer } = open()
  const token = (await bearer()).Authorization.slice('Bearer '.length)
  for (const search of [`access_token=${token}`, `X-Service-Api-Key=${STANDARD_KEY}`])
    expect((await send(`/organizations?${search}`)).headers.get('WWW-Authenticate')).toBe('Bearer')
  expect((await post('/organizations', { access_token: token })).status).toBe(405)
})

test('a refused credential is told the untouched read window of Standard, and counts nothing (8.4.2)', async () => {
  const { api, sandbox } = open()
  const answer = await api(70, '/organizations', { Authorization: 'Bearer unknown' })
  expect(rate(answer)).toEqual({ limit: 60, remaining: 60, reset: Math.floor(START_MS / 1000) + 60 })
  expect(sandbox.snapshot()).toMatchObject({ windows: {}, months: {} })
})

test('the refusal has another status and word where that is chosen (5.5)', async () => {
  const { send } = open({ choices: { credential_refusal: { status: 403, error: 'no_entry' } } })
  expect((await send('/organizations')).status).toBe(403)
  const answer = await send('/organizations', { headers: { Authorization: 'Bearer unknown' } })
  expect([answer.status, await answer.json()]).toMatchObject([403, { error: 'no_entry' }])
})

describe('isSameSecret', () => {
  test('holds for equal texts only, whatever their length (RFC 6749 10.10)', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true)
    expect(isSameSecret('abc', 'abd')).toBe(false)
    expect(isSameSecret('abc', 'abcd')).toBe(false)
    expect(isSameSecret('abc', '')).toBe(false)
  })
})
