import { expect, test } from 'vitest'
import { EXCHANGE_PARAMETERS, REFRESH_PARAMETERS } from '../../../src/contract/token.ts'
import { OWN_LIMIT_PER_MINUTE } from '../../../src/sandbox/token/token.ts'
import { BASE, CALLBACK, CLIENT, FORM, query, STANDARD_KEY } from '../../kit/sandbox.ts'
import { basic, each, OTHER, seedWithOther, type Start, start } from '../_start.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const NONE = { client_id: undefined, client_secret: undefined }
const OURS = basic(CLIENT.client_id, CLIENT.client_secret)
const fieldsOf = (code: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: CALLBACK,
  ...CLIENT,
})
const INVALID = { status: 400, body: { error: 'invalid_request' } }

test.each(EXCHANGE_PARAMETERS)(
  '%s twice is refused, and the code stays valid (check 25, U32, RFC 6749 3.2)',
  async (name) => {
    const { token, exchangeOf, authorize } = start()
    const code = await authorize()
    const fields = query(fieldsOf(code))
    expect(await token(`${fields}&${name}=${new URLSearchParams(fields).get(name)}`)).toMatchObject(INVALID)
    expect(await exchangeOf(code)).toBe(200)
  },
)

test.each(REFRESH_PARAMETERS)('an empty %s counts as omitted (check 37, RFC 6749 3.2)', async (name) => {
  const { refresh } = start()
  const [empty, absent] = [await refresh('any', { [name]: '' }), await refresh('any', { [name]: undefined })]
  expect([empty.status, empty.body]).toEqual([absent.status, absent.body])
})

test('an unknown parameter is ignored, also if it is repeated (S71, S103, U32, RFC 6749 3.2)', async () => {
  const { token, authorize } = start()
  const fields = query(fieldsOf(await authorize()))
  expect((await token(`${fields}&code_verifier=x&scope=a&scope=b&resource=c`)).status).toBe(200)
})

test.each(['client_secret=the-secret', 'code=x', 'refresh_token=', 'client_id=plimsoll', 'grant_type=x'])(
  '?%s in the address is refused, and the code stays valid (check 42, RFC 6749 2.3.1)',
  async (search) => {
    const { post, authorize, exchangeOf } = start()
    const code = await authorize()
    const answer = await post(`/oauth2/token?${search}`, fieldsOf(code))
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }])
    expect(await exchangeOf(code)).toBe(200)
  },
)

each('enc', {
  form_only: [200, 415, ['415 unsupported_media_type']],
  json_only: [400, 200, ['400 invalid_request']],
  both: [200, 200, ['400 invalid_request']],
})('a form, JSON, and JSON that is malformed (U18, 4.2)', async ({ token, exchange, authorize }) => {
  const form = await exchange(await authorize())
  const json = await token(JSON.stringify(fieldsOf(await authorize())), JSON_TYPE)
  const malformed = new Set()
  // A member that is not a text is ignored.
  for (const text of ['[', '[]', 'null', '"x"', '', JSON.stringify({ ...fieldsOf('x'), code: ['x'] })]) {
    const { status, body } = await token(text, JSON_TYPE)
    malformed.add(`${status} ${body.error}`)
  }
  return [form.status, json.status, [...malformed]]
})

test('a body without a media type answers 415 (U18, RFC 9110 15.5.16)', async () => {
  const bare = new Request(`${BASE}/oauth2/token`, { method: 'POST', body: new Uint8Array([1]) })
  expect((await start().sandbox.fetch(bare)).status).toBe(415)
})

test('more than 16 kB answers 413 (RFC 9110 15.5.14)', async () => {
  expect((await start().token('x'.repeat(16 * 1024 + 1))).status).toBe(413)
})

// check 42, check 60 too
test('only POST is answered; a GET with all in its address issues nothing (S30, S66, check 24)', async () => {
  const { send, authorize, exchangeOf } = start()
  const code = await authorize()
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await send(`/oauth2/token?${query(fieldsOf(code))}`, { method })
    expect([status, headers.get('Allow')]).toEqual([405, 'POST'])
  }
  expect(await exchangeOf(code)).toBe(200)
})

