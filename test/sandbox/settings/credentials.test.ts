import { expect, test } from 'vitest'
import { isApiKey } from '../../../src/contract/credential.ts'
import { CLIENT, open, seed } from '../../kit/sandbox.ts'
import { APPLICATION, atSettings, issued, KEY, records } from '../_settings.ts'

test('the start page shows the people and the pages of each organization, and no secret (5.1, 5.2)', async () => {
  const page = await (await open().send('/')).text()
  for (const text of [
    'Nothing here is real',
    'Ada Lindqvist',
    'administrator of Meridian Shipping',
    'href="./projects?organization_id=1001"',
    'href="./plan?organization_id=2002"',
  ])
    expect(page).toContain(text)
  const { applications, api_keys } = seed()
  for (const secret of [...applications.map((one) => one.client_secret), ...api_keys.map((one) => one.value)])
    expect(page).not.toContain(secret)
})

test('the project list shows organization_id and projects; all pages lead to the settings (S40, S56, 5.3)', async () => {
  const { send, headers } = await atSettings({}, 'ada')
  const texts: string[] = []
  for (const path of ['/', '/plan?organization_id=1001', '/projects?organization_id=1001'])
    texts.push(await (await send(path, { headers })).text())
  for (const text of texts) expect(text).toContain('href="./settings?organization_id=1001"')
  for (const text of ['>organization_id=1001<', 'Mooring lines for the Kittiwake', '11 of 15 tasks done'])
    expect(texts.at(-1)).toContain(text)
})

test('the settings show counts, and link only to what the person may open (S41, S47, S50, 5.1, 5.2)', async () => {
  const ada = (await (await atSettings({}, 'ada')).read('')).text
  expect(ada).toMatch(/API key setting<\/a>.*1 of 1 issued/s)
  expect(ada).toMatch(/Application setting<\/a>.*0 of 1 registered/s)
  const ben = (await (await atSettings({}, 'ben')).read('')).text
  expect([ben.includes('settings/api-keys'), ben.includes('settings/applications')]).toEqual([true, false])
  expect(ben).toContain('Only administrators can manage these: Ada Lindqvist.')
})

test.each([
  ['api-keys', 'API key setting', 'add API key', 'Timetable board'],
  ['applications', 'Application setting', 'add application', 'Plimsoll'],
])(
  'the screen %s has a list with values, and its action (S41, S43, S47, U80)',
  async (path, title, action, name) => {
    const { read, at, keys, handles } = await atSettings()
    const { status, text } = await read(path)
    expect(status).toBe(200)
    const add = new RegExp(
      `<a [^>]*href="[^"]*settings/${path}/add\\?organization_id=2002"[^>]*>.*?${action}`,
    )
    expect(text).toMatch(add)
    const value = path === 'api-keys' ? keys()[0]?.value : CLIENT.client_secret
    for (const shown of [`<h1>${title}</h1>`, name, value]) expect(text).toContain(shown)
    expect((await read('')).text).toContain(`href=".${at(path)}"`)
    // The address of one contains no part of its value.
    const [address = ''] = await handles(path)
    expect(address).toMatch(new RegExp(`^${path}/[\\w-]{16}$`))
    expect(value).not.toContain(address.split('/')[1])
  },
)

test('values are random, and a key fits into a header (S19, S25, check 40, RFC 6749 10.10)', async () => {
  const { fill, keys, applications, send } = await atSettings()
  for (let nth = 0; nth < 9; nth += 1) {
    await fill('api-keys/add', KEY)
    await fill('applications/add', APPLICATION)
  }
  // 43 characters of 6 bits.
  const random = [
    ...keys().map(({ value }) => value),
    ...applications()
      .slice(1)
      .map((one) => one.client_secret),
  ]
  expect([random.length, new Set(random).size]).toEqual([19, 19])
  for (const value of random) expect(value).toMatch(/^[\w-]{43}$/)
  const ids = applications()
    .slice(1)
    .map(({ client_id }) => client_id)
  expect(new Set(ids).size).toBe(9)
  for (const id of ids) expect(id).toMatch(/^[\w-]{20}$/)
  for (const { value } of keys()) {
    expect(isApiKey(value)).toBe(true)
    expect((await send('/organizations', { headers: { 'X-Service-Api-Key': value } })).status).toBe(200)
  }
})

