import { describe, expect, test } from 'vitest'
import { EXCHANGE_PARAMETERS } from '../../src/contract/token.ts'
import { BASE, CALLBACK, CLIENT, FORM, open, query, seed } from './_sandbox.ts'

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const noCredentials = { client_id: undefined, client_secret: undefined }

describe('the code exchange', () => {
  test('answers the four members of 2.1 and nothing else (5.3)', async () => {
    const { exchange, authorize } = open()
    const { status, body } = await exchange(await authorize())
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('is not to be cached, nor are its errors (RFC 6749 5.1, 5.2)', async () => {
    const { exchange, authorize } = open()
    for (const answer of [await exchange(await authorize()), await exchange('bogus')]) {
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      expect(answer.headers.get('Pragma')).toBe('no-cache')
      expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    }
  })

  test('refuses a code that nobody issued (RFC 6749 5.2)', async () => {
    expect(await open().exchange('bogus')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await open().exchange('constructor')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
  })

  test('refuses a code that comes again, and revokes the tokens that it gave (RFC 6749 4.1.2)', async () => {
    const { exchange, authorize, refresh, send } = open()
    const code = await authorize()
    const { body } = await exchange(code)
    const headers = { Authorization: `Bearer ${body.access_token}` }
    expect((await send('/organizations', { headers })).status).toBe(200)
    expect(await exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await send('/organizations', { headers })).status).toBe(401)
    expect(await refresh(body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('revokes as well when the code comes again hours after a refresh (RFC 6749 10.5)', async () => {
    const { exchange, authorize, refresh, clock } = open()
    const code = await authorize()
    const first = await exchange(code)
    clock.ms += 7_200_000
    const second = await refresh(first.body.refresh_token)
    await exchange(code)
    expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('of two at once with one code, one succeeds (RFC 6749 4.1.2)', async () => {
    const { exchange, authorize } = open()
    const code = await authorize()
    const answers = await Promise.all([exchange(code), exchange(code)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
  })

  test('takes a code until 600 seconds have passed (5.5)', async () => {
    const { exchange, authorize, clock } = open()
    const [early, late] = [await authorize(), await authorize()]
    clock.ms += 599_999
    expect((await exchange(early)).status).toBe(200)
    clock.ms += 1
    expect(await exchange(late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['another', `${CALLBACK}/`],
  ])(
    'refuses a redirect_uri that is %s, and the code stays good (RFC 6749 4.1.3)',
    async (_, redirect_uri) => {
      const { exchange, authorize } = open()
      const code = await authorize({ redirect_uri: undefined })
      expect(await exchange(code, { redirect_uri })).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      })
      expect((await exchange(code)).status).toBe(200)
    },
  )

  test('refuses the code and the refresh token of another application (RFC 6749 4.1.3, 6)', async () => {
    const known = seed()
    const other = { ...known.applications[0]!, client_id: 'other', client_secret: 'others-secret' }
    const { exchange, authorize, refresh } = open({
      seed: { ...known, applications: [...known.applications, other] },
    })
    const as = { client_id: 'other', client_secret: 'others-secret' }
    const code = await authorize()
    expect((await exchange(code, as)).body.error).toBe('invalid_grant')
    const { body } = await exchange(code)
    expect((await refresh(body.refresh_token, as)).body.error).toBe('invalid_grant')
    expect((await refresh(body.refresh_token)).status).toBe(200)
  })
})

describe('the refresh', () => {
  test('answers the shape of 2.1 with both tokens new (5.4.4)', async () => {
    const { exchange, authorize, refresh } = open()
    const first = await exchange(await authorize())
    const second = await refresh(first.body.refresh_token)
    expect(Object.keys(second.body)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token'])
    expect(second.body.access_token).not.toBe(first.body.access_token)
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token)
  })

  test('ends the old refresh token at once; the newest stays good (5.4)', async () => {
    const { exchange, authorize, refresh } = open()
    const first = await exchange(await authorize())
    const second = await refresh(first.body.refresh_token)
    expect(await refresh(first.body.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect((await refresh(second.body.refresh_token)).status).toBe(200)
  })

  test('of two at once with one token, one succeeds (RFC 6749 6)', async () => {
    const { exchange, authorize, refresh } = open()
    const { body } = await exchange(await authorize())
    const answers = await Promise.all([refresh(body.refresh_token), refresh(body.refresh_token)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
  })

  test('leaves the old access token valid to its own end, and gives the new one a full hour (5.4.2)', async () => {
    const { exchange, authorize, refresh, send, clock } = open()
    const first = await exchange(await authorize())
    clock.ms += 3_599_999
    const second = await refresh(first.body.refresh_token)
    const status = async (token?: string) =>
      (await send('/organizations', { headers: { Authorization: `Bearer ${token}` } })).status
    expect(await status(first.body.access_token)).toBe(200)
    clock.ms += 1
    expect(await status(first.body.access_token)).toBe(401)
    clock.ms += 3_599_998
    expect(await status(second.body.access_token)).toBe(200)
    clock.ms += 1
    expect(await status(second.body.access_token)).toBe(401)
  })

  test('works a year later, with parameters that it does not know (5.4.3, 5.5)', async () => {
    const { exchange, authorize, refresh, clock } = open()
    const { body } = await exchange(await authorize())
    clock.ms += 365 * 86_400_000
    expect(
      (await refresh(body.refresh_token, { scope: 'all', redirect_uri: 'https://x.example' })).status,
    ).toBe(200)
  })

  test('refuses a refresh token that nobody issued (RFC 6749 5.2)', async () => {
    expect(await open().refresh('bogus')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('can be told to keep the refresh token, and to end it (5.4, 5.5)', async () => {
    const choices = { refresh_token_rotates: false, refresh_token_lifetime_seconds: 100 }
    const { exchange, authorize, refresh, clock } = open({ choices })
    const { body } = await exchange(await authorize())
    clock.ms += 99_999
    expect((await refresh(body.refresh_token)).body.refresh_token).toBe(body.refresh_token)
    clock.ms += 1
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('the application', () => {
  test.each([
    ['a wrong secret', { client_secret: 'wrong' }],
    ['no secret', { client_secret: undefined }],
    ['an unknown id', { client_id: 'unknown' }],
    ['nothing', noCredentials],
  ])('with %s is refused 401 invalid_client, and told the scheme (RFC 6749 5.2)', async (_, changes) => {
    const { exchange, authorize, refresh } = open()
    const code = await authorize()
    for (const answer of [await exchange(code, changes), await refresh('any', changes)]) {
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic /)
    }
    expect((await exchange(code)).status).toBe(200)
  })

  test('may use HTTP Basic, id and secret encoded as in a form (RFC 6749 2.3.1)', async () => {
    const known = seed()
    const application = { ...known.applications[0]!, client_id: 'a:b c', client_secret: 'ü%+&' }
    const { exchange, authorize } = open({ seed: { ...known, applications: [application] } })
    const code = await authorize({ client_id: 'a:b c' })
    const encoded = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
    const headers = basic(encoded('a:b c'), encoded('ü%+&'))
    expect((await exchange(code, noCredentials, headers)).status).toBe(200)
  })

  test('may repeat its id, and only that, beside HTTP Basic (RFC 6749 2.3)', async () => {
    const { exchange, authorize } = open()
    const code = await authorize()
    const headers = basic(CLIENT.client_id, CLIENT.client_secret)
    expect(await exchange(code, {}, headers)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
    const another = { client_id: 'another', client_secret: undefined }
    expect((await exchange(code, another, headers)).body.error).toBe('invalid_request')
    expect((await exchange(code, { client_secret: undefined }, headers)).status).toBe(200)
  })

  test.each([
    ['a wrong secret', basic(CLIENT.client_id, 'wrong')],
    ['no colon', { Authorization: `Basic ${Buffer.from('plimsoll').toString('base64')}` }],
    ['broken encoding', basic('plimsoll', '%E0%A4%A')],
    ['no base64', { Authorization: 'Basic ???' }],
    ['another scheme', { Authorization: 'Bearer abc' }],
  ])('with %s in Authorization is refused 401 (RFC 6749 5.2)', async (_, headers) => {
    expect(await open().exchange('any', noCredentials, headers)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
  })
})

describe('the request', () => {
  test.each(EXCHANGE_PARAMETERS)(
    'with %s twice is refused, and the code stays good (RFC 6749 3.2)',
    async (name) => {
      const { token, exchange, authorize } = open()
      const code = await authorize()
      const fields = query({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...CLIENT })
      const twice = `${fields}&${name}=${new URLSearchParams(fields).get(name)}`
      expect(await token(twice)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
      expect((await exchange(code)).status).toBe(200)
    },
  )

  test.each([
    ['no grant_type', { grant_type: undefined }, 'invalid_request'],
    ['an empty grant_type', { grant_type: '' }, 'invalid_request'],
    ['the password grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no code', { code: undefined }, 'invalid_request'],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
  ])('with %s is refused 400 (RFC 6749 5.2)', async (_, changes, error) => {
    expect(await open().exchange('any', changes)).toMatchObject({ status: 400, body: { error } })
  })

  test('with a parameter that is not known is served (RFC 6749 3.2)', async () => {
    const { exchange, authorize } = open()
    expect((await exchange(await authorize(), { code_verifier: 'x', foo: 'bar' })).status).toBe(200)
  })

  test.each(['client_secret=the-secret', 'code=x', 'refresh_token='])(
    'with ?%s in the address is refused, however good its body, and the code stays good (RFC 6749 2.3.1)',
    async (search) => {
      const { post, authorize, exchange } = open()
      const code = await authorize()
      const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...CLIENT }
      const answer = await post(`/oauth2/token?${search}`, fields)
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }])
      expect((await exchange(code)).status).toBe(200)
    },
  )

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
    'by %s answers 405 and Allow (RFC 6749 3.2)',
    async (method) => {
      const answer = await open().send('/oauth2/token', { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('Allow')).toBe('POST')
    },
  )

  test('in JSON answers 415, also without a media type (4.2)', async () => {
    const { sandbox, post } = open()
    const json = await post('/oauth2/token', '{}', { 'Content-Type': 'application/json' })
    expect([json.status, await json.json()]).toMatchObject([415, { error: 'unsupported_media_type' }])
    const bare = new Request(`${BASE}/oauth2/token`, { method: 'POST', body: new Uint8Array([1]) })
    expect((await sandbox.fetch(bare)).status).toBe(415)
  })

  test('in JSON is served where that is chosen, and a form is not (4.2)', async () => {
    const { authorize, token, exchange } = open({ choices: { token_encoding: 'json' } })
    const body = {
      grant_type: 'authorization_code',
      code: await authorize(),
      redirect_uri: CALLBACK,
      ...CLIENT,
    }
    const headers = { 'Content-Type': 'application/json' }
    expect((await exchange(body.code)).status).toBe(415)
    expect((await token(JSON.stringify(body), headers)).status).toBe(200)
    expect((await token('[', headers)).body.error).toBe('invalid_request')
    expect((await token('[]', headers)).body.error).toBe('invalid_request')
  })

  test('of more than 16 kB answers 413, with and without a length (RFC 9110 15.5.14)', async () => {
    const { sandbox, token } = open()
    const body = 'x'.repeat(16 * 1024 + 1)
    expect((await token(body)).status).toBe(413)
    expect((await token(body, { 'Content-Length': String(body.length) })).status).toBe(413)
    const stream = new Blob([body]).stream()
    const request = new Request(`${BASE}/oauth2/token`, {
      method: 'POST',
      headers: FORM,
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect((await sandbox.fetch(request)).status).toBe(413)
  })

  test('is neither counted nor limited: it carries no rate headers (8.2)', async () => {
    const { exchange, sandbox } = open()
    const { headers } = await exchange('bogus')
    expect(headers.has('X-RateLimit-Limit')).toBe(false)
    expect(sandbox.snapshot().windows).toEqual({})
  })
})
