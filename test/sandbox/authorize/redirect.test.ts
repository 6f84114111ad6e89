import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { BASE, CALLBACK, open, seed } from '../../kit/sandbox.ts'

const STATE = 'a-state-of-some-length'
const CODE = expect.stringMatching(/^[\w-]{43}$/)

async function answered(choice: 'permit' | 'deny', choices: Partial<Choices> = {}, basePath = '') {
  const { ask, post } = open({ choices, basePath })
  const { csrfToken, cookie } = await ask()
  const answer = await post('/oauth2/permission', { csrf_token: csrfToken, answer: choice }, cookie)
  const location = answer.headers.get('Location') ?? ''
  const {
    origin = '',
    pathname = '',
    search = '',
    hash = '',
  } = URL.canParse(location) ? new URL(location) : {}
  return {
    status: answer.status,
    headers: answer.headers,
    location,
    address: origin + pathname,
    query: Object.fromEntries(new URLSearchParams(search)),
    fragment: Object.fromEntries(new URLSearchParams(hash.slice(1))),
    html: await answer.text(),
  }
}

describe('redir: the parameters of a redirect with a code (U1, RFC 6749 4.1.2)', () => {
  test.each<[Choices['redir'], Record<string, unknown>]>([
    ['query', { code: CODE, state: STATE }],
    ['code_named_authorization_code', { authorization_code: CODE, state: STATE }],
    ['code_named_auth_code', { auth_code: CODE, state: STATE }],
    ['no_state', { code: CODE }],
    [
      'extra_parameters',
      { code: CODE, state: STATE, iss: BASE, session_state: expect.any(String), organization_id: '1001' },
    ],
  ])('%s', async (redir, query) => {
    const back = await answered('permit', { redir })
    expect([back.address, back.query, back.fragment]).toEqual([CALLBACK, query, {}])
  })

  test('fragment', async () => {
    const back = await answered('permit', { redir: 'fragment' })
    expect([back.address, back.query, back.fragment]).toEqual([CALLBACK, {}, { code: CODE, state: STATE }])
  })
})

describe('deny: the answer when the person does not permit (U2, RFC 6749 4.1.2.1)', () => {
  const expected = { error: 'access_denied', error_description: expect.any(String) }
  test.each<[Choices['deny'], Record<string, unknown>]>([
    ['redirect_access_denied', { ...expected, state: STATE }],
    ['redirect_no_state', expected],
    ['redirect_other_error', { ...expected, error: 'user_cancelled_authorize', state: STATE }],
    ['redirect_bare', {}],
  ])('%s', async (deny, query) => {
    const back = await answered('deny', { deny })
    expect([back.status, back.address, back.query]).toEqual([302, CALLBACK, query])
  })

  test('page: a page without a way back', async () => {
    const back = await answered('deny', { deny: 'page' })
    expect([back.status, back.location, back.html.includes(CALLBACK)]).toEqual([200, '', false])
    expect(back.html).toContain('Access denied')
  })

  test('service_home: the start page, under any path', async () => {
    const { location } = await answered('deny', { deny: 'service_home' }, '/a/b')
    expect(new URL(location, `${BASE}/a/b/oauth2/permission`).href).toBe(`${BASE}/a/b/`)
  })
})

test.each([
  ['query', undefined],
  ['iss_right', `${BASE}/a/b`],
  ['iss_wrong', 'https://issuer.example'],
] as const)(
  'with %s, a code and an error come back with the issuer %s (check 63, U14, RFC 9207 2)',
  async (redir, expected) => {
    for (const choice of ['permit', 'deny'] as const)
      expect((await answered(choice, { redir }, '/a/b')).query['iss']).toBe(expected)
  },
)

test.each(['', '/', '?a=b', '.example', '#', '\r\nX: y'])(
  'only the registered redirect URI is taken, or none: %j behind it (U5, U6, RFC 6749 3.1.2.3)',
  async (more) => {
    const { send, authorizePath } = open()
    const { status } = await send(authorizePath({ redirect_uri: CALLBACK + more }))
    expect(status).toBe(more === '' ? 200 : 400)
    expect((await send(authorizePath({ redirect_uri: undefined }))).status).toBe(200)
  },
)

test.each([
  ['https://app.example/%20a', 'https://app.example/%20a?code='],
  ['https://app.example/日本%20', 'https://app.example/%E6%97%A5%E6%9C%AC%20?code='],
])('a redirect to %s is encoded once, by a header and by a page (S36, 5.3)', async (redirect_uri, start) => {
  const known = seed()
  const applications = known.applications.map((one) => ({ ...one, redirect_uri }))
  const { answer, ask, post, sandbox } = open({ seed: { ...known, applications } })
  expect((await answer('permit', { redirect_uri })).startsWith(start)).toBe(true)
  sandbox.control.changeChoices({ redirstatus: 'page_200' })
  const { csrfToken, cookie } = await ask({ redirect_uri })
  const page = await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)
  expect([page.status, page.headers.get('Refresh')?.startsWith(`0;url=${start}`)]).toEqual([200, true])
})

describe('redirstatus: the answer that redirects the browser (check 34, U15, RFC 9700 4.12)', () => {
  test.each([
    ['status_302', 302],
    ['status_303', 303],
    ['status_307', 307],
  ] as const)('%s', async (redirstatus, status) => {
    for (const choice of ['permit', 'deny'] as const) {
      const back = await answered(choice, { redirstatus })
      expect([back.status, back.address]).toEqual([status, CALLBACK])
    }
  })

  test('page_200: a page that redirects by itself, and has a link', async () => {
    const back = await answered('permit', { redirstatus: 'page_200' })
    const [, address = ''] = /^0;url=(.*)$/.exec(back.headers.get('Refresh') ?? '') ?? []
    expect([back.status, back.location]).toEqual([200, ''])
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({ code: CODE, state: STATE })
    expect(back.html).toContain(`href="${address.replaceAll('&', '&amp;')}"`)
  })
})