const NEW_KEY = { value: expect.any(String), organization_id: 2002, issued_by: 'cleo' }
const { agreement: _, ...NAMED } = APPLICATION
const [client_id, client_secret] = [expect.any(String), expect.any(String)]
const NEW_APPLICATION = { client_id, client_secret, ...NAMED, organization_id: 2002 }
test.each([
  ['a key with a description', 'api-keys', { description: 'Night shift' }, NEW_KEY],
  ['a key without one', 'api-keys', {}, NEW_KEY],
  ['a key with a blank one', 'api-keys', { description: '  ' }, NEW_KEY],
  ['an application', 'applications', NAMED, NEW_APPLICATION],
  ['one with a description', 'applications', { ...NAMED, description: 'Of the pier' }, NEW_APPLICATION],
])(
  '%s is added for the person and the organization (S20, S24, S42, S48)',
  async (_, path, fields: Record<string, string>, saved) => {
    const { fill, keys, applications } = await atSettings()
    expect((await fill(`${path}/add`, { ...fields, agreement: 'agreed' })).status).toBe(303)
    const description = fields['description']?.trim()
    const added = path === 'api-keys' ? keys()[1] : applications()[1]
    expect(added).toEqual({ ...saved, ...(description && { description }) })
  },
)

const DISAGREED = 'Tick that you agree to the API terms.'
test.each([
  ['api-keys/add', { ...KEY, agreement: undefined }, DISAGREED],
  ['applications/add', { ...APPLICATION, name: '  ' }, 'Enter the application name.'],
  ['applications/add', { ...APPLICATION, redirect_uri: undefined }, 'Enter the redirect URI.'],
  ['applications/add', { ...APPLICATION, redirect_uri: '/callback' }, 'has to be a whole address'],
  ['applications/add', { ...APPLICATION, redirect_uri: 'https://a.example/#x' }, 'must not have a fragment'],
  ['applications/add', { ...APPLICATION, redirect_uri: 'http://a.example/' }, 'is for this machine only'],
  ['applications/add', { ...APPLICATION, agreement: undefined }, DISAGREED],
  ['applications/add', { ...APPLICATION, agreement: 'no' }, DISAGREED],
])(
  '%s refuses %o, and counts nothing (S21, S22, S23, S26, S42, check 38, check 39)',
  async (path, fields, message) => {
    const { fill, state } = await atSettings({ seed: issued(seed(), 1001, {}) }, 'ada')
    const before = records(state())
    const { status, text } = await fill(path, fields)
    expect([status, records(state())]).toEqual([422, before])
    expect(text).toContain(message)
    expect((await fill(path, path.startsWith('api') ? KEY : APPLICATION)).status).toBe(303)
  },
)

test('members see and manage the keys that they issued, administrators all (S44, U76, 5.1)', async () => {
  const ada = await atSettings({}, 'ada', '2002')
  expect((await ada.read('api-keys')).text).toContain('There is no API key of yours.')
  await ada.fill('api-keys/add', { ...KEY, description: 'Of Ada' })
  const { text } = await ada.read('api-keys')
  for (const shown of ['Of Ada', '2 of 10 issued on the business plan']) expect(text).toContain(shown)
  expect(text).not.toContain('Timetable board')
  const [own = ''] = await ada.handles('api-keys')
  expect((await ada.fill(own, { action: 'save', description: 'Mine' })).status).toBe(303)

  const cleo = await atSettings({ state: ada.state() })
  expect((await cleo.read('api-keys')).text).toContain('Ada Lindqvist')
  const [theirs = '', adas = ''] = await cleo.handles('api-keys')
  await cleo.fill(adas, { action: 'save', description: 'Edited by Cleo' })
  expect(cleo.keys()[1]).toMatchObject({ description: 'Edited by Cleo', issued_by: 'ada' })
  await cleo.fill(adas, { action: 'delete' })
  expect(cleo.keys()).toHaveLength(1)

  const before = records(ada.state())
  expect((await ada.read(theirs)).status).toBe(404)
  expect((await ada.fill(theirs, { action: 'delete' })).status).toBe(404)
  expect(records(ada.state())).toEqual(before)
  expect((await ada.fill(own, { action: 'delete' })).status).toBe(303)
})

test('the description of a key can be edited and removed, and the value stays (S44, U78, 5.1)', async () => {
  const { fill, handles, keys, read } = await atSettings()
  const [address = ''] = await handles('api-keys')
  const value = keys()[0]?.value
  expect((await read(address)).text).toContain('value="Timetable board"')
  await fill(address, { action: 'save', description: 'Quay 4' })
  expect(keys()[0]).toMatchObject({ value, description: 'Quay 4' })
  await fill(address, { action: 'save', description: '' })
  expect(keys()[0]).toEqual({ value, organization_id: 2002, issued_by: 'cleo' })
})

