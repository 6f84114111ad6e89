import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { CALLBACK, CLIENT } from '../../kit/sandbox.ts'
import { each, inOrder, OTHER, start } from '../_start.ts'

const INVALID_GRANT = '400 invalid_grant'

test.each(['bogus', 'constructor', '__proto__'])(
  'an unknown code such as %s is refused (S58, check 26, RFC 6749 5.2)',
  async (code) => expect(await start().exchangeOf(code)).toBe(INVALID_GRANT),
)

test('a code sent again, also hours later, ends all its tokens (S58, check 14, check 15, RFC 6749 4.1.2)', async () => {
  for (const seconds of [0, 7200]) {
    const { exchange, exchangeOf, authorize, refresh, refreshOf, readWith, later } = start()
    const code = await authorize()
    const first = (await exchange(code)).body
    later(seconds)
    const second = (await refresh(first.refresh_token)).body
    expect(await readWith(second.access_token)).toBe(200)
    expect(await exchangeOf(code)).toBe(INVALID_GRANT)
    expect([await readWith(first.access_token), await readWith(second.access_token)]).toEqual([401, 401])
    expect(await refreshOf(second.refresh_token)).toBe(INVALID_GRANT)
  }
})

test('two sign-ins of one person are two grants that end separately (5.3)', async () => {
  const { authorize, exchange, refreshOf, tokens } = start()
  const code = await authorize()
  const [one, other] = [(await exchange(code)).body, await tokens()]
  await exchange(code)
  expect([await refreshOf(one.refresh_token), await refreshOf(other.refresh_token)]).toEqual([
    INVALID_GRANT,
    200,
  ])
})

test('one of twenty requests at once with one code or token succeeds (check 50, check 51, RFC 6749 4.1.2)', async () => {
  const { exchange, refresh, authorize, tokens } = start()
  const [code, { refresh_token }] = [await authorize(), await tokens()]
  for (const send of [() => exchange(code), () => refresh(refresh_token)]) {
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 400)])
  }
})

each('codelife', { seconds_600: 600, seconds_60: 60, seconds_30: 30 })(
  'a code is valid until so many seconds have passed (check 36, U11, 5.5)',
  async ({ authorize, exchangeOf, later }, value) => {
    const seconds = Number(value.split('_')[1])
    const [early, late] = [await authorize(), await authorize()]
    later(seconds, -1)
    expect(await exchangeOf(early)).toBe(200)
    later(0, 1)
    expect(await exchangeOf(late)).toBe(INVALID_GRANT)
    return seconds
  },
)

each('codereplay', {
  refused_and_revoked: [INVALID_GRANT, INVALID_GRANT, INVALID_GRANT],
  refused: [INVALID_GRANT, 200, INVALID_GRANT],
  accepted_10_seconds: [200, 200, INVALID_GRANT],
})(
  'a second exchange, a refresh, and ten seconds after the first (U12)',
  async ({ authorize, exchange, exchangeOf, refreshOf, later }) => {
    const code = await authorize()
    const { body } = await exchange(code)
    later(5)
    expect(await exchangeOf(code, { redirect_uri: 'https://x.example' })).toBe(INVALID_GRANT)
    later(5, -1)
    const seen = [await exchangeOf(code), await refreshOf(body.refresh_token)]
    later(0, 1)
    return [...seen, await exchangeOf(code)]
  },
)

test.each([
  ['no redirect_uri', { redirect_uri: undefined }],
  ['an empty redirect_uri', { redirect_uri: '' }],
  ['another redirect_uri', { redirect_uri: `${CALLBACK}/` }],
  ['another application', OTHER],
])('with %s a code is refused, and stays valid (S61, check 16, check 17)', async (_, changes) => {
  const { exchangeOf, authorize } = start()
  const code = await authorize()
  expect([await exchangeOf(code, changes), await exchangeOf(code)]).toEqual([INVALID_GRANT, 200])
})

test('if the first request has no redirect_uri, only the registered one is taken (U5, RFC 6749 4.1.3)', async () => {
  const { exchangeOf, authorize } = start()
  const seen = await inOrder([undefined, CALLBACK, `${CALLBACK}/`], async (redirect_uri) =>
    exchangeOf(await authorize({ redirect_uri: undefined }), { redirect_uri }),
  )
  expect(seen).toEqual([200, 200, INVALID_GRANT])
})

