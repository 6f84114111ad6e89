// Facts of the service as requests and their answers, a row a fact (docs/service.md). What a choice can
// change, and what takes several steps, stands in the file of its topic.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CALLBACK, CLIENT, rate, seed, STANDARD_KEY, START_MS } from '../kit/sandbox.ts'
import { APPLICATION, atSettings, issued, KEY } from './_settings.ts'
import { basic, bearerOf, inOrder, type Start, start } from './_start.ts'

type Fields = Record<string, string | undefined>
type Headers = Record<string, string>

const ROWS: [fact: string, ask: (there: Start) => Promise<unknown>, answered: unknown][] = [
  [
    'S3: the authorization page is at /oauth2/login and not at /oauth2/authorize',
    async ({ status, authorizePath }) => [await status(authorizePath()), await status('/oauth2/authorize')],
    [200, 404],
  ],
  [
    'S16: remaining falls by one with each counted request and is whole again after the reset',
    ({ left, later }) =>
      inOrder([0, 0, 0, 60], (seconds) => {
        later(seconds)
        return left()
      }),
    [59, 58, 57, 59],
  ],
  [
    'U39: a key and a token in one request are refused',
    async ({ status, key, bearer }) => status('/organizations', { ...key(), ...(await bearer()) }),
    400,
  ],
  [
    'S71: a refresh ignores redirect_uri and scope',
    ({ refreshed }) => refreshed({ redirect_uri: 'https://x.example', scope: 'all' }),
    200,
  ],
  [
    'S85: POST, PATCH, PUT and DELETE take from the updates',
    ({ left, key }) => inOrder(['POST', 'PATCH', 'PUT', 'DELETE'], (method) => left(key(), method)),
    [14, 13, 12, 11],
  ],
  [
    'S88: reads are served while updates are used up, and the other way round',
    async ({ api, status, key }) => {
      const updates = await api(16, '/organizations', key(), 'POST')
      const read = await status('/organizations', key())
      const reads = await api(601, '/organizations', key(2002))
      return [updates.status, read, reads.status, await status('/x', key(2002), 'PUT')]
    },
    [429, 200, 429, 404],
  ],
  [
    'S92: Standard serves 100 requests a month and refuses the next, while its minute is unused (S102)',
    async ({ api, status, key, later, month, clock }) => {
      await api(50, '/organizations', key())
      later(60)
      const last = (await api(50, '/organizations', key())).status
      later(60)
      const refused = await api(1, '/organizations', key())
      const { reset, ...minute } = rate(refused)
      return [last, refused.status, month(), minute, reset - Math.floor(clock.ms / 1000), await status('/')]
    },
    [200, 429, 100, { limit: 60, remaining: 60 }, 60, 200],
  ],
  [
    'check 8: without a state none comes back',
    async ({ answer }) => new URL(await answer('permit', { state: undefined })).searchParams.has('state'),
    false,
  ],
]

test.each(ROWS)('%s', async (_fact, ask, answered) => {
  expect(await ask(start())).toEqual(answered)
})

test.each<[fact: string, changes: Fields, code: string]>([
  ['S51: an unknown client_id', { client_id: 'unknown' }, 'unknown_application'],
  ['S51: no client_id', { client_id: undefined }, 'unknown_application'],
  ['S52: a slash behind the redirect_uri', { redirect_uri: `${CALLBACK}/` }, 'redirect_uri_mismatch'],
  ['S52: a query behind it', { redirect_uri: `${CALLBACK}?a=b` }, 'redirect_uri_mismatch'],
  ['S52: a host behind it', { redirect_uri: `${CALLBACK}.example` }, 'redirect_uri_mismatch'],
  ['S52: a fragment behind it', { redirect_uri: `${CALLBACK}#` }, 'redirect_uri_mismatch'],
  ['S52: a header behind it', { redirect_uri: `${CALLBACK}\r\nX: y` }, 'redirect_uri_mismatch'],
])(
  '%s is answered with a page (U6, check 1, check 2, check 3, check 4, check 37)',
  async (_, changes, code) => {
    const { visit } = start()
    for (const person of [null, 'ada']) {
      const { status, to, headers, html } = await visit(changes, person)
      expect([status, to, headers.get('Content-Type')]).toEqual([400, null, 'text/html; charset=UTF-8'])
      expect(html).toContain(code)
    }
  },
)

