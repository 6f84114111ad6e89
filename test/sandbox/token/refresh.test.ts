import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, seed, START_MS } from '../../kit/sandbox.ts'

const OTHER = { client_id: 'other', client_secret: 'others-secret' }
const bogus = { status: 400, body: { error: 'invalid_grant' } }
const DAY_MS = 86_400_000

async function signedIn(choices: Partial<Choices> = {}) {
  const known = seed()
  const applications = [...known.applications, { ...known.applications[0]!, ...OTHER }]
  const opened = open({ choices, seed: { ...known, applications } })
  const { body } = await opened.exchange(await opened.authorize())
  const status = async (token?: string) =>
    (await opened.send('/organizations', { headers: { Authorization: `Bearer ${token}` } })).status
  return { ...opened, first: body, status }
}

test('it answers the shape of 2.1 with two new tokens (S9, S10, S11, S12, S37, S72, check 27, 5.4.4)', async () => {
  const { first, refresh } = await signedIn()
  const { status, body } = await refresh(first.refresh_token)
  expect(status).toBe(200)
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(body.access_token).not.toBe(first.access_token)
  expect(body.refresh_token).not.toBe(first.refresh_token)
})

test('one of twenty requests at once with one token succeeds (check 51, RFC 6749 6)', async () => {
  const { first, refresh } = await signedIn()
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(first.refresh_token)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
})

test('if the old one stays valid, two at once with it are served (V, check 51, check 52, RFC 6749 6)', async () => {
  for (const rotation of ['same', 'new_old_valid', 'new_old_valid_30_seconds'] as const) {
    const { first, refresh } = await signedIn({ rotation })
    const answers = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  }
})

test('the old access token stays valid to its end, and the new one for an hour (S65, 5.4.2)', async () => {
  const { first, refresh, status, clock } = await signedIn()
  clock.ms += 3_599_999
  const second = await refresh(first.refresh_token)
  expect(await status(first.access_token)).toBe(200)
  clock.ms += 1
  expect(await status(first.access_token)).toBe(401)
  clock.ms += 3_599_998
  expect(await status(second.body.access_token)).toBe(200)
  clock.ms += 1
  expect(await status(second.body.access_token)).toBe(401)
})

test('the token of another application is refused, and stays valid (S67, check 28, RFC 6749 6)', async () => {
  const { first, refresh } = await signedIn()
  expect(await refresh(first.refresh_token, OTHER)).toMatchObject(bogus)
  expect((await refresh(first.refresh_token)).status).toBe(200)
})

test('only a refresh token refreshes: no unknown one, access token or code (check 30, RFC 6749 5.2)', async () => {
  const { first, refresh, authorize } = await signedIn()
  for (const token of ['bogus', 'constructor', first.access_token, await authorize()])
    expect(await refresh(token)).toMatchObject(bogus)
})

describe('rotation: the old refresh token, exact to the second (check 52, U24, RFC 6749 6)', () => {
  test.each([
    ['new_old_revoked', 0, 400],
    ['new_old_valid', 400 * DAY_MS, 200],
    ['new_old_valid_30_seconds', 29_999, 200],
    ['new_old_valid_30_seconds', 30_000, 400],
    ['new_old_valid_until_new_used', DAY_MS, 200],
  ] as const)('%s: %d ms after a refresh the old one answers %d', async (rotation, ms, status) => {
    const { first, refresh, clock } = await signedIn({ rotation })
    const second = await refresh(first.refresh_token)
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    clock.ms += ms
    expect((await refresh(first.refresh_token)).status).toBe(status)
    expect((await refresh(second.body.refresh_token)).status).toBe(200)
  })

  test('same: the same token comes back, and stays valid', async () => {
    const { first, refresh } = await signedIn({ rotation: 'same' })
    for (const _ of [1, 2])
      expect(await refresh(first.refresh_token)).toMatchObject({
        status: 200,
        body: { refresh_token: first.refresh_token },
      })
  })

  test('new_old_valid_30_seconds: the seconds are counted from the first refresh', async () => {
    const { first, refresh, clock } = await signedIn({ rotation: 'new_old_valid_30_seconds' })
    await refresh(first.refresh_token)
    clock.ms += 20_000
    await refresh(first.refresh_token)
    clock.ms += 10_000
    expect((await refresh(first.refresh_token)).status).toBe(400)
  })

  test('new_old_valid_until_new_used: the old one ends when the new one has been used', async () => {
    const { first, refresh } = await signedIn({ rotation: 'new_old_valid_until_new_used' })
    const second = await refresh(first.refresh_token)
    const third = await refresh(second.body.refresh_token)
    expect((await refresh(first.refresh_token)).status).toBe(400)
    expect((await refresh(second.body.refresh_token)).status).toBe(200)
    expect((await refresh(third.body.refresh_token)).status).toBe(200)
  })
})

