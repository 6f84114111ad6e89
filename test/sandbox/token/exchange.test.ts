import { describe, expect, test } from 'vitest'
import { CALLBACK, open, seed } from '../../kit/sandbox.ts'

const OTHER = { client_id: 'other', client_secret: 'others-secret' }
const twoApplications = () => {
  const known = seed()
  return { ...known, applications: [...known.applications, { ...known.applications[0]!, ...OTHER }] }
}
const bogus = { status: 400, body: { error: 'invalid_grant' } }

test('it answers the four members of 2.1 only (S8, S9, S10, S11, S12, S63, check 12, check 40, 5.3)', async () => {
  const { exchange, authorize } = open()
  const { status, headers, body } = await exchange(await authorize())
  expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json'])
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('a code is 256 bits, and no code or token is issued twice (check 40, RFC 6749 10.10)', async () => {
  const { exchange, authorize } = open()
  const issued: (string | undefined)[] = []
  for (let nth = 0; nth < 20; nth += 1) {
    const code = await authorize()
    expect(code).toMatch(/^[\w-]{43}$/)
    const { body } = await exchange(code)
    issued.push(code, body.access_token, body.refresh_token)
  }
  expect(new Set(issued).size).toBe(60)
})

test.each(['bogus', 'constructor', '__proto__'])(
  'an unknown code such as %s is refused (S58, check 26, RFC 6749 5.2)',
  async (code) => {
    expect(await open().exchange(code)).toMatchObject(bogus)
  },
)

test('a code sent again is refused, its tokens are revoked (S58, check 14, check 15, RFC 6749 4.1.2)', async () => {
  const { exchange, authorize, refresh, send } = open()
  const code = await authorize()
  const { body } = await exchange(code)
  const headers = { Authorization: `Bearer ${body.access_token}` }
  expect((await send('/organizations', { headers })).status).toBe(200)
  expect(await exchange(code)).toMatchObject(bogus)
  expect((await send('/organizations', { headers })).status).toBe(401)
  expect(await refresh(body.refresh_token)).toMatchObject(bogus)
})

test('they are also revoked if it is sent again hours after a refresh (check 15, RFC 6749 10.5)', async () => {
  const { exchange, authorize, refresh, clock } = open()
  const code = await authorize()
  const first = await exchange(code)
  clock.ms += 7_200_000
  const second = await refresh(first.body.refresh_token)
  await exchange(code)
  expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
})

test('one of twenty requests at once with one code succeeds (check 50, RFC 6749 4.1.2)', async () => {
  const { exchange, authorize } = open()
  const code = await authorize()
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(code)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
})

test.each([
  ['seconds_600', 600],
  ['seconds_60', 60],
  ['seconds_30', 30],
] as const)(
  'codelife %s: a code is valid until %d seconds have passed (check 36, U11, 5.5)',
  async (codelife, seconds) => {
    const { exchange, authorize, clock } = open({ choices: { codelife } })
    const [early, late] = [await authorize(), await authorize()]
    clock.ms += seconds * 1000 - 1
    expect((await exchange(early)).status).toBe(200)
    clock.ms += 1
    expect(await exchange(late)).toMatchObject(bogus)
  },
)

describe('codereplay (U12, RFC 6749 4.1.2)', () => {
  test.each([
    ['refused_and_revoked', 400, 400],
    ['refused', 400, 200],
    ['accepted_10_seconds', 200, 200],
  ] as const)(
    '%s: a second exchange answers %d, and a refresh after it %d',
    async (codereplay, again, after) => {
      const { exchange, authorize, refresh, clock } = open({ choices: { codereplay } })
      const code = await authorize()
      const { body } = await exchange(code)
      clock.ms += 9999
      expect((await exchange(code)).status).toBe(again)
      expect((await refresh(body.refresh_token)).status).toBe(after)
    },
  )

  test('accepted_10_seconds ends ten seconds after the first exchange', async () => {
    const { exchange, authorize, clock } = open({ choices: { codereplay: 'accepted_10_seconds' } })
    const code = await authorize()
    await exchange(code)
    clock.ms += 5000
    expect((await exchange(code, { redirect_uri: 'https://x.example' })).status).toBe(400)
    await exchange(code)
    clock.ms += 5000
    expect(await exchange(code)).toMatchObject(bogus)
  })
})

test.each([
  ['absent', undefined],
  ['empty', ''],
  ['another', `${CALLBACK}/`],
])(
  'a redirect_uri that is %s is refused, and the code stays valid (S61, check 17, RFC 6749 4.1.3)',
  async (_, redirect_uri) => {
    const { exchange, authorize } = open()
    const code = await authorize()
    expect(await exchange(code, { redirect_uri })).toMatchObject(bogus)
    expect((await exchange(code)).status).toBe(200)
  },
)

test.each([
  ['absent', undefined, 200],
  ['the registered one', CALLBACK, 200],
  ['another', `${CALLBACK}/`, 400],
])(
  'no redirect_uri in the authorization request: %s in the token request (U5, RFC 6749 4.1.3)',
  async (_, redirect_uri, status) => {
    const { exchange, authorize } = open()
    const code = await authorize({ redirect_uri: undefined })
    expect((await exchange(code, { redirect_uri })).status).toBe(status)
  },
)

test('with consent remembered, the request also decides if redirect_uri is required (U9, RFC 6749 4.1.3)', async () => {
  const { exchange, authorize, send, authorizePath, signIn } = open({ choices: { consent: 'remembered' } })
  await exchange(await authorize())
  const cookie = await signIn()
  const seen: number[] = []
  for (const redirect_uri of [undefined, CALLBACK]) {
    const back = await send(authorizePath({ redirect_uri }), { headers: cookie })
    const code = new URL(back.headers.get('Location') ?? '').searchParams.get('code') ?? ''
    seen.push((await exchange(code, { redirect_uri: undefined })).status)
  }
  expect(seen).toEqual([200, 400])
})

test('the code of another application is refused, and stays valid (check 16, RFC 6749 4.1.3)', async () => {
  const { exchange, authorize } = open({ seed: twoApplications() })
  const code = await authorize()
  expect(await exchange(code, OTHER)).toMatchObject(bogus)
  expect((await exchange(code)).status).toBe(200)
})

test('the tokens are for the organization of the request, and no other (S55, 5.3)', async () => {
  const { bearer, send } = open()
  const headers = await bearer('2002')
  expect((await send('/organizations/2002', { headers })).status).toBe(200)
  expect((await send('/organizations/1001', { headers })).status).toBe(404)
  expect(await (await send('/organizations', { headers })).json()).toMatchObject({ organization_id: 2002 })
})
