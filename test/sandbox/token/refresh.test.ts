import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { CLIENT, START_MS } from '../../kit/sandbox.ts'
import { basic, each, inOrder, OTHER, start } from '../_start.ts'

const BOGUS = '400 invalid_grant'
const DAY = 86_400

test('a refresh needs a refresh token of the application (S67, S69, check 28, check 30, RFC 6749 6)', async () => {
  const { tokens, refreshOf, authorize } = start()
  const { access_token, refresh_token } = await tokens()
  for (const token of ['bogus', 'constructor', access_token, await authorize()])
    expect(await refreshOf(token)).toBe(BOGUS)
  expect([await refreshOf(refresh_token, OTHER), await refreshOf(refresh_token)]).toEqual([BOGUS, 200])
})

test('if the old one stays valid, two at once with it are served (U24, check 51, check 52, RFC 6749 6)', async () => {
  for (const rotation of ['same', 'new_old_valid', 'new_old_valid_30_seconds'] as const) {
    const { tokens, refreshOf } = start({ choices: { rotation } })
    const { refresh_token } = await tokens()
    expect(await Promise.all([refreshOf(refresh_token), refreshOf(refresh_token)])).toEqual([200, 200])
  }
})

test('the old access token stays valid to its end, and the new one for an hour (S65, 5.4.2)', async () => {
  const { tokens, refresh, readWith, later } = start()
  const first = await tokens()
  later(3600, -1)
  const second = (await refresh(first.refresh_token)).body
  expect(await readWith(first.access_token)).toBe(200)
  later(0, 1)
  expect(await readWith(first.access_token)).toBe(401)
  later(3600, -2)
  expect(await readWith(second.access_token)).toBe(200)
  later(0, 1)
  expect(await readWith(second.access_token)).toBe(401)
})

each('rotation', {
  new_old_revoked: [false, BOGUS, BOGUS, BOGUS, BOGUS, 200, BOGUS, BOGUS, 200],
  same: [true, 200, 200, 200, 200, 200, 200, 200, 200],
  new_old_valid: [false, 200, 200, 200, 200, 200, 200, 200, 200],
  // The seconds are counted from the first refresh.
  new_old_valid_30_seconds: [false, 200, 200, BOGUS, BOGUS, 200, BOGUS, 200, 200],
  new_old_valid_until_new_used: [false, 200, 200, 200, 200, 200, BOGUS, 200, 200],
})(
  'the old token after 0, 29.999, 30 s, 400 days; the new; old, new and newest (check 52, U24)',
  async ({ tokens, refresh, refreshOf, clock }) => {
    const { refresh_token } = await tokens()
    const second = (await refresh(refresh_token)).body.refresh_token
    const old = await inOrder([0, 29_999, 30_000, 400 * DAY * 1000], (ms) => {
      clock.ms = START_MS + ms
      return refreshOf(refresh_token)
    })
    const third = await refresh(second)
    const after = await inOrder([refresh_token, second, third.body.refresh_token], (one) => refreshOf(one))
    return [second === refresh_token, ...old, third.status, ...after]
  },
)

each('reuse', {
  refused: [BOGUS, 200, 200],
  refused_family_revoked: [BOGUS, 401, BOGUS],
  accepted: [200, 200, 200],
})(
  'an old token, then a read and a refresh with the newest (check 53, U25)',
  async ({ tokens, refresh, refreshOf, readWith }) => {
    const { refresh_token } = await tokens()
    const { body } = await refresh(refresh_token)
    const old = await refreshOf(refresh_token)
    return [old, await readWith(body.access_token), await refreshOf(body.refresh_token)]
  },
)

test.each<[Choices['rtlife'], lastDay: number, after: unknown]>([
  ['unlimited', 3650, 200],
  ['days_30_absolute', 30, BOGUS],
  ['days_14_idle', 14, BOGUS],
  ['hours_24', 1, BOGUS],
])(
  'rtlife %s: a refresh token is served before %d days, and then answered %s (S28, check 54, U26)',
  async (rtlife, days, after) => {
    for (const [ms, seen] of [[-1, 200] as const, [0, after] as const]) {
      const { tokens, refreshOf, later } = start({ choices: { rtlife } })
      const { refresh_token } = await tokens()
      later(days * DAY, ms)
      expect(await refreshOf(refresh_token)).toBe(seen)
    }
  },
)

