// A table of facts of the service, stated as requests and their answers (docs/service.md).
import { expect, test } from 'vitest'
import { CALLBACK, CLIENT, open, rate, seed, STANDARD_KEY } from '../kit/sandbox.ts'
import { APPLICATION, atSettings, issued, KEY } from './_settings.ts'

type Fields = Record<string, string | undefined>
const BASIC = (text: string) => ({ Authorization: `Basic ${btoa(text)}` })
const WITHOUT_CLIENT = { client_id: undefined, client_secret: undefined }

function start() {
  const opened = open()
  const { send, key, api, clock, exchange, authorize, refresh, authorizePath, signIn } = opened
  const status = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    (await send(path, { method, headers })).status
  /** @returns the status of the `count`th of equal requests, and of one more */
  const around = async (count: number, method: string, headers: Record<string, string>) => {
    const last = await api(count, '/organizations', headers, method)
    return [last.status === 429 ? 429 : 'served', (await api(1, '/organizations', headers, method)).status]
  }
  /** @returns the error of the redirect after an authorization request, or the status of a page */
  const asked = async (changes: Fields) => {
    const answer = await send(authorizePath(changes), { headers: await signIn() })
    const to = answer.headers.get('Location')
    return to === null ? answer.status : new URL(to).searchParams.get('error')
  }
  /** @returns the status and the error word of an exchange that is valid except for `changes` */
  const exchanged = async (changes: Fields, headers?: Record<string, string>) => {
    const { status: answered, body } = await exchange(await authorize(), changes, headers)
    return body.error === undefined ? [answered] : [answered, body.error]
  }
  /** @returns the same for a refresh */
  const refreshed = async (changes: Fields) => {
    const { body } = await exchange(await authorize())
    const answer = await refresh(body.refresh_token, changes)
    return answer.body.error === undefined ? [answer.status] : [answer.status, answer.body.error]
  }
  const record = async (id: number) => (await send('/rate_limit', { headers: key(id) })).json()
  const later = (seconds: number) => {
    clock.ms += seconds * 1000
  }
  return { ...opened, status, around, asked, exchanged, refreshed, record, later }
}
type Start = ReturnType<typeof start>

/** @returns the statuses of adding a credential and then another, if `most` less one exist already */
const adding = async (organization: number, path: string, most: number) => {
  const existing = path === 'api-keys' ? { keys: most - 1 } : { applications: most - 1 }
  const person = organization === 2002 ? 'cleo' : 'ada'
  const { fill } = await atSettings({ seed: issued(seed(), organization, existing) }, person)
  const fields = path === 'api-keys' ? KEY : APPLICATION
  const add = async () => (await fill(`${path}/add`, fields)).status
  return [await add(), await add()]
}