test('with consent remembered, the request also decides if redirect_uri is required (U9, RFC 6749 4.1.3)', async () => {
  const { exchangeOf, tokens, visit } = start({ choices: { consent: 'remembered' } })
  await tokens()
  const seen = await inOrder([undefined, CALLBACK], async (redirect_uri) => {
    const { back } = await visit({ redirect_uri })
    return exchangeOf(back?.get('code') ?? '', { redirect_uri: undefined })
  })
  expect(seen).toEqual([200, INVALID_GRANT])
})

const CHARACTERS = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/
const RANDOM = /^[\w-]{43}$/
const FIELDS = {
  access_token: expect.stringMatching(RANDOM),
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: expect.stringMatching(RANDOM),
}
const EXTRA = { ...FIELDS, created_at: 0, account: { id: 1 }, hint: null }
const without = (name: keyof typeof FIELDS) =>
  Object.fromEntries(Object.entries(FIELDS).filter(([known]) => known !== name))

// S10, S11, S12, S37, check 27, check 40 too
test('both grants answer these members, and no value twice (S8, S9, S63, S72, check 12)', async () => {
  const { authorize, exchange, refresh } = start()
  const issued: unknown[] = []
  for (let nth = 0; nth < 20; nth += 1) {
    const code = await authorize()
    expect(code).toMatch(RANDOM)
    const first = await exchange(code)
    for (const { status, headers, body } of [first, await refresh(first.body.refresh_token)]) {
      expect([status, headers.get('Content-Type'), body]).toEqual([200, 'application/json', FIELDS])
      issued.push(body.access_token, body.refresh_token)
    }
    issued.push(code)
  }
  expect(new Set(issued).size).toBe(100)
})

test('neither tokens nor errors are to be cached, and all are JSON (check 13, check 22, RFC 6749 5.1, 5.2)', async () => {
  const { exchange, authorize, refresh } = start()
  for (const { headers } of [
    await exchange(await authorize()),
    await exchange('bogus'),
    await refresh('bogus', { client_secret: 'wrong' }),
  ]) {
    expect([headers.get('Cache-Control'), headers.get('Pragma')]).toEqual(['no-store', 'no-cache'])
    expect(headers.get('Content-Type')).toMatch(/^application\/json/)
  }
})

test('error words and sentences have only allowed characters (check 41, RFC 6749 5.2)', async () => {
  const evil = '"\\é\r\n<script>'
  const { token, exchange, refresh } = start()
  for (const { body } of [
    await exchange(evil),
    await refresh(evil),
    await exchange('any', { client_id: evil }),
    await exchange('any', { grant_type: evil }),
    await exchange('any', { redirect_uri: evil }),
    await token(`a=b&code=x&code=${encodeURIComponent(evil)}`),
  ]) {
    expect(Object.keys(body)).toEqual(['error', 'error_description'])
    for (const text of Object.values(body)) expect(text).toMatch(CHARACTERS)
  }
})

/** Exchanges a new code, except for what is changed. */
const answered = async ({ post, authorize }: ReturnType<typeof start>, changes = {}) =>
  post('/oauth2/token', {
    grant_type: 'authorization_code',
    code: await authorize(),
    redirect_uri: CALLBACK,
    ...CLIENT,
    ...changes,
  })

each(
  'tokstatus',
  {
    json_200: [200, 'application/json', EXTRA],
    json_201: [201, 'application/json', EXTRA],
    html_200: [200, 'text/html; charset=UTF-8', EXTRA],
    form_200: [
      200,
      'application/x-www-form-urlencoded',
      { ...FIELDS, expires_in: '3600', created_at: '0', account: '{"id":1}', hint: 'null' },
    ],
  },
  { choices: { tokenfields: 'extra_fields' } },
)('status, type and fields of the answer (U20, RFC 6749 5.1)', async (there, value) => {
  const answer = await answered(there)
  const text = await answer.text()
  const body = value === 'form_200' ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)
  return [answer.status, answer.headers.get('Content-Type'), body]
})

each('tokenfields', {
  as_documented: [FIELDS, FIELDS, 400],
  expires_in_string: [{ ...FIELDS, expires_in: '3600' }, { ...FIELDS, expires_in: '3600' }, 400],
  token_type_lowercase: [{ ...FIELDS, token_type: 'bearer' }, { ...FIELDS, token_type: 'bearer' }, 400],
  expires_in_missing: [without('expires_in'), without('expires_in'), 400],
  extra_fields: [EXTRA, EXTRA, 400],
  refresh_token_missing_on_refresh: [FIELDS, without('refresh_token'), 200],
})('the fields of an exchange and a refresh, and the old token (U21, 2.1)', async ({ tokens, refresh }) => {
  const first = await tokens()
  const second = await refresh(first.refresh_token)
  await refresh(first.refresh_token)
  return [first, second.body, (await refresh(first.refresh_token)).status]
})

