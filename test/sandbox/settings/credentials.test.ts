import { expect, test } from 'vitest'
import { isApiKey } from '../../../src/contract/credential.ts'
import { CLIENT, seed } from '../../kit/sandbox.ts'
import { APPLICATION, atSettings, HOSTILE, issued, KEY, records } from '../_settings.ts'

test.each([
  ['api-keys', 'API key setting', 'add API key', 'Timetable board'],
  ['applications', 'Application setting', 'add application', 'Plimsoll'],
])(
  'the screen %s has a list and its action (S41, S43, S47, U80, 5.1, 5.2)',
  async (path, title, action, name) => {
    const { read, at, keys } = await atSettings()
    const { status, text } = await read(path)
    expect(status).toBe(200)
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(text).toMatch(
      new RegExp(`<a [^>]*href="[^"]*settings/${path}/add\\?organization_id=2002"[^>]*>.*?${action}`),
    )
    for (const shown of [name, path === 'api-keys' ? keys()[0]?.value : CLIENT.client_secret])
      expect(text).toContain(shown)
    expect((await read('')).text).toContain(`href=".${at(path)}"`)
  },
)

test('its value is random, cannot be guessed and fits into a header (S19, 2.3)', async () => {
  const { fill, keys, send } = await atSettings()
  for (let nth = 0; nth < 9; nth += 1) await fill('api-keys/add', KEY)
  const values = keys().map(({ value }) => value)
  expect(new Set(values).size).toBe(10)
  expect(values.every((value) => isApiKey(value) && value.length === 43)).toBe(true)
  for (const value of values)
    expect((await send('/organizations', { headers: { 'X-Service-Api-Key': value } })).status).toBe(200)
})

test.each([
  ['with', 'Night shift', { description: 'Night shift' }],
  ['without', undefined, {}],
  ['with a blank', '  ', {}],
])(
  'a key is issued %s description, for the person and the organization (S20, S42, 2.3)',
  async (_, description, saved) => {
    const { fill, keys } = await atSettings()
    expect((await fill('api-keys/add', { ...KEY, description })).status).toBe(303)
    expect(keys()[1]).toEqual({
      value: expect.any(String),
      organization_id: 2002,
      issued_by: 'cleo',
      ...saved,
    })
  },
)

test('a key is not issued or counted without the agreement (S21, S42, 5.1)', async () => {
  const { fill, state } = await atSettings({ seed: issued(seed(), 1001, {}) }, 'ada')
  const before = records(state())
  const { status, text } = await fill('api-keys/add', { description: 'A key' })
  expect([status, records(state())]).toEqual([422, before])
  expect(text).toContain('Tick that you agree to the API terms.')
  expect(text).toContain('value="A key"')
  expect((await fill('api-keys/add', KEY)).status).toBe(303)
})

test.each([
  ['api-keys', { ...KEY, description: HOSTILE }],
  ['applications', { ...APPLICATION, name: HOSTILE.slice(0, 100), description: HOSTILE }],
])('what people have written in %s is shown as text (check 49, RFC 6749 10.14)', async (path, fields) => {
  const { fill, read, handles } = await atSettings()
  expect((await fill(`${path}/add`, fields)).status).toBe(303)
  for (const shown of [path, (await handles(path))[1] ?? '']) {
    const { text } = await read(shown)
    expect(text).not.toMatch(/<script|<img/)
    expect(text).toContain('&lt;script&gt;')
  }
})

test('members see the keys that they issued, and how many there are (U76, 5.1)', async () => {
  const { fill, read, keys } = await atSettings({}, 'ada', '2002')
  expect((await read('api-keys')).text).toContain('There is no API key of yours.')
  await fill('api-keys/add', { ...KEY, description: 'Of Ada' })
  const { text } = await read('api-keys')
  expect(keys()).toHaveLength(2)
  expect(text).toContain('Of Ada')
  expect(text).not.toContain('Timetable board')
  expect(text).toContain('2 of 10 issued on the business plan')
})

test('administrators see the issuer of every key, and manage all keys (S44, U76, 5.1)', async () => {
  const ada = await atSettings({}, 'ada', '2002')
  await ada.fill('api-keys/add', KEY)
  const cleo = await atSettings({ state: ada.state() })
  expect((await cleo.read('api-keys')).text).toContain('Ada Lindqvist')
  const [, address = ''] = await cleo.handles('api-keys')
  await cleo.fill(address, { action: 'save', description: 'Edited by Cleo' })
  expect(cleo.keys()[1]).toMatchObject({ description: 'Edited by Cleo', issued_by: 'ada' })
  await cleo.fill(address, { action: 'delete' })
  expect(cleo.keys()).toHaveLength(1)
})

test('the description of a key can be edited and removed, and the value stays (S44, U78, 5.1)', async () => {
  const { fill, handles, keys, read } = await atSettings()
  const [address = ''] = await handles('api-keys')
  const [{ value } = { value: '' }] = keys()
  expect((await read(address)).text).toContain('value="Timetable board"')
  await fill(address, { action: 'save', description: 'Quay 4' })
  expect(keys()[0]).toMatchObject({ value, description: 'Quay 4' })
  await fill(address, { action: 'save', description: '' })
  expect(keys()[0]).toEqual({ value, organization_id: 2002, issued_by: 'cleo' })
})

