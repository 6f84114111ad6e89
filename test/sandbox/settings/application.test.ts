import { expect, test } from 'vitest'
import { CLIENT, seed } from '../../kit/sandbox.ts'
import { APPLICATION, atSettings, HOSTILE, issued, records } from '../_settings.ts'

test('the application setting has the list and the action "add application" (S47, 5.2)', async () => {
  const { read, at } = await atSettings()
  const { status, text } = await read('applications')
  expect(status).toBe(200)
  expect(text).toContain('<h1>Application setting</h1>')
  expect(text).toMatch(
    /<a [^>]*href="[^"]*settings\/applications\/add\?organization_id=2002"[^>]*>.*?add application/,
  )
  expect(text).toContain('Plimsoll')
  expect((await read('')).text).toContain(`href=".${at('applications')}"`)
})

test('a registered application shows its Client Id and Client Secret (S49, 5.2)', async () => {
  const { fill, read, applications } = await atSettings()
  expect((await fill('applications/add', APPLICATION)).to).toContain('settings/applications?')
  const { client_id = '', client_secret = '' } = applications()[1] ?? {}
  const { text } = await read('applications')
  expect(text.slice(text.indexOf('Tide table'))).toMatch(
    new RegExp(`Client Id</dt>.*${client_id}.*Client Secret</dt>.*${client_secret}`, 's'),
  )
})

test('http on this machine has a warning in the list, https has none (check 39, RFC 9700 2.6)', async () => {
  const { read, fill, handles } = await atSettings()
  const warning = 'the code is sent unencrypted'
  expect((await read('applications')).text).toContain(warning)
  await fill((await handles('applications'))[0] ?? '', { action: 'save', ...APPLICATION })
  expect((await read('applications')).text).not.toContain(warning)
})

test('an organization without applications and keys can neither sign in nor read (S40, 5)', async () => {
  const known = { ...seed(), applications: [], api_keys: [] }
  const { read, send, headers, authorizePath, token, state } = await atSettings({ seed: known })
  expect((await read('applications')).text).toContain('No application is registered yet.')
  expect((await read('api-keys')).text).toContain('No API key is issued yet.')
  expect((await send(authorizePath({ organization_id: '2002' }), { headers })).status).toBe(400)
  const grant = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'plimsoll', client_secret: 'x' }
  expect((await token(grant)).status).toBe(401)
  for (const sent of [{}, { 'X-Service-Api-Key': 'x' }, { Authorization: 'Bearer x' }])
    expect((await send('/organizations', { headers: sent })).status).toBe(401)
  expect(state()).toMatchObject({ applications: [], api_keys: [], access_tokens: {} })
})

test('only administrators may open the screens and send their forms (S50, 5.2)', async () => {
  const there = await atSettings({ seed: issued(seed(), 1001, { applications: 1 }) }, 'ben')
  const before = records(there.state())
  const ada = await atSettings({ state: there.state() }, 'ada')
  const [address = ''] = await ada.handles('applications')
  for (const path of ['applications', 'applications/add', address]) {
    const { status, text } = await there.read(path)
    expect([status, text]).toEqual([403, expect.stringContaining('Ada Lindqvist')])
    expect(text).not.toMatch(/client-1|secret-1|add application/i)
  }
  for (const [path, fields] of [
    ['applications/add', APPLICATION],
    [address, { action: 'save', ...APPLICATION }],
    [address, { action: 'delete' }],
  ] as const)
    expect((await there.fill(path, fields)).status).toBe(403)
  expect(records(there.state())).toEqual(before)
})

test('Client Id and Client Secret are random and cannot be guessed (S25, check 40, RFC 6749 10.10)', async () => {
  const { fill, applications } = await atSettings()
  for (let nth = 0; nth < 9; nth += 1) await fill('applications/add', APPLICATION)
  const drawn = applications().slice(1)
  expect(new Set(drawn.map(({ client_id }) => client_id)).size).toBe(9)
  expect(new Set(drawn.map(({ client_secret }) => client_secret)).size).toBe(9)
  // The value has 43 characters of 6 bits.
  expect(drawn.every(({ client_secret }) => /^[\w-]{43}$/.test(client_secret))).toBe(true)
  expect(drawn.every(({ client_id }) => /^[\w-]{20}$/.test(client_id))).toBe(true)
})