const ERROR = { error: 'invalid_grant', error_description: expect.stringMatching(CHARACTERS) }
each('tokerr', {
  json_400: [400, 401, ERROR],
  json_401: [401, 401, ERROR],
  json_200: [200, 200, ERROR],
  message: [400, 401, { message: expect.any(String) }],
  errors_list: [400, 401, { errors: [{ code: 'invalid_grant', message: expect.any(String) }] }],
  html_or_empty: [400, 401, expect.stringContaining('<h1>')],
})('the answers to a bogus code and to a wrong secret (U22, RFC 6749 5.2)', async (there, value) => {
  const answers = [
    await answered(there, { code: 'bogus' }),
    await answered(there, { client_secret: 'wrong' }),
  ]
  for (const { status, headers } of answers) expect(headers.has('WWW-Authenticate')).toBe(status === 401)
  const [body = '', other] = await Promise.all(answers.map((answer) => answer.text()))
  const isPage = value === 'html_or_empty'
  expect(answers[0]?.headers.get('Content-Type')).toMatch(isPage ? /^text\/html; charset=UTF-8$/ : /json$/)
  expect(other === '').toBe(isPage)
  return [...answers.map(({ status }) => status), isPage ? body : JSON.parse(body)]
})

each('scope', { none: undefined, in_token_response: 'read write', read_only: 'read' })(
  'the field scope (U48, RFC 6749 5.1)',
  async ({ tokens }) => (await tokens())['scope'],
)

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const s256 = (verifier: string) => ({
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
})
const S256 = s256(VERIFIER)

const ANOTHER = VERIFIER.replace('d', 'e')
const REFUSED = 'invalid_request'
each('pkce', {
  ignored: [200, 200, 200, 200, [200, 200, 200], [200, 200]],
  enforced: [200, 200, REFUSED, REFUSED, [200, INVALID_GRANT, INVALID_GRANT], [INVALID_GRANT, 200]],
  rejected: [200, REFUSED, REFUSED, REFUSED, [], [`400 ${REFUSED}`, 200]],
  required: [REFUSED, 200, REFUSED, REFUSED, [200, INVALID_GRANT, INVALID_GRANT], []],
})(
  'no challenge, S256, plain, no method; verifiers with S256 and without (check 62, U13, RFC 7636)',
  async ({ asked, authorize, exchangeOf }) => {
    const plain = { code_challenge: VERIFIER, code_challenge_method: 'plain' }
    const requests = [{}, S256, plain, { code_challenge: VERIFIER }]
    const seen = await inOrder(requests, (changes) => asked(changes))
    /** Nothing if the request was refused. */
    const exchanged = (nth: number, verifiers: (string | undefined)[]) =>
      inOrder(seen[nth] === 200 ? verifiers : [], async (code_verifier) =>
        exchangeOf(await authorize(requests[nth]), { code_verifier }),
      )
    return [
      ...seen,
      await exchanged(1, [VERIFIER, ANOTHER, undefined]),
      await exchanged(0, [VERIFIER, undefined]),
    ]
  },
)

test('pkce enforced: challenges have 43 characters, verifiers 43 to 128 (U13, RFC 7636 4.1, 4.2)', async () => {
  const { asked, authorize, exchangeOf } = start({ choices: { pkce: 'enforced' } })
  for (const code_challenge of ['x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`])
    expect(await asked({ ...S256, code_challenge })).toBe('invalid_request')
  const lengths = ['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}+`, '~'.repeat(43), '~'.repeat(128)]
  const seen = await inOrder(lengths, async (verifier) =>
    exchangeOf(await authorize(s256(verifier)), { code_verifier: verifier }),
  )
  const refused = `400 ${REFUSED}`
  expect(seen).toEqual([refused, refused, refused, 200, 200])
})

test('pkce required: a code that was issued before it was required is refused (U13)', async () => {
  const { authorize, sandbox } = start()
  const code = await authorize()
  const later = start({ state: sandbox.snapshot(), choices: { pkce: 'required' } })
  expect(await later.exchangeOf(code, { code_verifier: VERIFIER })).toBe(INVALID_GRANT)
})