test('days_14_idle begins again with each use, days_30_absolute does not (U26)', async () => {
  for (const rotation of ['same', 'new_old_revoked'] as const) {
    const { tokens, refresh, later, clock, sandbox } = start({
      choices: { rotation, rtlife: 'days_14_idle' },
    })
    const { refresh_token } = await tokens()
    later(10 * DAY)
    const second = await refresh(refresh_token)
    later(10 * DAY)
    const third = await refresh(second.body.refresh_token)
    expect(third.status).toBe(200)
    const absolute = start({ state: sandbox.snapshot(), choices: { rtlife: 'days_30_absolute' } })
    absolute.clock.ms = clock.ms + 10 * DAY * 1000
    expect(await absolute.refreshOf(third.body.refresh_token)).toBe(BOGUS)
  }
})

each('oldaccess', { until_expiry: [200, 200], revoked: [401, 200] })(
  'after a refresh, reads with the earlier access token and with the new one (U27, 5.4)',
  async ({ tokens, refresh, readWith }) => {
    const first = await tokens()
    const { body } = await refresh(first.refresh_token)
    return [await readWith(first.access_token), await readWith(body.access_token)]
  },
)

test('a refresh keeps application, person and organization (check 55, RFC 6749 6)', async () => {
  const { tokens, refresh, sandbox } = start()
  await refresh((await tokens({ organization_id: '2002' }, 'cleo')).refresh_token)
  const { grants, access_tokens, refresh_tokens } = sandbox.snapshot()
  const grant = { client_id: 'plimsoll', person_id: 'cleo', organization_id: 2002, permitted_at_ms: START_MS }
  expect(Object.values(grants)).toEqual([grant])
  const issued = [...Object.values(access_tokens), ...Object.values(refresh_tokens)]
  expect([Object.keys(access_tokens).length, new Set(issued.map(({ grant_id }) => grant_id)).size]).toEqual([
    2, 1,
  ])
})

test('new codes and tokens cause the deletion of expired ones, but not of valid refresh tokens', async () => {
  const { authorize, tokens, refresh, later, sandbox } = start()
  await authorize()
  let token = (await tokens()).refresh_token
  /** Issues as many records again as there are, so a sweep is due. */
  const refreshTimes = async (times: number) => {
    for (let nth = 0; nth < times; nth += 1) token = (await refresh(token)).body.refresh_token
  }
  const sizes = () => {
    const { grants, codes, access_tokens, refresh_tokens } = sandbox.snapshot()
    return [grants, codes, access_tokens, refresh_tokens].map((record) => Object.keys(record).length)
  }
  expect(sizes()).toEqual([2, 2, 1, 1])
  later(2 * DAY)
  await refreshTimes(4)
  expect(sizes()).toEqual([1, 1, 4, 5])
  later(30 * DAY)
  await refreshTimes(8)
  expect(sizes()).toEqual([1, 1, 8, 9])
})

test.each<[Choices['secondgrant'], times: number, statuses: unknown[]]>([
  ['both_live', 4, [200, 200, 200, 200]],
  ['first_revoked', 2, [BOGUS, 200]],
  ['oldest_evicted', 3, [200, 200, 200]],
  ['oldest_evicted', 5, [BOGUS, BOGUS, 200, 200, 200]],
])('secondgrant %s: after %d permissions the refreshes answer %j (U28)', async (secondgrant, times, seen) => {
  const { tokens, refreshOf } = start({ choices: { secondgrant } })
  const other = await tokens({ organization_id: '2002' })
  const all = await inOrder(Array.from({ length: times }), () => tokens())
  const answers = await inOrder([...all, other], (one) => refreshOf(one.refresh_token))
  expect(answers).toEqual([...seen, 200])
})