test.each<[fact: string, changes: Fields, error: string]>([
  ['S53: no response_type', { response_type: undefined }, 'invalid_request'],
  ['S53: an empty response_type', { response_type: '' }, 'invalid_request'],
  ['S53: the response_type token', { response_type: 'token' }, 'unsupported_response_type'],
  ['S53: two response types', { response_type: 'code token' }, 'unsupported_response_type'],
  ['S57: no organization_id', { organization_id: undefined }, 'invalid_request'],
  ['S57: an empty organization_id', { organization_id: '' }, 'invalid_request'],
  ['S57: an organization_id that is no number', { organization_id: '1001x' }, 'invalid_request'],
  ['S57: an organization_id with an exponent', { organization_id: '1e3' }, 'invalid_request'],
  ['S57: a negative organization_id', { organization_id: '-1001' }, 'invalid_request'],
  ['S57: an organization_id with a zero in front', { organization_id: '01001' }, 'access_denied'],
  ['U10: an organization that does not exist', { organization_id: '999' }, 'access_denied'],
  ['U10: an organization of others', { organization_id: '2002' }, 'access_denied'],
])(
  'the application is told of %s, with the state (U41, check 5, check 6, check 41)',
  async (_, changes, error) => {
    const { visit } = start()
    const { status, to, back } = await visit(changes, 'ben')
    expect([status, to?.startsWith(`${CALLBACK}?`)]).toEqual([302, true])
    expect(Object.fromEntries(back ?? [])).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      state: 'a-state-of-some-length',
    })
    // One of others is answered as one that does not exist.
    const unknown = await visit({ organization_id: '3' }, 'ben')
    expect(to === unknown.to).toBe(error === 'access_denied')
  },
)

test.each<[fact: string, changes: Fields, error: string]>([
  ['S58: no code', { code: undefined }, 'invalid_request'],
  ['S58: an empty code', { code: '' }, 'invalid_request'],
  ['S58: a code that was not issued', { code: 'bogus' }, 'invalid_grant'],
  ['S62: no grant_type', { grant_type: undefined }, 'invalid_request'],
  ['S62: an empty grant_type', { grant_type: '' }, 'invalid_request'],
  ['S62: the password grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['S62: the client credentials grant', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ['S62: a grant_type in another case', { grant_type: 'Authorization_Code' }, 'unsupported_grant_type'],
  ['S62: a grant_type that objects have', { grant_type: 'constructor' }, 'unsupported_grant_type'],
  ['S69: no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
  ['S70: a refresh in another case', { grant_type: 'Refresh_Token' }, 'unsupported_grant_type'],
])('%s is refused 400 (check 21, check 23, check 26, check 37, RFC 6749 5.2)', async (_, changes, error) => {
  expect(await start().exchanged(changes)).toBe(`400 ${error}`)
})

const NONE = { client_id: undefined, client_secret: undefined }
test.each<[fact: string, changes: Fields, headers: Headers]>([
  ['S59, S67: an unknown id', { client_id: 'unknown' }, {}],
  ['S59, S67: no id', { client_id: undefined }, {}],
  ['S60, S68: a wrong secret', { client_secret: 'wrong' }, {}],
  ['S60, S68: a secret that is longer', { client_secret: `${CLIENT.client_secret}x` }, {}],
  ['S60, S68: no secret', { client_secret: undefined }, {}],
  ['S59, S60: neither', NONE, {}],
  ['check 20: a wrong secret in Authorization', NONE, basic(CLIENT.client_id, 'wrong')],
  ['check 20: no colon in Authorization', NONE, { Authorization: `Basic ${btoa('plimsoll')}` }],
  ['check 20: broken encoding in Authorization', NONE, basic('plimsoll', '%E0%A4%A')],
  ['check 20: no base64 in Authorization', NONE, { Authorization: 'Basic ???' }],
  ['check 20: another scheme', NONE, { Authorization: 'Bearer abc' }],
])('both grants refuse %s, and the code stays valid (check 18, check 29)', async (_, changes, headers) => {
  const { token, exchangeOf, authorize } = start()
  const code = await authorize()
  for (const grant of [
    { grant_type: 'authorization_code', code, redirect_uri: CALLBACK },
    { grant_type: 'refresh_token', refresh_token: 'any' },
  ]) {
    const answer = await token({ ...grant, ...CLIENT, ...changes }, headers)
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic realm=/)
  }
  expect(await exchangeOf(code)).toBe(200)
})

test.each<[fact: string, headers: Headers, error?: string]>([
  ['S4: no credential', {}],
  ['check 32: an unknown token', bearerOf('unknown'), 'invalid_token'],
  ['check 32: a token named like a member of every object', bearerOf('constructor'), 'invalid_token'],
  ['check 32: a malformed token', bearerOf('a b'), 'invalid_token'],
  ['check 32: another scheme', { Authorization: `Basic ${STANDARD_KEY}` }, 'invalid_token'],
  ['check 32: an API key as a token', bearerOf(STANDARD_KEY), 'invalid_token'],
  ['S45: an unknown key', { 'X-Service-Api-Key': 'unknown' }, 'invalid_token'],
  ['S45: an empty key', { 'X-Service-Api-Key': '' }, 'invalid_token'],
  ['S45: two keys', { 'X-Service-Api-Key': `${STANDARD_KEY}, ${STANDARD_KEY}` }, 'invalid_token'],
])('%s is answered 401 with a challenge (U35, check 31, check 60, RFC 6750 3)', async (_, headers, error) => {
  const answer = await start().send('/organizations', { headers })
  const challenge = error ? `Bearer realm="api", error="${error}"` : 'Bearer realm="api"'
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, challenge])
  const description = { error_description: expect.any(String) }
  expect(await answer.json()).toEqual({ ...(error && { error }), ...description })
})