test('members edit and delete their own keys, and no others (U76, 5.1)', async () => {
  const ada = await atSettings({}, 'ada', '2002')
  await ada.fill('api-keys/add', KEY)
  const [address = ''] = await ada.handles('api-keys')
  expect((await ada.fill(address, { action: 'save', description: 'Mine' })).status).toBe(303)
  const cleo = await atSettings({ state: ada.state() })
  const theirs = (await cleo.handles('api-keys'))[0] ?? ''
  const before = records(ada.state())
  expect((await ada.read(theirs)).status).toBe(404)
  expect((await ada.fill(theirs, { action: 'delete' })).status).toBe(404)
  expect(records(ada.state())).toEqual(before)
  expect((await ada.fill(address, { action: 'delete' })).status).toBe(303)
})

test('the address of a key does not contain its value (RFC 9700 4.3.2)', async () => {
  const { handles, keys } = await atSettings()
  const [address = ''] = await handles('api-keys')
  expect(address).toMatch(/^api-keys\/[\w-]{16}$/)
  expect(keys()[0]?.value).not.toContain(address.split('/')[1])
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
  const warning = 'The code is sent unencrypted'
  expect((await read('applications')).text).toContain(warning)
  await fill((await handles('applications'))[0] ?? '', { action: 'save', ...APPLICATION })
  expect((await read('applications')).text).not.toContain(warning)
})

test('an organization without applications and keys can neither sign in nor read (S40, 5)', async () => {
  const known = { ...seed(), applications: [], api_keys: [] }
  const { read, send, headers, authorizePath, token, state } = await atSettings({ seed: known })
  expect((await read('applications')).text).toContain('There is no application of yours.')
  expect((await read('api-keys')).text).toContain('There is no API key of yours.')
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
  ['with a blank name', { name: '  ' }, 'Enter the application name.'],
  ['without a redirect URI', { redirect_uri: undefined }, 'Enter the redirect URI.'],
  ['with a relative redirect URI', { redirect_uri: '/callback' }, 'has to be a whole address'],
  ['with a fragment', { redirect_uri: 'https://a.example/#x' }, 'must not have a fragment'],
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

test('name, description and redirect URI can be edited; the Client Id and Secret stay (U79, 5.2)', async () => {
  const { fill, handles, applications, read } = await atSettings()
  const [address = ''] = await handles('applications')
  expect((await read(address)).text).toContain('value="http://localhost:3000/callback"')
  await fill(address, { action: 'save', ...APPLICATION, description: '' })
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

test('a refused edit shows the error and changes nothing (check 39, U79)', async () => {
  const { fill, handles, state } = await atSettings()
  const before = records(state())
  const edit = { action: 'save', ...APPLICATION, redirect_uri: 'http://a.example/' }
  const { status, text } = await fill((await handles('applications'))[0] ?? '', edit)
  expect([status, records(state())]).toEqual([422, before])
  expect(text).toContain('is for this machine only')
})

test('an application of another organization is not found (S50, 5.2)', async () => {
  const { handles } = await atSettings()
  const [address = ''] = await handles('applications')
  const ada = await atSettings({}, 'ada')
  expect((await ada.read(address)).status).toBe(404)
  expect((await ada.fill(address, { action: 'delete' })).status).toBe(404)
})

test('the maximum of one kind does not limit the other (S80, 8.1)', async () => {
  const full = await atSettings({ seed: issued(seed(), 2002, { keys: 10, applications: 9 }) })
  expect((await full.fill('api-keys/add', KEY)).status).toBe(409)
  expect((await full.fill('applications/add', APPLICATION)).status).toBe(303)
})

test('a member’s keys count for the organization’s maximum (S77, U76, 8.1)', async () => {
  const ben = await atSettings({ seed: issued(seed(), 1001, {}) }, 'ben')
  expect((await ben.fill('api-keys/add', KEY)).status).toBe(303)
  const ada = await atSettings({ state: ben.state() }, 'ada')
  expect((await ada.fill('api-keys/add', KEY)).status).toBe(409)
})

test('a deleted key that is still served does not count (U38, S77, 8.1)', async () => {
  const there = await atSettings({ choices: { revoked: 'at_expiry' } }, 'ada')
  await there.fill((await there.handles('api-keys'))[0] ?? '', { action: 'delete' })
  expect((await there.fill('api-keys/add', KEY)).status).toBe(303)
})

test('a maximum that the operating conditions have changed is used (S75, 8)', async () => {
  const { state } = await atSettings()
  const there = await atSettings({ state: { ...state(), limits: { 2002: { api_keys: 2 } } } })
  expect((await there.fill('api-keys/add', KEY)).status).toBe(303)
  expect((await there.fill('api-keys/add', KEY)).status).toBe(409)
})