const like = (format: RegExp) => Array.from({ length: 4 }, () => expect.stringMatching(format))
each('tokformat', {
  opaque_43: like(/^[\w-]{43}$/),
  jwt_like: like(/^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{43}$/),
  base64_symbols: like(/^[A-Za-z0-9+/]*\+[A-Za-z0-9+/]*\/[A-Za-z0-9+/]*=$/),
  long_4096: like(/^[\w-]{4096}$/),
})('both tokens have the format, and work (S8, U30, RFC 6750 2.1)', async ({ tokens, refresh, readWith }) => {
  const first = await tokens()
  const second = (await refresh(first.refresh_token)).body
  expect([await readWith(first.access_token), await readWith(second.access_token)]).toEqual([200, 200])
  const issued = [first, second].flatMap((body) => [body.access_token, body.refresh_token])
  expect(new Set(issued).size).toBe(4)
  return issued
})

/** A person has signed in and refreshed, and the application revokes. */
async function signedIn() {
  const there = start({ choices: { revocation: 'rfc_7009' } })
  const old = await there.tokens()
  const newest = (await there.refresh(old.refresh_token)).body
  const revoke = async (fields: Record<string, string | undefined>, headers?: Record<string, string>) => {
    const answer = await there.post('/oauth2/revoke', { ...CLIENT, ...fields }, headers)
    const text = await answer.text()
    return text ? `${answer.status} ${JSON.parse(text).error}` : answer.status
  }
  const reads = async () => [
    await there.readWith(old.access_token),
    await there.readWith(newest.access_token),
  ]
  return { ...there, revoke, reads, newest }
}

test('revocation none: there is no endpoint (U33, 4)', async () => {
  const { status } = start()
  expect([await status('/oauth2/revoke', {}, 'POST'), await status('/oauth2/revoke')]).toEqual([404, 404])
})

test('a refresh token is revoked with every token of its grant (check 65, U33, RFC 7009 2.1)', async () => {
  const { revoke, refreshOf, reads, newest, sandbox } = await signedIn()
  expect(await revoke({ token: newest.refresh_token })).toBe(200)
  expect([await reads(), await refreshOf(newest.refresh_token)]).toEqual([[401, 401], BOGUS])
  // The person is asked again.
  const later = start({ state: sandbox.snapshot(), choices: { consent: 'remembered' } })
  expect((await later.ask()).page).toContain('Permit')
})

test('an access token is revoked alone, whatever the hint (check 65, U33, RFC 7009 2.1)', async () => {
  const { revoke, refreshOf, reads, newest } = await signedIn()
  expect(await revoke({ token: newest.access_token, token_type_hint: 'refresh_token' })).toBe(200)
  expect([await reads(), await refreshOf(newest.refresh_token)]).toEqual([[200, 401], 200])
})

test('an unknown token answers 200, again and again (check 65, U33, RFC 7009 2.2)', async () => {
  const { revoke, newest } = await signedIn()
  for (const token of ['bogus', 'constructor', newest.refresh_token, newest.refresh_token])
    expect(await revoke({ token })).toBe(200)
})

test('what cannot be revoked stays valid, and only POST is taken (check 65, U33, RFC 7009 2.1, 2.2.1)', async () => {
  const { revoke, reads, refreshOf, newest, authorize, exchangeOf, post, send } = await signedIn()
  const token = newest.access_token
  const code = await authorize()
  expect(await revoke({ token, client_secret: 'wrong' })).toBe('401 invalid_client')
  expect(await revoke({ token, client_secret: undefined })).toBe('401 invalid_client')
  expect((await post('/oauth2/revoke', { token })).headers.has('WWW-Authenticate')).toBe(true)
  for (const one of [token, newest.refresh_token]) expect(await revoke({ ...OTHER, token: one })).toBe(BOGUS)
  expect(await revoke({ token: code })).toBe('400 unsupported_token_type')
  for (const none of ['', undefined]) expect(await revoke({ token: none })).toBe('400 invalid_request')
  const answer = await send('/oauth2/revoke')
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST'])
  expect([await reads(), await exchangeOf(code)]).toEqual([[200, 200], 200])
  const none = { client_id: undefined, client_secret: undefined }
  expect(await revoke({ token, ...none }, basic(CLIENT.client_id, CLIENT.client_secret))).toBe(200)
  expect([await reads(), await refreshOf(newest.refresh_token)]).toEqual([[200, 401], 200])
})