test.each([
  ['a name and a redirect URI', {}, {}],
  ['a description too', { description: 'Of the pier' }, { description: 'Of the pier' }],
])('an application is registered with %s, in the organization (S24, S48, 5.2)', async (_, fields, saved) => {
  const { fill, applications } = await atSettings()
  expect((await fill('applications/add', { ...APPLICATION, ...fields })).status).toBe(303)
  expect(applications()[1]).toEqual({
    client_id: expect.any(String),
    client_secret: expect.any(String),
    name: 'Tide table',
    redirect_uri: 'https://tide.example/callback',
    organization_id: 2002,
    ...saved,
  })
})

test('a new application can ask for consent, and its redirect URI have a query (check 38, RFC 6749 3.1.2)', async () => {
  const { fill, applications, answer, exchange } = await atSettings()
  const redirect_uri = 'https://tide.example/callback?from=a%20b&x='
  await fill('applications/add', { ...APPLICATION, redirect_uri })
  const { client_id, client_secret } = applications()[1] ?? {}
  const back = await answer('permit', { client_id, redirect_uri, organization_id: '2002' }, 'cleo')
  expect(back).toMatch(/^https:\/\/tide\.example\/callback\?from=a%20b&x=&code=/)
  const code = new URL(back).searchParams.get('code') ?? ''
  expect((await exchange(code, { client_id, client_secret, redirect_uri })).status).toBe(200)
})

test.each([
  ['without a name', { name: undefined }, 'Enter the application name.'],
  ['with a blank name', { name: '  ' }, 'Enter the application name.'],
  ['without a redirect URI', { redirect_uri: undefined }, 'Enter the redirect URI.'],
  ['with a relative redirect URI', { redirect_uri: '/callback' }, 'has to be a whole address'],
  ['with a fragment', { redirect_uri: 'https://a.example/#x' }, 'must not have a fragment'],
  ['with http elsewhere', { redirect_uri: 'http://a.example/' }, 'is for this machine only'],
  ['without the agreement', { agreement: undefined }, 'Tick that you agree'],
  ['with another agreement', { agreement: 'no' }, 'Tick that you agree'],
])(
  'an application is not registered %s (S22, S23, S26, S48, check 38, check 39, 5.2)',
  async (_, fields, message) => {
    const { fill, state } = await atSettings()
    const before = records(state())
    const { status, text } = await fill('applications/add', { ...APPLICATION, ...fields })
    expect([status, records(state())]).toEqual([422, before])
    expect(text).toContain(message)
  },
)

test('each of several redirect URIs can be used, if chosen (U17, 5.2)', async () => {
  const { fill, read, applications, answer } = await atSettings({ choices: { redircount: 'several' } })
  const uris = ['https://tide.example/one', 'https://tide.example/two']
  expect((await read('applications/add')).text).toContain('<textarea')
  expect((await fill('applications/add', { ...APPLICATION, redirect_uri: uris.join('\r\n') })).status).toBe(
    303,
  )
  const { client_id } = applications()[1] ?? {}
  for (const redirect_uri of uris)
    expect(await answer('permit', { client_id, redirect_uri, organization_id: '2002' }, 'cleo')).toContain(
      `${redirect_uri}?code=`,
    )
})

test('name, description and redirect URI are shown as text (check 49, RFC 6749 10.14)', async () => {
  const { fill, read, handles, state } = await atSettings()
  await fill('applications/add', { ...APPLICATION, name: HOSTILE.slice(0, 100), description: HOSTILE })
  expect(state().applications).toHaveLength(2)
  for (const path of ['applications', (await handles('applications'))[1] ?? '']) {
    const { text } = await read(path)
    expect(text).not.toMatch(/<script|<img/)
    expect(text).toContain('&lt;script&gt;')
  }
})