test('HTTP Basic is accepted, with id and secret encoded as in a form (check 19, RFC 6749 2.3.1)', async () => {
  const known = seedWithOther()
  const application = { ...known.applications[0]!, client_id: 'a:b c', client_secret: 'ü%+&' }
  const { exchangeOf, authorize } = start({ seed: { ...known, applications: [application] } })
  const code = await authorize({ client_id: 'a:b c' })
  const encoded = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
  expect(await exchangeOf(code, NONE, basic(encoded('a:b c'), encoded('ü%+&')))).toBe(200)
})

test('beside HTTP Basic the body may not name another application (check 43, RFC 6749 2.3)', async () => {
  const another = { client_id: 'another', client_secret: undefined }
  expect(await start().exchanged(another, OURS)).toBe('400 invalid_request')
})

each('clientauth', {
  body_and_basic: [200, 200, 200, 400],
  body_only: [200, 401, 401, 400],
  basic_only: [401, 200, 200, 400],
  both_at_once_refused: [200, 200, 400, 400],
})('by the body, Basic, Basic beside the id, and both (U19, U39, RFC 6749 2.3.1)', async (there) => {
  const by = async (changes = {}, headers = {}) =>
    (await there.exchange(await there.authorize(), changes, headers)).status
  return [await by(), await by(NONE, OURS), await by({ client_secret: undefined }, OURS), await by({}, OURS)]
})

const guess = async ({ exchange }: Start, times: number, code = 'any') => {
  for (let nth = 0; nth < times; nth += 1) await exchange(code, { client_secret: `guess ${nth}` })
}
const [BOGUS, TOO_MANY] = ['400 invalid_grant', '429 too_many_requests']

test('after ten wrong secrets no secret is compared until the minute has passed (check 44, RFC 6585 4)', async () => {
  const there = start()
  await guess(there, 9)
  expect(await there.exchangeOf('any')).toBe(BOGUS)
  await guess(there, 1)
  there.later(20.5)
  const [right, wrong] = [await there.exchange('any'), await there.exchange('any', { client_secret: 'x' })]
  for (const { status, body, headers } of [right, wrong]) {
    expect([status, body, headers.get('Retry-After')]).toEqual([429, right.body, '40'])
    expect(headers.get('WWW-Authenticate')).toBeNull()
  }
  expect(right.body.error_description).toMatch(/10 wrong secrets within a minute/)
  there.later(39.5, -1)
  expect(await there.exchangeOf('any')).toBe(TOO_MANY)
  there.later(0, 1)
  expect(await there.exchangeOf('any')).toBe(BOGUS)
})

test('guesses limit no request with a valid code or token, but one with a stolen code (check 44)', async () => {
  const there = start()
  const [stolen, code] = [await there.authorize(), await there.authorize()]
  await guess(there, 50)
  const { status, body } = await there.exchange(code)
  expect([status, await there.refreshOf(body.refresh_token)]).toEqual([200, 200])
  await guess(there, 10, stolen)
  expect([await there.exchangeOf(stolen), await there.exchanged()]).toEqual([TOO_MANY, 200])
})

test('guessing at one application limits no other, and only a present minute is counted (check 44)', async () => {
  const there = start()
  await guess(there, 10)
  const other = { ...CLIENT, client_id: OTHER.client_id }
  expect(await there.exchangeOf('any', OTHER)).toBe(BOGUS)
  await there.exchangeOf('any', { client_id: 'unknown' })
  const counted = () => Object.keys(there.sandbox.snapshot().minute_counts)
  expect(counted()).toHaveLength(1)
  there.later(60)
  await there.exchangeOf('any', other)
  expect(counted()).toHaveLength(1)
  // A clock that was set back does not wait for the end of a minute that has not come.
  there.later(-3600)
  await guess(there, 10)
  expect([counted().length, await there.exchangeOf('any')]).toEqual([1, TOO_MANY])
  there.later(-3600)
  expect(await there.exchangeOf('any')).toBe(BOGUS)
})

