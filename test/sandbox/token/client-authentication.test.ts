import { describe, expect, test } from 'vitest'
import { OWN_LIMIT_PER_MINUTE } from '../../../src/sandbox/token/token.ts'
import { CLIENT, open, seed } from '../../kit/sandbox.ts'

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const NONE = { client_id: undefined, client_secret: undefined }
const OURS = basic(CLIENT.client_id, CLIENT.client_secret)
const refused = { status: 401, body: { error: 'invalid_client' } }

test.each([
  ['a wrong secret', { client_secret: 'wrong' }],
  ['a secret that is longer', { client_secret: `${CLIENT.client_secret}x` }],
  ['no secret', { client_secret: undefined }],
  ['an unknown id', { client_id: 'unknown' }],
  ['nothing', NONE],
])(
  'with %s both grants answer invalid_client (S59, S60, S67, S68, check 18, check 29, RFC 6749 5.2)',
  async (_, changes) => {
    const { exchange, authorize, refresh } = open()
    const code = await authorize()
    for (const answer of [await exchange(code, changes), await refresh('any', changes)]) {
      expect(answer).toMatchObject(refused)
      expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic /)
    }
    expect((await exchange(code)).status).toBe(200)
  },
)

test('HTTP Basic is accepted, with id and secret encoded as in a form (check 19, RFC 6749 2.3.1)', async () => {
  const known = seed()
  const application = { ...known.applications[0]!, client_id: 'a:b c', client_secret: 'ü%+&' }
  const { exchange, authorize } = open({ seed: { ...known, applications: [application] } })
  const code = await authorize({ client_id: 'a:b c' })
  const encoded = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
  const headers = basic(encoded('a:b c'), encoded('ü%+&'))
  expect((await exchange(code, NONE, headers)).status).toBe(200)
})

test('beside HTTP Basic the body may not name another application (check 43, RFC 6749 2.3)', async () => {
  const { exchange, authorize } = open()
  const another = { client_id: 'another', client_secret: undefined }
  expect((await exchange(await authorize(), another, OURS)).body.error).toBe('invalid_request')
})

test.each([
  ['a wrong secret', basic(CLIENT.client_id, 'wrong')],
  ['no colon', { Authorization: `Basic ${Buffer.from('plimsoll').toString('base64')}` }],
  ['broken encoding', basic('plimsoll', '%E0%A4%A')],
  ['no base64', { Authorization: 'Basic ???' }],
  ['another scheme', { Authorization: 'Bearer abc' }],
])('%s in Authorization is refused 401 with a challenge (check 20, RFC 6749 5.2)', async (_, headers) => {
  const answer = await open().exchange('any', NONE, headers)
  expect(answer).toMatchObject(refused)
  expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic realm=/)
})

describe('clientauth (U19, RFC 6749 2.3.1)', () => {
  const IN_BODY = [{}, {}] as const
  const BY_BASIC = [NONE, OURS] as const
  const BESIDE_ID = [{ client_secret: undefined }, OURS] as const
  const BY_BOTH = [{}, OURS] as const
  test.each([
    ['body_and_basic', [200, 200, 200, 400]],
    ['body_only', [200, 401, 401, 400]],
    ['basic_only', [401, 200, 200, 400]],
    ['both_at_once_refused', [200, 200, 400, 400]],
  ] as const)(
    '%s accepts the body, Basic, Basic beside the id, and both: %s',
    async (clientauth, statuses) => {
      const { exchange, authorize } = open({ choices: { clientauth } })
      const seen: number[] = []
      for (const [changes, headers] of [IN_BODY, BY_BASIC, BESIDE_ID, BY_BOTH])
        seen.push((await exchange(await authorize(), changes, headers)).status)
      expect(seen).toEqual(statuses)
    },
  )
})