describe('reuse: the answer to an old token (check 53, U25, RFC 9700 4.14.2)', () => {
  test.each([
    ['refused', 400, 200, 200],
    ['refused_family_revoked', 400, 400, 401],
    ['accepted', 200, 200, 200],
  ] as const)(
    '%s: it is answered %d, then the newest token %d, and the API answers %d',
    async (reuse, old, newest, api) => {
      const { first, refresh, status } = await signedIn({ reuse })
      const second = await refresh(first.refresh_token)
      expect((await refresh(first.refresh_token)).status).toBe(old)
      expect(await status(second.body.access_token)).toBe(api)
      expect((await refresh(second.body.refresh_token)).status).toBe(newest)
    },
  )
})

describe('rtlife: the end of a refresh token (check 54, U26, RFC 9700 4.14.2)', () => {
  test.each([
    ['unlimited', 3650 * DAY_MS, 200],
    ['days_30_absolute', 30 * DAY_MS - 1, 200],
    ['days_30_absolute', 30 * DAY_MS, 400],
    ['days_14_idle', 14 * DAY_MS - 1, 200],
    ['days_14_idle', 14 * DAY_MS, 400],
    ['hours_24', DAY_MS - 1, 200],
    ['hours_24', DAY_MS, 400],
  ] as const)('%s: after %d ms it answers %d', async (rtlife, ms, status) => {
    const { first, refresh, clock } = await signedIn({ rtlife })
    clock.ms += ms
    expect((await refresh(first.refresh_token)).status).toBe(status)
  })

  test('days_14_idle begins again with each use, days_30_absolute does not', async () => {
    for (const rotation of ['same', 'new_old_revoked'] as const) {
      const { first, refresh, clock, sandbox } = await signedIn({ rotation, rtlife: 'days_14_idle' })
      clock.ms += 10 * DAY_MS
      const second = await refresh(first.refresh_token)
      clock.ms += 10 * DAY_MS
      const third = await refresh(second.body.refresh_token)
      expect(third.status).toBe(200)
      const later = open({ state: sandbox.snapshot(), choices: { rtlife: 'days_30_absolute' } })
      later.clock.ms = clock.ms + 10 * DAY_MS
      expect((await later.refresh(third.body.refresh_token)).status).toBe(400)
    }
  })
})

test.each([
  ['until_expiry', 200],
  ['revoked', 401],
] as const)(
  'oldaccess %s: after a refresh the earlier access token answers %d (U27, 5.4)',
  async (oldaccess, api) => {
    const { first, refresh, status } = await signedIn({ oldaccess })
    const second = await refresh(first.refresh_token)
    expect([await status(first.access_token), await status(second.body.access_token)]).toEqual([api, 200])
  },
)