test('toklimit not_counted: a token request is neither counted nor limited (U31, 8.2)', async () => {
  const { refreshOf, sandbox } = start()
  for (let nth = 0; nth < 200; nth += 1) expect(await refreshOf('bogus')).toBe(BOGUS)
  expect(sandbox.snapshot()).toMatchObject({ windows: {}, months: {} })
})

test('a refused refresh does not count in a month that counts only successes (U31, U62, 8.3)', async () => {
  const there = start({ choices: { toklimit: 'counts_as_update', failcount: 'only_2xx' } })
  const { refresh_token } = await there.tokens()
  await there.refresh(refresh_token)
  expect(there.month()).toBe(2)
  expect(await there.refreshOf(refresh_token)).toBe('400 invalid_grant')
  expect(there.month()).toBe(2)
  expect(there.sandbox.control.requestLog().at(-1)?.cost).toEqual({ minute: 'update', month: 0 })
})

test('toklimit counts_as_update: it counts as an update, and in the month of the grant (U31, 8.2)', async () => {
  const there = start({ choices: { toklimit: 'counts_as_update' } })
  let body = await there.tokens()
  expect(there.month()).toBe(1)
  for (let nth = 2; nth <= 15; nth += 1) body = (await there.refresh(body.refresh_token)).body
  expect([await there.refreshOf(body.refresh_token), there.month()]).toEqual([TOO_MANY, 15])
  there.later(60)
  expect([await there.refreshOf(body.refresh_token), there.month()]).toEqual([200, 16])
  await there.refresh('bogus', { client_secret: 'wrong' })
  expect(there.month(2002)).toBe(0)
  await there.refresh('bogus')
  expect(there.month(2002)).toBe(1)
})

/** Sends the body after `meanwhile`. */
async function sendLate({ send }: Start, path: string, body: string, meanwhile: () => Promise<unknown>) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const headers = { ...FORM, 'X-Service-Api-Key': STANDARD_KEY }
  const answer = send(path, { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit)
  await meanwhile()
  const writer = writable.getWriter()
  void writer.write(new TextEncoder().encode(body)).then(() => writer.close())
  return (await answer).status
}

test('a request whose body comes late takes no count from a later minute or month (U31, 8.2, 8.3)', async () => {
  const there = start({
    choices: { toklimit: 'counts_as_update', failcount: 'only_2xx', resources: 'echo' },
  })
  const { refresh_token = '' } = await there.tokens()
  const months: number[] = []
  const threeTokens = async () => {
    there.later(40 * 86_400)
    for (let nth = 0; nth < 3; nth += 1) await there.tokens()
    months.push(there.month())
  }
  const form = query({ grant_type: 'refresh_token', refresh_token, ...CLIENT })
  expect(await sendLate(there, '/oauth2/token', form, threeTokens)).toBe(200)
  const { update } = there.sandbox.snapshot().windows[`application ${CLIENT.client_id}`] ?? {}
  expect([there.month(), update?.used]).toEqual([4, 4])
  expect(await sendLate(there, '/_choice/echo', 'x'.repeat(20_000), threeTokens)).toBe(413)
  expect([there.month(), months]).toEqual([3, [3, 3]])
})

test('toklimit own_limit: 429 with Retry-After, and the refresh token stays valid (U31, RFC 6585 4)', async () => {
  const { tokens, refresh, refreshOf, sandbox, later } = start({ choices: { toklimit: 'own_limit' } })
  const { refresh_token } = await tokens()
  later(0.5)
  for (let nth = 2; nth <= OWN_LIMIT_PER_MINUTE; nth += 1) expect(await refreshOf('bogus')).toBe(BOGUS)
  const refused = await refresh(refresh_token)
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
  later(-3600)
  expect(await refreshOf('bogus')).toBe(BOGUS)
  later(3659.5)
  expect(await refreshOf(refresh_token)).toBe(200)
  expect(sandbox.snapshot().months).toEqual({})
})
