import { describe, expect, test } from 'vitest'
import { findRedirectUri } from '../../../src/sandbox/authorize/redirect-match.ts'
import { type Choices, DEFAULT_CHOICES } from '../../../src/sandbox/choices/choices.ts'
import { BASE, CALLBACK, open, query, seed } from '../../kit/sandbox.ts'

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

describe('iss: the issuer on the redirect, with a code and with an error (check 63, U14, RFC 9207 2)', () => {
  test.each([
    ['absent', undefined],
    ['right', `${BASE}/a/b`],
    ['wrong', 'https://issuer.example'],
  ] as const)('%s: %s', async (iss, expected) => {
    for (const choice of ['permit', 'deny'] as const)
      expect((await answered(choice, { iss }, '/a/b')).query['iss']).toBe(expected)
    const { send, signIn, authorizePath } = open({ choices: { iss }, basePath: '/a/b' })
    const refused = await send(authorizePath({ response_type: 'token' }), { headers: await signIn() })
    expect(new URL(refused.headers.get('Location') ?? '').searchParams.get('iss')).toBe(expected ?? null)
  })

  test('wrong also applies beside the extra parameters', async () => {
    const { query } = await answered('permit', { iss: 'wrong', redir: 'extra_parameters' })
    expect(query['iss']).toBe('https://issuer.example')
  })
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

const application = seed().applications[0]!
const find = (redirect_uri: string | undefined, choices: Partial<Choices> = {}, known = application) =>
  findRedirectUri(known, new URLSearchParams(query({ redirect_uri })), { ...DEFAULT_CHOICES, ...choices })

describe('redirmatch: the comparison of redirect URIs (U6, RFC 6749 3.1.2.3)', () => {
  test.each<[Choices['redirmatch'], string[], string[]]>([
    ['exact', [''], ['?a=b', '/', '/more', '.example']],
    ['ignores_query', ['', '?a=b', '?'], ['/', '/more', '/?a=b']],
    ['prefix', ['', '?a=b', '/', '/more', '.example'], []],
    ['ignores_trailing_slash', ['', '/'], ['?a=b', '//', '/more']],
  ])('%s takes %j and not %j behind it', (redirmatch, taken, refused) => {
    for (const more of taken) expect(find(CALLBACK + more, { redirmatch })).toBe(CALLBACK + more)
    for (const more of refused) expect(find(CALLBACK + more, { redirmatch })).toBeUndefined()
  })

  test('every comparison refuses another host and a fragment', () => {
    for (const redirmatch of ['exact', 'ignores_query', 'prefix', 'ignores_trailing_slash'] as const)
      for (const uri of [
        'http://localhost:3001/callback',
        `${CALLBACK}#`,
        'javascript:alert(1)',
        'x',
        `${CALLBACK}\r\nX: y`,
      ])
        expect(find(uri, { redirmatch })).toBeUndefined()
  })

  test('the redirect goes to the URI that was sent, and the exchange must name it', async () => {
    const { answer, exchange } = open({ choices: { redirmatch: 'ignores_query' } })
    const redirect_uri = `${CALLBACK}?a=b`
    const back = await answer('permit', { redirect_uri })
    expect(back.startsWith(`${redirect_uri}&code=`)).toBe(true)
    const code = new URL(back).searchParams.get('code') ?? ''
    expect((await exchange(code)).body.error).toBe('invalid_grant')
    expect((await exchange(code, { redirect_uri })).status).toBe(200)
  })
})

describe('redirmissing (U5, RFC 6749 3.1.2.3)', () => {
  test.each([
    ['registered', 200],
    ['error_page', 400],
  ] as const)('%s: without a redirect URI the page answers %d', async (redirmissing, status) => {
    const { send, authorizePath } = open({ choices: { redirmissing } })
    expect((await send(authorizePath({ redirect_uri: undefined }))).status).toBe(status)
    expect((await send(authorizePath({ redirect_uri: '' }))).status).toBe(status)
    expect((await send(authorizePath())).status).toBe(200)
  })

  test('a request must name one if several are registered', () => {
    const known = { ...application, more_redirect_uris: ['https://b.example/cb'] }
    expect(find(undefined, {}, known)).toBeUndefined()
    expect(find('https://b.example/cb', {}, known)).toBe('https://b.example/cb')
    expect(find(CALLBACK, {}, known)).toBe(CALLBACK)
  })
})