test('a refresh keeps application, person and organization (check 55, RFC 6749 6)', async () => {
  const { authorize, exchange, refresh, sandbox } = open()
  const { body } = await exchange(await authorize({ organization_id: '2002' }, 'cleo'))
  await refresh(body.refresh_token)
  const { grants, access_tokens, refresh_tokens } = sandbox.snapshot()
  const grant = { client_id: 'plimsoll', person_id: 'cleo', organization_id: 2002, permitted_at_ms: START_MS }
  expect(Object.values(grants)).toEqual([grant])
  expect(Object.keys(access_tokens)).toHaveLength(2)
  const tokens = [...Object.values(access_tokens), ...Object.values(refresh_tokens)]
  expect(new Set(tokens.map(({ grant_id }) => grant_id)).size).toBe(1)
})

test('two sign-ins of one person are two grants that end separately (5.3)', async () => {
  const { authorize, exchange, refresh } = open()
  const code = await authorize()
  const [one, other] = [await exchange(code), await exchange(await authorize())]
  await exchange(code)
  expect((await refresh(one.body.refresh_token)).status).toBe(400)
  expect((await refresh(other.body.refresh_token)).status).toBe(200)
})

test('new codes and tokens cause the deletion of expired ones, but not of valid refresh tokens', async () => {
  const { authorize, exchange, refresh, clock, sandbox } = open()
  await authorize()
  const { body } = await exchange(await authorize())
  /** Issues as many records again as there are, so a sweep is due. */
  const refreshTimes = async (times: number, first: string | undefined) => {
    let token = first
    for (let nth = 0; nth < times; nth += 1) token = (await refresh(token)).body.refresh_token
    return token
  }
  const sizes = () => {
    const { grants, codes, access_tokens, refresh_tokens } = sandbox.snapshot()
    return [grants, codes, access_tokens, refresh_tokens].map((record) => Object.keys(record).length)
  }
  expect(sizes()).toEqual([2, 2, 1, 1])
  clock.ms += 2 * 86_400_000
  const latest = await refreshTimes(4, body.refresh_token)
  expect(sizes()).toEqual([1, 1, 4, 5])
  clock.ms += 30 * 86_400_000
  await refreshTimes(8, latest)
  expect(sizes()).toEqual([1, 1, 8, 9])
})

describe('secondgrant: permitting the same application again (U28, 5.3)', () => {
  test.each([
    ['both_live', 4, [200, 200, 200, 200]],
    ['first_revoked', 2, [400, 200]],
    ['oldest_evicted', 3, [200, 200, 200]],
    ['oldest_evicted', 5, [400, 400, 200, 200, 200]],
  ] as const)('%s: after %d permissions the refreshes answer %j', async (secondgrant, times, statuses) => {
    const { authorize, exchange, refresh } = open({ choices: { secondgrant } })
    const other = await exchange(await authorize({ organization_id: '2002' }, 'ada'))
    const all: (string | undefined)[] = []
    for (let nth = 0; nth < times; nth += 1) all.push((await exchange(await authorize())).body.refresh_token)
    const seen: number[] = []
    for (const one of all) seen.push((await refresh(one)).status)
    expect(seen).toEqual(statuses)
    expect((await refresh(other.body.refresh_token)).status).toBe(200)
  })
})

describe('tokformat: the format of a token (S8, U30, RFC 6750 2.1)', () => {
  test.each([
    ['opaque_43', /^[\w-]{43}$/],
    ['jwt_like', /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{43}$/],
    ['base64_symbols', /^[A-Za-z0-9+/]*\+[A-Za-z0-9+/]*\/[A-Za-z0-9+/]*=$/],
    ['long_4096', /^[\w-]{4096}$/],
  ] as const)('%s, both tokens, and they work', async (tokformat, like) => {
    const { authorize, exchange, refresh, send } = open({ choices: { tokformat } })
    const first = await exchange(await authorize())
    const second = await refresh(first.body.refresh_token)
    for (const { body } of [first, second]) {
      expect([body.access_token, body.refresh_token]).toEqual([
        expect.stringMatching(like),
        expect.stringMatching(like),
      ])
      const headers = { Authorization: `Bearer ${body.access_token}` }
      expect((await send('/organizations', { headers })).status).toBe(200)
    }
    expect(second.body.access_token).not.toBe(first.body.access_token)
  })
})
