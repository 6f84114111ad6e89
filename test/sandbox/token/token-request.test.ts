import { describe, expect, test } from 'vitest'
import { EXCHANGE_PARAMETERS, REFRESH_PARAMETERS } from '../../../src/contract/token.ts'
import { BASE, CALLBACK, CLIENT, open, query } from '../../kit/sandbox.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const fieldsOf = (code: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: CALLBACK,
  ...CLIENT,
})

test.each(EXCHANGE_PARAMETERS)(
  '%s twice is refused, and the code stays valid (check 25, RFC 6749 3.2)',
  async (name) => {
    const { token, exchange, authorize } = open()
    const code = await authorize()
    const fields = query(fieldsOf(code))
    const twice = `${fields}&${name}=${new URLSearchParams(fields).get(name)}`
    expect(await token(twice)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect((await exchange(code)).status).toBe(200)
  },
)

test.each(REFRESH_PARAMETERS)('an empty %s counts as omitted (check 37, RFC 6749 3.2)', async (name) => {
  const { refresh } = open()
  const [empty, absent] = [await refresh('any', { [name]: '' }), await refresh('any', { [name]: undefined })]
  expect([empty.status, empty.body]).toEqual([absent.status, absent.body])
})

test('an unknown parameter is ignored, also if it is repeated (S71, S103, RFC 6749 3.2)', async () => {
  const { token, authorize } = open()
  const fields = query(fieldsOf(await authorize()))
  expect((await token(`${fields}&code_verifier=x&scope=a&scope=b&resource=c`)).status).toBe(200)
})

test.each(['client_secret=the-secret', 'code=x', 'refresh_token=', 'client_id=plimsoll', 'grant_type=x'])(
  '?%s in the address is refused, and the code stays valid (check 42, RFC 6749 2.3.1)',
  async (search) => {
    const { post, authorize, exchange } = open()
    const code = await authorize()
    const answer = await post(`/oauth2/token?${search}`, fieldsOf(code))
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }])
    expect((await exchange(code)).status).toBe(200)
  },
)

describe('enc (U18, 4.2)', () => {
  test.each([
    ['form_only', 200, 415],
    ['json_only', 400, 200],
    ['both', 200, 200],
  ] as const)('%s: a form answers %d, JSON %d', async (enc, form, json) => {
    const { token, exchange, authorize } = open({ choices: { enc } })
    expect((await exchange(await authorize())).status).toBe(form)
    expect((await token(JSON.stringify(fieldsOf(await authorize())), JSON_TYPE)).status).toBe(json)
  })

  test.each(['[', '[]', 'null', '"x"', ''])('in JSON %s is malformed', async (text) => {
    const { token } = open({ choices: { enc: 'both' } })
    expect(await token(text, JSON_TYPE)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('a member that is not a text is ignored', async () => {
    const { token } = open({ choices: { enc: 'json_only' } })
    const body = JSON.stringify({ ...fieldsOf('x'), code: ['x'] })
    expect(await token(body, JSON_TYPE)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('by default JSON answers 415, and so does a body without a media type', async () => {
    const { sandbox, post } = open()
    const json = await post('/oauth2/token', '{}', JSON_TYPE)
    expect([json.status, await json.json()]).toMatchObject([415, { error: 'unsupported_media_type' }])
    const bare = new Request(`${BASE}/oauth2/token`, { method: 'POST', body: new Uint8Array([1]) })
    expect((await sandbox.fetch(bare)).status).toBe(415)
  })
})

test('more than 16 kB answers 413 (RFC 9110 15.5.14)', async () => {
  expect((await open().token('x'.repeat(16 * 1024 + 1))).status).toBe(413)
})

test.each([
  ['no grant_type', { grant_type: undefined }, 'invalid_request'],
  ['an empty grant_type', { grant_type: '' }, 'invalid_request'],
  ['the password grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['the client credentials grant', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ['a grant_type in another case', { grant_type: 'Authorization_Code' }, 'unsupported_grant_type'],
  ['a grant_type that objects have', { grant_type: 'constructor' }, 'unsupported_grant_type'],
  ['no code', { code: undefined }, 'invalid_request'],
  ['an empty code', { code: '' }, 'invalid_request'],
  ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
])('%s is refused 400 (S62, S70, check 21, check 23, check 37, RFC 6749 5.2)', async (_, changes, error) => {
  expect(await open().exchange('any', changes)).toMatchObject({ status: 400, body: { error } })
})

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
  '%s answers 405 and Allow (S30, S66, check 24, check 60, RFC 6749 3.2)',
  async (method) => {
    const answer = await open().send('/oauth2/token', { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe('POST')
  },
)

test('a GET with everything in its address issues nothing (check 24, check 42, RFC 6749 3.2)', async () => {
  const { send, authorize, exchange } = open()
  const code = await authorize()
  const search = new URLSearchParams({ grant_type: 'authorization_code', code, ...CLIENT })
  expect((await send(`/oauth2/token?${search.toString()}`)).status).toBe(405)
  expect((await exchange(code)).status).toBe(200)
})