test('name, description and redirect URI can be edited; the Client Id and Secret stay (U79, 5.2)', async () => {
  const { fill, handles, applications, read } = await atSettings()
  const [address = ''] = await handles('applications')
  expect((await read(address)).text).toContain('value="http://localhost:3000/callback"')
  const { to } = await fill(address, { action: 'save', ...APPLICATION, description: '' })
  expect(to).toContain('done=application_saved')
  const { agreement: _, ...edited } = APPLICATION
  expect(applications()).toEqual([{ ...CLIENT, ...edited, organization_id: 2002 }])
})

test('after an edit only the new redirect URI is valid (U79, check 2, RFC 6749 3.1.2.4)', async () => {
  const { fill, handles, ask, post, send, headers, authorizePath } = await atSettings()
  const { csrfToken, cookie } = await ask({ organization_id: '2002' }, 'cleo')
  await fill((await handles('applications'))[0] ?? '', { action: 'save', ...APPLICATION })
  expect((await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)).status).toBe(
    400,
  )
  expect((await send(authorizePath(), { headers })).headers.get('Location')).toBeNull()
  const path = authorizePath({ redirect_uri: APPLICATION.redirect_uri, organization_id: '2002' })
  expect(await (await send(path, { headers })).text()).toContain('Permit')
})

test.each([
  [{ name: '' }, 'Enter the application name.'],
  [{ redirect_uri: 'http://a.example/' }, 'is for this machine only'],
  [{ description: 'x'.repeat(501) }, 'at most 500 are allowed'],
])(
  'a refused edit shows the error and changes nothing: %o (check 38, check 39, U79)',
  async (fields, message) => {
    const { fill, handles, state } = await atSettings()
    const before = records(state())
    const [address = ''] = await handles('applications')
    const { status, text } = await fill(address, { action: 'save', ...APPLICATION, ...fields })
    expect([status, records(state())]).toEqual([422, before])
    expect(text).toContain(message)
  },
)

test.each([
  ['edit_and_delete', { save: 303, renew: 400, delete: 303 }],
  ['edit_delete_and_new_secret', { save: 303, renew: 303, delete: 303 }],
  ['delete_only', { save: 400, renew: 400, delete: 303 }],
] as const)('with %s, the page offers these actions and no others (U79, 5.2)', async (appedit, expected) => {
  const { fill, handles, read } = await atSettings({ choices: { appedit } })
  const [address = ''] = await handles('applications')
  const { text } = await read(address)
  for (const [action, status] of Object.entries(expected)) {
    expect([action, text.includes(`value="${action}"`)]).toEqual([action, status === 303])
    expect([action, (await fill(address, { action, ...APPLICATION })).status]).toEqual([action, status])
  }
})

test.each([
  ['at_once', 401],
  ['at_expiry', 200],
] as const)('with %s, a token from before a new secret answers %i (U79, U38)', async (revoked, status) => {
  const choices = { appedit: 'edit_delete_and_new_secret', revoked } as const
  const there = await atSettings({ choices })
  const { body } = await there.exchange(await there.authorize({ organization_id: '2002' }, 'cleo'))
  await there.fill((await there.handles('applications'))[0] ?? '', { action: 'renew' })
  const headers = { Authorization: `Bearer ${body.access_token}` }
  expect((await there.send('/organizations/2002', { headers })).status).toBe(status)
  expect((await there.refresh(body['refresh_token'])).status).toBe(401)
  const { client_secret } = there.applications()[0] ?? {}
  expect(client_secret).not.toBe(CLIENT.client_secret)
  const refreshed = await there.refresh(body['refresh_token'], { client_secret })
  expect(refreshed.status).toBe(revoked === 'at_once' ? 400 : 200)
})

test('an application of another organization is not found (S50, 5.2)', async () => {
  const { handles } = await atSettings()
  const [address = ''] = await handles('applications')
  const ada = await atSettings({}, 'ada')
  expect((await ada.read(address)).status).toBe(404)
  expect((await ada.fill(address, { action: 'delete' })).status).toBe(404)
})