const ROWS: [fact: string, ask: (there: Start) => Promise<unknown>, answered: unknown][] = [
  [
    'S3: the authorization page is at /oauth2/login and not at /oauth2/authorize',
    async ({ status, authorizePath }) => [await status(authorizePath()), await status('/oauth2/authorize')],
    [200, 404],
  ],
  [
    'S4: a request is served with a key or with a token, and refused with neither',
    async ({ status, key, bearer }) => [
      await status('/organizations', key()),
      await status('/organizations', await bearer()),
      await status('/organizations'),
    ],
    [200, 200, 401],
  ],
  [
    'S5: a credential of one organization does not read another',
    async ({ status, key, bearer }) => [
      await status('/organizations/2002', key()),
      await status('/organizations/2002', await bearer()),
    ],
    [404, 404],
  ],
  [
    'S7: under /organizations there are the two reads and nothing else',
    async ({ status, key }) => [
      await status('/organizations', key()),
      await status('/organizations/1001', key()),
      await status('/organizations/1001/projects', key()),
    ],
    [200, 200, 404],
  ],
  [
    'S15: the record has the limits of the plan for both classes',
    async ({ record }) =>
      [await record(1001), await record(2002)].map(({ get, update }) => [get.limit, update.limit]),
    [
      [60, 15],
      [600, 150],
    ],
  ],
  [
    'S16: remaining falls by one with each counted request and is whole again after the reset',
    async ({ api, key, later }) => {
      const left = async () => rate(await api(1, '/organizations', key())).remaining
      const before = [await left(), await left(), await left()]
      later(60)
      return [...before, await left()]
    },
    [59, 58, 57, 59],
  ],
  [
    'S17: reset is at most a minute ahead and stays the same within a window',
    async ({ api, key, later, clock }) => {
      const reset = async () =>
        rate(await api(1, '/organizations', key())).reset - Math.floor(clock.ms / 1000)
      const first = await reset()
      later(20)
      return [first, await reset()]
    },
    [60, 40],
  ],
  [
    'S27: an access token is served at an age of 3599 seconds and refused at 3601',
    async ({ bearer, status, later }) => {
      const headers = await bearer('2002')
      later(3599)
      const young = await status('/organizations', headers)
      later(2)
      return [young, await status('/organizations', headers)]
    },
    [200, 401],
  ],
  [
    'S28: a refresh token is exchanged before and after the access token has expired',
    async ({ exchange, authorize, refresh, later }) => {
      const { body } = await exchange(await authorize())
      const early = await refresh(body.refresh_token)
      later(7200)
      return [early.status, (await refresh(early.body.refresh_token)).status]
    },
    [200, 200],
  ],
  [
    'S30: POST /oauth2/token exchanges and refreshes, GET does neither',
    async ({ exchanged, refreshed, status }) => [
      await exchanged({}),
      await refreshed({}),
      await status('/oauth2/token'),
    ],
    [[200], [200], 405],
  ],
  [
    'S33: GET /rate_limit is served with either credential',
    async ({ status, key, bearer }) => [
      await status('/rate_limit', key()),
      await status('/rate_limit', await bearer()),
    ],
    [200, 200],
  ],
  [
    'S45: the key is read from X-Service-Api-Key in any case, and not from the query',
    async ({ status }) => [
      await status('/organizations', { 'x-service-API-key': STANDARD_KEY }),
      await status(`/organizations?X-Service-Api-Key=${STANDARD_KEY}`),
    ],
    [200, 401],
  ],
  ['S51: an unknown client_id is answered with a page', ({ asked }) => asked({ client_id: 'x' }), 400],
  [
    'S52: a redirect_uri that differs by a slash or a query is answered with a page',
    async ({ asked }) => [
      await asked({ redirect_uri: `${CALLBACK}/` }),
      await asked({ redirect_uri: `${CALLBACK}?a=1` }),
    ],
    [400, 400],
  ],
  [
    'S53: response_type has to be code',
    async ({ asked }) => [
      await asked({}),
      await asked({ response_type: undefined }),
      await asked({ response_type: 'token' }),
    ],
    [200, 'invalid_request', 'unsupported_response_type'],
  ],
  [
    'S57: organization_id is taken in decimal digits and in nothing else',
    async ({ asked }) => [await asked({ organization_id: '1001' }), await asked({ organization_id: '1e3' })],
    [200, 'invalid_request'],
  ],
  [
    'S58: the exchange needs a code that was issued',
    async ({ exchanged }) => [await exchanged({ code: undefined }), await exchanged({ code: 'bogus' })],
    [
      [400, 'invalid_request'],
      [400, 'invalid_grant'],
    ],
  ],
  [
    'S59: the exchange needs the Client Id',
    async ({ exchanged }) => [
      await exchanged({ client_id: undefined }),
      await exchanged({ client_id: 'another' }),
    ],
    [
      [401, 'invalid_client'],
      [401, 'invalid_client'],
    ],
  ],
  [
    'S60: the exchange needs the Client Secret',
    async ({ exchanged }) => [
      await exchanged({ client_secret: undefined }),
      await exchanged({ client_secret: 'another' }),
    ],
    [
      [401, 'invalid_client'],
      [401, 'invalid_client'],
    ],
  ],
  [
    'S61: the exchange needs the redirect_uri of the authorization request',
    async ({ exchanged }) => [
      await exchanged({ redirect_uri: undefined }),
      await exchanged({ redirect_uri: `${CALLBACK}/` }),
    ],
    [
      [400, 'invalid_grant'],
      [400, 'invalid_grant'],
    ],
  ],
  [
    'S62: grant_type is authorization_code, letter by letter',
    async ({ exchanged }) => [
      await exchanged({ grant_type: undefined }),
      await exchanged({ grant_type: 'Authorization_Code' }),
      await exchanged({ grant_type: 'password' }),
    ],
    [
      [400, 'invalid_request'],
      [400, 'unsupported_grant_type'],
      [400, 'unsupported_grant_type'],
    ],
  ],
  [
    'S68: a refresh needs the Client Secret',
    async ({ refreshed }) => [
      await refreshed({ client_secret: undefined }),
      await refreshed({ client_secret: 'another' }),
    ],
    [
      [401, 'invalid_client'],
      [401, 'invalid_client'],
    ],
  ],
  [
    'S69: a refresh needs a refresh token that was issued',
    async ({ refreshed }) => [
      await refreshed({ refresh_token: undefined }),
      await refreshed({ refresh_token: 'bogus' }),
    ],
    [
      [400, 'invalid_request'],
      [400, 'invalid_grant'],
    ],
  ],
  [
    'S70: the grant_type of a refresh is refresh_token, letter by letter',
    async ({ refreshed }) => [
      await refreshed({}),
      await refreshed({ grant_type: 'Refresh_Token' }),
      await refreshed({ grant_type: undefined }),
    ],
    [[200], [400, 'unsupported_grant_type'], [400, 'invalid_request']],
  ],
  [
    'S71: a refresh ignores redirect_uri and scope',
    ({ refreshed }) => refreshed({ redirect_uri: 'https://x.example', scope: 'all' }),
    [200],
  ],
  ['S76: Business issues 10 API keys and refuses the 11th', () => adding(2002, 'api-keys', 10), [303, 409]],
  ['S77: Standard issues 1 API key and refuses the 2nd', () => adding(1001, 'api-keys', 1), [303, 409]],
  [
    'S78: Business registers 10 applications and refuses the 11th',
    () => adding(2002, 'applications', 10),
    [303, 409],
  ],
  [
    'S79: Standard registers 1 application and refuses the 2nd',
    () => adding(1001, 'applications', 1),
    [303, 409],
  ],
  [
    'S83: Business serves 600 reads a minute and refuses the next',
    ({ around, key }) => around(600, 'GET', key(2002)),
    ['served', 429],
  ],
  [
    'S84: Standard serves 60 reads a minute and refuses the next',
    ({ around, key }) => around(60, 'GET', key()),
    ['served', 429],
  ],
  [
    'S85: POST, PATCH, PUT and DELETE take from the updates',
    async ({ api, key }) => {
      const left: number[] = []
      for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
        left.push(rate(await api(1, '/organizations', key(), method)).remaining)
      return left
    },
    [14, 13, 12, 11],
  ],
  [
    'S86: Business serves 150 updates a minute and refuses the next',
    ({ around, key }) => around(150, 'PUT', key(2002)),
    ['served', 429],
  ],
  [
    'S87: Standard serves 15 updates a minute and refuses the next',
    ({ around, key }) => around(15, 'DELETE', key()),
    ['served', 429],
  ],
  [
    'S88: reads are served while updates are used up, and the other way round',
    async ({ api, key }) => {
      const updates = await api(16, '/organizations', key(), 'POST')
      const read = await api(1, '/organizations', key())
      const reads = await api(601, '/organizations', key(2002))
      return [updates.status, read.status, reads.status, (await api(1, '/x', key(2002), 'PUT')).status]
    },
    [429, 200, 429, 404],
  ],
  [
    'S92: Standard serves 100 requests a month and refuses the next',
    async ({ api, key, later, around }) => {
      await api(50, '/organizations', key())
      later(61)
      return around(50, 'GET', key())
    },
    ['served', 429],
  ],
  [
    'S103: scope is ignored in the authorization request and in the exchange',
    async ({ asked, exchanged }) => [await asked({ scope: 'all' }), await exchanged({ scope: 'all' })],
    [200, [200]],
  ],
  [
    'check 8: without a state none comes back',
    async ({ answer }) => new URL(await answer('permit', { state: undefined })).searchParams.has('state'),
    false,
  ],
  [
    'check 19: HTTP Basic is served',
    ({ exchanged }) => exchanged(WITHOUT_CLIENT, BASIC(`${CLIENT.client_id}:${CLIENT.client_secret}`)),
    [200],
  ],
  [
    'check 20: a refused HTTP Basic is answered 401 with a challenge of that scheme',
    async ({ exchange }) => {
      const { status, headers } = await exchange('bogus', WITHOUT_CLIENT, BASIC('plimsoll:wrong'))
      return [status, headers.get('WWW-Authenticate')?.split(' ')[0]]
    },
    [401, 'Basic'],
  ],
]

test.each(ROWS)('%s', async (_fact, ask, answered) => {
  expect(await ask(start())).toEqual(answered)
})