describe('guessing a secret (check 44, RFC 6749 2.3.1, 10.10)', () => {
  const guess = async ({ exchange }: ReturnType<typeof open>, times: number, code = 'any') => {
    for (let nth = 0; nth < times; nth += 1) await exchange(code, { client_secret: `guess ${nth}` })
  }

  const TOO_MANY = { status: 429, body: { error: 'too_many_requests' } }

  test('after ten wrong secrets no secret is compared until the minute has passed', async () => {
    const opened = open()
    await guess(opened, 9)
    expect((await opened.exchange('any')).body.error).toBe('invalid_grant')
    await guess(opened, 1)
    expect(await opened.exchange('any')).toMatchObject(TOO_MANY)
    opened.clock.ms += 59_999
    expect(await opened.exchange('any')).toMatchObject(TOO_MANY)
    opened.clock.ms += 1
    expect((await opened.exchange('any')).body.error).toBe('invalid_grant')
  })

  test('the right and a wrong secret get the same answer, with the seconds to wait (RFC 6585 4)', async () => {
    const opened = open()
    await guess(opened, 10)
    opened.clock.ms += 20_500
    const [right, wrong] = [
      await opened.exchange('any'),
      await opened.exchange('any', { client_secret: 'x' }),
    ]
    expect(right.headers.get('Retry-After')).toBe('40')
    expect(right.body.error_description).toMatch(/10 wrong secrets within a minute/)
    expect([wrong.status, wrong.body, wrong.headers.get('Retry-After')]).toEqual([429, right.body, '40'])
    expect(right.headers.get('WWW-Authenticate')).toBeNull()
  })

  test('does not block requests with a code or refresh token of the application', async () => {
    const opened = open()
    const code = await opened.authorize()
    await guess(opened, 50)
    const { status, body } = await opened.exchange(code)
    expect([status, (await opened.refresh(body.refresh_token)).status]).toEqual([200, 200])
  })

  test('with a stolen code is limited for that code alone', async () => {
    const opened = open()
    const [stolen, code] = [await opened.authorize(), await opened.authorize()]
    await guess(opened, 10, stolen)
    expect(await opened.exchange(stolen)).toMatchObject(TOO_MANY)
    expect((await opened.exchange(code)).status).toBe(200)
  })

  test('at one application limits no other, and only a present minute is counted', async () => {
    const known = seed()
    const other = { ...known.applications[0]!, client_id: 'other' }
    const opened = open({ seed: { ...known, applications: [...known.applications, other] } })
    await guess(opened, 10)
    expect((await opened.exchange('any', { client_id: 'other' })).body.error).toBe('invalid_grant')
    await opened.exchange('any', { client_id: 'unknown' })
    const counted = () => Object.keys(opened.sandbox.snapshot().minute_counts)
    expect(counted()).toHaveLength(1)
    opened.clock.ms += 60_000
    await opened.exchange('any', { client_id: 'other', client_secret: 'guess' })
    expect(counted()).toHaveLength(1)
  })
})

test('toklimit not_counted: a token request is neither counted nor limited (U31, 8.2)', async () => {
  const { refresh, sandbox } = open()
  for (let nth = 0; nth < 200; nth += 1) expect((await refresh('bogus')).status).toBe(400)
  const { windows, months } = sandbox.snapshot()
  expect([windows, months]).toEqual([{}, {}])
})

test('toklimit counts_as_update: it counts as an update, and in the month of the grant (U31, 8.2)', async () => {
  const { authorize, exchange, refresh, sandbox, clock } = open({ choices: { toklimit: 'counts_as_update' } })
  let { body } = await exchange(await authorize())
  const monthly = () => sandbox.snapshot().months['1001']?.count
  expect(monthly()).toBe(1)
  for (let nth = 2; nth <= 15; nth += 1) body = (await refresh(body.refresh_token)).body
  const refused = await refresh(body.refresh_token)
  expect([refused.status, monthly()]).toEqual([429, 15])
  clock.ms += 60_000
  expect([(await refresh(body.refresh_token)).status, monthly()]).toEqual([200, 16])
})

test('toklimit counts_as_update: an unknown refresh token counts, a wrong secret does not (U31)', async () => {
  const { refresh, sandbox, seed } = open({ choices: { toklimit: 'counts_as_update' } })
  await refresh('bogus')
  await refresh('bogus', { client_secret: 'wrong' })
  expect(sandbox.snapshot().months[String(seed.applications[0]?.organization_id)]?.count).toBe(1)
})

test('toklimit own_limit: 429 with Retry-After, and the refresh token stays valid (U31, RFC 6585 4)', async () => {
  const { authorize, exchange, refresh, sandbox, clock } = open({ choices: { toklimit: 'own_limit' } })
  const { body } = await exchange(await authorize())
  clock.ms += 500
  for (let nth = 2; nth <= OWN_LIMIT_PER_MINUTE; nth += 1) expect((await refresh('bogus')).status).toBe(400)
  const refused = await refresh(body.refresh_token)
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
  clock.ms += 59_500
  expect((await refresh(body.refresh_token)).status).toBe(200)
  expect(sandbox.snapshot().months).toEqual({})
})
