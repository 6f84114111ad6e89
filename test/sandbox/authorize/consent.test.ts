import { expect, test } from 'vitest'
import { METADATA_PATH } from '../../../src/sandbox/authorize/redirect.tsx'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { BASE, CALLBACK, seed } from '../../kit/sandbox.ts'
import { each, type Start, start } from '../_start.ts'

const STATE = 'a-state-of-some-length'
const CODE = expect.stringMatching(/^[\w-]{43}$/)

// S55, S57 too
test('the page names application, organization, plan, person and address (S34, check 46, 4.1, 5.3)', async () => {
  const [application] = seed().applications
  const { page } = await start().ask({ organization_id: '2002' }, 'cleo')
  for (const text of ['Meridian Shipping', 'business', 'Cleo Marchetti', CALLBACK])
    expect(page).toContain(text)
  for (const text of [`<dd>${application?.name}</dd>`, `<p>${application?.description}</p>`])
    expect(page).toContain(text)
})

test.each<[string, sent: Record<string, string>, headers: Record<string, string>, refused: string]>([
  ['no csrf token', { csrf_token: '' }, {}, '400 stale_form'],
  ['a made-up csrf token', { csrf_token: 'constructor' }, {}, '400 stale_form'],
  ['no sign-in', {}, { Cookie: '' }, '400 stale_form'],
  ['a made-up sign-in', {}, { Cookie: 'sandbox_person_4000=guess' }, '400 stale_form'],
  ['the sign-in of another person', {}, { Cookie: 'ben' }, '400 stale_form'],
  ['no answer', { answer: '' }, {}, '400 invalid_request'],
  ['neither Permit nor Deny', { answer: 'maybe' }, {}, '400 invalid_request'],
  ['two answers', { answer: 'permit&answer=deny' }, {}, '400 invalid_request'],
  ['more than 16 kB', { x: 'x'.repeat(16 * 1024) }, {}, '413 too_large'],
  ['another media type', {}, { 'Content-Type': 'application/json' }, '415 unsupported_media_type'],
  ['Sec-Fetch-Site of another site', {}, { 'Sec-Fetch-Site': 'cross-site' }, '403 forged_request'],
  ['Sec-Fetch-Site of another origin', {}, { 'Sec-Fetch-Site': 'same-site' }, '403 forged_request'],
  ['Sec-Fetch-Site of no page', {}, { 'Sec-Fetch-Site': 'none' }, '403 forged_request'],
])(
  'with %s nothing is permitted, and the page stays open (S34, check 46)',
  async (_, sent, headers, refused) => {
    const { question, post, signIn, sandbox } = start()
    const { cookie, csrfToken, decide } = await question()
    const fields = Object.entries({ csrf_token: csrfToken, answer: 'permit', ...sent })
    const other = headers['Cookie'] === 'ben' ? await signIn('ben') : headers
    const body = fields.map((field) => field.join('=')).join('&')
    const answer = await post('/oauth2/permission', body, { ...cookie, ...other })
    const [, code] = /<code>(\w+)<\/code>/.exec(await answer.text()) ?? []
    expect(`${answer.status} ${code}`).toBe(refused)
    expect(sandbox.snapshot().codes).toEqual({})
    expect((await decide('permit', { ...cookie, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(302)
  },
)

test('a page that was answered cannot be answered again (S34, check 46, RFC 6749 10.12)', async () => {
  for (const choice of ['permit', 'deny']) {
    const { question, sandbox } = start()
    const { decide } = await question()
    await decide(choice)
    const records = () => {
      const { codes, grants, pending } = sandbox.snapshot()
      return { codes, grants, pending }
    }
    const before = records()
    const again = await decide('permit')
    expect([again.status, again.headers.get('Location')]).toEqual([400, null])
    expect(records()).toEqual(before)
  }
})

test('a consent page can be answered for ten minutes, and is deleted after that (S34)', async () => {
  const { question, later, ask, sandbox } = start()
  const first = await question()
  later(600, -1)
  const second = await question()
  later(0, 1)
  expect((await first.decide('permit')).status).toBe(400)
  expect((await second.decide('deny')).status).toBe(302)
  later(600)
  for (let nth = 0; nth < 3; nth += 1) await ask()
  expect(Object.keys(sandbox.snapshot().pending)).toHaveLength(3)
})

test('only the form issues a code, and not a GET or a page that is looked at (S34, RFC 6749 10.2)', async () => {
  const { question, send, sandbox } = start()
  const { csrfToken, cookie } = await question()
  for (const path of ['/oauth2/permission', '/oauth2/login']) {
    const answer = await send(`${path}?csrf_token=${csrfToken}&answer=permit`, { headers: cookie })
    expect(answer.headers.get('Location')).toBeNull()
  }
  expect(sandbox.snapshot().codes).toEqual({})
})

/** Answers the page. @returns the status, the address, and the parameters in its query and its fragment */
async function answered({ question }: Start, choice: 'permit' | 'deny') {
  const answer = await (await question()).decide(choice)
  const to = answer.headers.get('Location') ?? ''
  const [address, query = '', fragment = ''] = to.split(/[?#]/)
  const parameters = Object.fromEntries(new URLSearchParams(query || fragment))
  return {
    status: answer.status,
    headers: answer.headers,
    address,
    parameters,
    to,
    html: await answer.text(),
  }
}

const CODE_AND_STATE = { code: CODE, state: STATE }
const [ISSUER, OTHER_ISSUER] = [`${BASE}/a/b`, 'https://issuer.example']
const EXTRA = { iss: ISSUER, session_state: expect.any(String), organization_id: '1001' }
// check 7, check 34 too
each(
  'redir',
  {
    query: ['?', CODE_AND_STATE, undefined],
    code_named_authorization_code: ['?', { authorization_code: CODE, state: STATE }, undefined],
    code_named_auth_code: ['?', { auth_code: CODE, state: STATE }, undefined],
    no_state: ['?', { code: CODE }, undefined],
    fragment: ['#', CODE_AND_STATE, undefined],
    extra_parameters: ['?', { ...CODE_AND_STATE, ...EXTRA }, undefined],
    iss_right: ['?', { ...CODE_AND_STATE, iss: ISSUER }, ISSUER],
    iss_wrong: ['?', { ...CODE_AND_STATE, iss: OTHER_ISSUER }, OTHER_ISSUER],
  },
  { basePath: '/a/b' },
)('Permit redirects with these alone, Deny with the issuer (S35, S36, U1, U14, check 63)', async (there) => {
  const { address, to, parameters } = await answered(there, 'permit')
  const denied = await answered(there, 'deny')
  expect([address, denied.address]).toEqual([CALLBACK, CALLBACK])
  return [to.charAt(CALLBACK.length), parameters, denied.parameters['iss']]
})

const DENIED = { error: 'access_denied', error_description: expect.any(String) }
each('deny', {
  redirect_access_denied: [302, CALLBACK, { ...DENIED, state: STATE }],
  redirect_no_state: [302, CALLBACK, DENIED],
  redirect_other_error: [302, CALLBACK, { ...DENIED, error: 'user_cancelled_authorize', state: STATE }],
  redirect_bare: [302, CALLBACK, {}],
  page: [200, '', {}],
  service_home: [302, '../', {}],
})('Deny is answered, and issues no code (check 9, U2, 4.1, RFC 6749 4.1.2.1)', async (there, value) => {
  const { status, address, parameters, html } = await answered(there, 'deny')
  expect(there.sandbox.snapshot().codes).toEqual({})
  expect([html.includes('Access denied'), html.includes(CALLBACK)]).toEqual([value === 'page', false])
  return [status, address, parameters]
})

each('redirstatus', {
  status_302: [302, 302],
  status_303: [303, 303],
  status_307: [307, 307],
  page_200: [200, 200],
})('the answers that send the browser back (check 34, U15)', async (there, value) => {
  const statuses: number[] = []
  for (const choice of ['permit', 'deny'] as const) {
    const { status, headers, to, html } = await answered(there, choice)
    const target = /^0;url=(.*)$/.exec(headers.get('Refresh') ?? '')?.[1] ?? to
    expect([to === '', target.startsWith(`${CALLBACK}?`)]).toEqual([value === 'page_200', true])
    if (value === 'page_200') expect(html).toContain(`href="${target.replaceAll('&', '&amp;')}"`)
    const { searchParams } = new URL(target)
    if (choice === 'permit') expect(Object.fromEntries(searchParams)).toEqual(CODE_AND_STATE)
    statuses.push(status)
  }
  return statuses
})

const ENDPOINTS = { authorization_endpoint: `${BASE}/oauth2/login`, token_endpoint: `${BASE}/oauth2/token` }
const METADATA = {
  ...ENDPOINTS,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
}
const metadata = async ({ sandbox }: Start, path = METADATA_PATH) => {
  const answer = await sandbox.fetch(new Request(BASE + path))
  return [answer.status, answer.status === 200 && (await answer.json())]
}

each('metadata', {
  none: [404, false],
  rfc_8414: [200, { ...METADATA, issuer: BASE }],
  wrong_issuer: [200, { ...METADATA, issuer: 'https://issuer.example' }],
})('the metadata document, if there is one (check 64, U34, RFC 8414 3, 3.3)', (there) => metadata(there))

test('the base path follows the well-known path, and the document is nowhere else (check 64, RFC 8414 3.1)', async () => {
  const there = start({ choices: { metadata: 'rfc_8414' }, basePath: '/a/b' })
  const [issuer, path] = [`${BASE}/a/b`, METADATA_PATH]
  const expected = expect.objectContaining({ issuer, token_endpoint: `${issuer}/oauth2/token` })
  expect(await metadata(there, `${path}/a/b`)).toEqual([200, expected])
  for (const other of [path, `/a/b${path}`, `${path}/a`, `${path}/a/b/c`])
    expect(await metadata(there, other)).toEqual([404, false])
  const { status, headers } = await there.sandbox.fetch(
    new Request(`${BASE}${METADATA_PATH}/a/b`, { method: 'POST' }),
  )
  expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  expect(await metadata(start({ basePath: '/a/b' }), `${path}/a/b`)).toEqual([404, false])
})

test.each<[Partial<Choices>, Record<string, unknown>]>([
  [{ redir: 'fragment' }, { response_modes_supported: ['fragment'] }],
  [{ clientauth: 'body_only' }, { token_endpoint_auth_methods_supported: ['client_secret_post'] }],
  [{ clientauth: 'basic_only' }, { token_endpoint_auth_methods_supported: ['client_secret_basic'] }],
  [{ pkce: 'enforced' }, { code_challenge_methods_supported: ['S256'] }],
  [{ pkce: 'required' }, { code_challenge_methods_supported: ['S256'] }],
  [{ redir: 'iss_right' }, { authorization_response_iss_parameter_supported: true }],
  [{ revocation: 'rfc_7009' }, { revocation_endpoint: `${BASE}/oauth2/revoke` }],
])('with %j the metadata have %j (check 63, RFC 8414 2)', async (choices, members) => {
  const [, document] = await metadata(start({ choices: { metadata: 'rfc_8414', ...choices } }))
  expect(document).toMatchObject(members)
})
