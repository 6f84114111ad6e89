import { describe, expect, test } from 'vitest'
import { open, START_MS } from '../../kit/sandbox.ts'

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