const NO_IDS = ['2002', '2003', '999', '01001', '1001.0', '1e3', '%20', '1001x', '9'.repeat(40)]
const NO_PATHS = ['', '1001/', '1001/members', '1001/projects', '../Organizations']
test.each([...NO_IDS, ...NO_PATHS])(
  'S5, S7: /organizations/%s answers 404, with equal bytes (S32, U47, RFC 9110 15.5.4)',
  async (id) => {
    const { send, key, bearer } = start()
    for (const headers of [key(), await bearer()]) {
      const answer = await send(`/organizations/${id}`, { headers })
      expect(answer.status).toBe(404)
      const text = await answer.text()
      expect(JSON.parse(text)).toEqual({ error: 'not_found', error_description: expect.any(String) })
      expect(await (await send('/organizations/7', { headers })).text()).toBe(text)
    }
  },
)

const OPENED = Math.floor(START_MS / 1000)
test.each([
  ['S84: the 60th read of Standard', 1001, 'GET', 60, 200],
  ['S83: the 600th read of Business', 2002, 'GET', 600, 200],
  ['S87: the 15th update of Standard', 1001, 'POST', 15, 405],
  ['S86: the 150th update of Business', 2002, 'POST', 150, 405],
])(
  '%s in a minute is served, and the next 429 (S73, S89, S100, S102, check 61)',
  async (_, id, method, limit, status) => {
    const { api, bearer, clock } = start()
    const headers = await bearer(String(id))
    const last = await api(limit, '/organizations', headers, method)
    const refused = await api(1, '/organizations', headers, method)
    expect([last.status, refused.status]).toEqual([status, 429])
    for (const answer of [last, refused])
      expect(rate(answer)).toEqual({ limit, remaining: 0, reset: OPENED + 60 })
    expect(refused.headers.get('Cache-Control')).toBe('no-store')
    expect(await refused.json()).toMatchObject({ error: 'too_many_requests' })
    // An unknown address too (8.4.3).
    expect((await api(1, '/nothing', headers, method)).status).toBe(429)
    clock.ms = (OPENED + 60) * 1000 - 1
    expect((await api(1, '/organizations', headers, method)).status).toBe(429)
    clock.ms += 1
    const next = await api(1, '/organizations', headers, method)
    expect([next.status, rate(next)]).toEqual([status, { limit, remaining: limit - 1, reset: OPENED + 120 }])
  },
)

test.each<[fact: string, 1001 | 2002, 'api-keys' | 'applications', Parameters<typeof issued>[2]]>([
  ['S76: Business issues 10 API keys', 2002, 'api-keys', { keys: 9 }],
  ['S77: Standard issues 1 API key', 1001, 'api-keys', { keys: 0 }],
  ['S78: Business registers 10 applications', 2002, 'applications', { applications: 9 }],
  ['S79: Standard registers 1 application', 1001, 'applications', { applications: 0 }],
  ['S80: 10 keys do not limit the applications', 2002, 'applications', { keys: 10, applications: 9 }],
  ['S80: 10 applications do not limit the keys', 2002, 'api-keys', { keys: 9, applications: 10 }],
])('%s, and not one more (8.1)', async (_, organization, path, counts) => {
  const seeded = issued(seed(), organization, counts)
  const { fill } = await atSettings({ seed: seeded }, organization === 2002 ? 'cleo' : 'ada')
  const fields = path === 'api-keys' ? KEY : APPLICATION
  expect((await fill(`${path}/add`, fields)).status).toBe(303)
  expect((await fill(`${path}/add`, fields)).status).toBe(409)
})

test('every fact of the document is played in this folder, and S1 is that it shows no more (2)', () => {
  const factsIn = (path: string) => readFileSync(path, 'utf8').match(/\bS(?!256)\d+\b/g) ?? []
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const tests = files.filter((file) => file.endsWith('.test.ts'))
  const played = new Set(tests.flatMap((file) => factsIn(join(import.meta.dirname, file))))
  const facts = new Set(factsIn('docs/service.md'))
  expect(facts.size).toBe(105)
  expect([...facts].filter((fact) => !played.has(fact))).toEqual([])
})
