import { expect, test } from 'vitest'
import { CLIENT, open } from '../../kit/sandbox.ts'

test('one address exchanges and refreshes, distinguished by grant_type (S30, S66, 4)', async () => {
  const { authorize, exchange, refresh } = open()
  const first = await exchange(await authorize())
  const second = await refresh(first.body.refresh_token)
  expect([first.status, second.status]).toEqual([200, 200])
})

test('both grants answer in the same shape (S37, S63, S72, 2.1)', async () => {
  const { authorize, exchange, refresh } = open()
  const first = await exchange(await authorize())
  const second = await refresh(first.body.refresh_token)
  for (const { body } of [first, second])
    expect(Object.entries(body).map(([name, value]) => [name, typeof value])).toEqual([
      ['access_token', 'string'],
      ['token_type', 'string'],
      ['expires_in', 'number'],
      ['refresh_token', 'string'],
    ])
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

test('it has no rate headers (8.2)', async () => {
  expect((await open().exchange('bogus')).headers.has('X-RateLimit-Limit')).toBe(false)
})