test('a registered application shows Client Id and Secret, and can ask for consent (S49, check 38, 5.2)', async () => {
  const { fill, read, applications, answer, exchange } = await atSettings()
  const redirect_uri = 'https://tide.example/callback?from=a%20b&x='
  const { to } = await fill('applications/add', { ...APPLICATION, redirect_uri })
  expect(to).toContain('settings/applications?')
  const { client_id: id, client_secret: secret } = applications()[1] ?? {}
  const { text } = await read('applications')
  expect(text.slice(text.indexOf('Tide table'))).toMatch(
    new RegExp(`Client Id</dt>.*${id}.*Client Secret</dt>.*${secret}`, 's'),
  )
  const back = await answer('permit', { client_id: id, redirect_uri, organization_id: '2002' }, 'cleo')
  expect(back.startsWith(`${redirect_uri}&code=`)).toBe(true)
  const code = new URL(back).searchParams.get('code') ?? ''
  expect((await exchange(code, { client_id: id, client_secret: secret, redirect_uri })).status).toBe(200)
})

test('an application can be edited; only its new redirect URI is valid (U79, check 2, check 39, 5.2)', async () => {
  const there = await atSettings()
  const { fill, applications, read, state, ask, post, send, headers, authorizePath } = there
  const [address = ''] = await there.handles('applications')
  const asked = await ask({ organization_id: '2002' }, 'cleo')
  expect((await read(address)).text).toContain('value="http://localhost:3000/callback"')
  const warning = 'The code is sent unencrypted'
  expect((await read('applications')).text).toContain(warning)
  const before = records(state())
  const bad = await fill(address, { action: 'save', ...APPLICATION, redirect_uri: 'http://a.example/' })
  expect([bad.status, records(state())]).toEqual([422, before])

  await fill(address, { action: 'save', ...APPLICATION, description: '' })
  expect(applications()).toEqual([{ ...CLIENT, ...NAMED, organization_id: 2002 }])
  expect((await read('applications')).text).not.toContain(warning)
  const fields = { csrf_token: asked.csrfToken, answer: 'permit' }
  expect((await post('/oauth2/permission', fields, asked.cookie)).status).toBe(400)
  expect((await send(authorizePath(), { headers })).headers.get('Location')).toBeNull()
  const path = authorizePath({ redirect_uri: APPLICATION.redirect_uri, organization_id: '2002' })
  expect(await (await send(path, { headers })).text()).toContain('Permit')
})

test('an organization without applications and keys can neither sign in nor read (S40, 5)', async () => {
  const known = { ...seed(), applications: [], api_keys: [] }
  const { read, send, headers, authorizePath, refresh, state } = await atSettings({ seed: known })
  expect((await read('applications')).text).toContain('There is no application of yours.')
  expect((await read('api-keys')).text).toContain('There is no API key of yours.')
  expect((await send(authorizePath({ organization_id: '2002' }), { headers })).status).toBe(400)
  expect((await refresh('x')).status).toBe(401)
  for (const sent of [{}, { 'X-Service-Api-Key': 'x' }, { Authorization: 'Bearer x' }])
    expect((await send('/organizations', { headers: sent })).status).toBe(401)
  expect(state()).toMatchObject({ applications: [], api_keys: [], access_tokens: {} })
})

test('only administrators of the organization may open the screens and send their forms (S50, 5.2)', async () => {
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
  const [others = ''] = await (await atSettings()).handles('applications')
  expect((await ada.read(others)).status).toBe(404)
  expect((await ada.fill(others, { action: 'delete' })).status).toBe(404)
})

test('a member’s keys count for the maximum, deleted ones do not (S77, U38, U76, 8.1)', async () => {
  const ben = await atSettings({ choices: { revoked: 'at_expiry' }, seed: issued(seed(), 1001, {}) }, 'ben')
  expect((await ben.fill('api-keys/add', KEY)).status).toBe(303)
  const ada = await atSettings({ state: ben.state() }, 'ada')
  expect((await ada.fill('api-keys/add', KEY)).status).toBe(409)
  await ada.fill((await ada.handles('api-keys'))[0] ?? '', { action: 'delete' })
  expect((await ada.fill('api-keys/add', KEY)).status).toBe(303)
})

test('a maximum that the operating conditions have changed is used (S75, 8)', async () => {
  const { sandbox, fill } = await atSettings()
  sandbox.control.changeLimits({ 2002: { api_keys: 2 } })
  expect((await fill('api-keys/add', KEY)).status).toBe(303)
  expect((await fill('api-keys/add', KEY)).status).toBe(409)
})
