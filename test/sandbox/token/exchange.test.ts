import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { CALLBACK, open, seed } from '../../kit/sandbox.ts'

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
  const known = seed()
  const OTHER = { client_id: 'other', client_secret: 'others-secret' }
  const applications = [...known.applications, { ...known.applications[0]!, ...OTHER }]
  const { exchange, authorize } = open({ seed: { ...known, applications } })
  const code = await authorize()
  expect(await exchange(code, OTHER)).toMatchObject(bogus)
  expect((await exchange(code)).status).toBe(200)
})

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challengeFor = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
const S256 = { code_challenge: challengeFor(VERIFIER), code_challenge_method: 'S256' }

/** @returns the error word of the redirect; `undefined` if the request goes on */
async function faultOf(pkce: Choices['pkce'], changes: Record<string, string>) {
  const { send, authorizePath, signIn } = open({ choices: { pkce } })
  const answer = await send(authorizePath(changes), { headers: await signIn() })
  return new URL(answer.headers.get('Location') ?? 'http://none').searchParams.get('error') ?? undefined
}

/** @returns the status of an exchange, or the word of its error */
async function exchanged(pkce: Choices['pkce'], changes: Record<string, string>, code_verifier?: string) {
  const { exchange, authorize } = open({ choices: { pkce } })
  const { status, body } = await exchange(await authorize(changes), { code_verifier })
  return body['error'] ?? status
}

describe('pkce: the request for authorization (check 62, U13, RFC 7636 4.3)', () => {
  test.each([
    ['ignored', undefined, undefined, undefined],
    ['enforced', undefined, undefined, 'invalid_request'],
    ['rejected', undefined, 'invalid_request', 'invalid_request'],
    ['required', 'invalid_request', undefined, 'invalid_request'],
  ] as const)(
    '%s: without a challenge %s, with S256 %s, with plain %s',
    async (pkce, without, s256, plain) => {
      expect(await faultOf(pkce, {})).toBe(without)
      expect(await faultOf(pkce, S256)).toBe(s256)
      expect(await faultOf(pkce, { code_challenge: VERIFIER, code_challenge_method: 'plain' })).toBe(plain)
      expect(await faultOf(pkce, { code_challenge: VERIFIER })).toBe(plain)
    },
  )

  test.each(['x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`])(
    'enforced: %s is not a challenge',
    async (code_challenge) => {
      expect(await faultOf('enforced', { ...S256, code_challenge })).toBe('invalid_request')
    },
  )
})

describe('pkce: the exchange (check 62, U13, RFC 7636 4.6)', () => {
  test.each([
    ['ignored', 200, 200, 200],
    ['enforced', 200, 'invalid_grant', 'invalid_grant'],
    ['required', 200, 'invalid_grant', 'invalid_grant'],
  ] as const)('%s: the right verifier %s, another %s, none %s', async (pkce, right, another, none) => {
    expect(await exchanged(pkce, S256, VERIFIER)).toBe(right)
    expect(await exchanged(pkce, S256, VERIFIER.replace('d', 'e'))).toBe(another)
    expect(await exchanged(pkce, S256)).toBe(none)
  })

  test.each([
    ['ignored', 200],
    ['enforced', 'invalid_grant'],
    ['rejected', 'invalid_request'],
  ] as const)('%s: a verifier without a challenge %s (RFC 9700 4.8.2)', async (pkce, unasked) => {
    expect(await exchanged(pkce, {}, VERIFIER)).toBe(unasked)
    expect(await exchanged(pkce, {})).toBe(200)
  })

  test.each(['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}+`])(
    'enforced: the verifier %s is malformed',
    async (verifier) => {
      expect(await exchanged('enforced', { ...S256, code_challenge: challengeFor(verifier) }, verifier)).toBe(
        'invalid_request',
      )
    },
  )

  test.each([43, 128])('enforced: a verifier of %d characters is valid', async (length) => {
    const verifier = '~'.repeat(length)
    expect(await exchanged('enforced', { ...S256, code_challenge: challengeFor(verifier) }, verifier)).toBe(
      200,
    )
  })

  test('required: a code that was issued before it was required is refused', async () => {
    const { authorize, sandbox } = open()
    const code = await authorize()
    const later = open({ state: sandbox.snapshot(), choices: { pkce: 'required' } })
    expect((await later.exchange(code, { code_verifier: VERIFIER })).body.error).toBe('invalid_grant')
  })
})
