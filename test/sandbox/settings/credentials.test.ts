import { describe, expect, test } from 'vitest'
import { isApiKey } from '../../../src/contract/credential.ts'
import { handleOf } from '../../../src/sandbox/settings/secret.tsx'
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

test('members see the keys that they issued, and how many more there are (U76, 5.1)', async () => {
  const { fill, read, keys } = await atSettings({}, 'ada', '2002')
  expect((await read('api-keys')).text).toContain('You have no API key.')
  await fill('api-keys/add', { ...KEY, description: 'Of Ada' })
  const { text } = await read('api-keys')
  expect(keys()).toHaveLength(2)
  expect(text).toContain('Of Ada')
  expect(text).not.toContain('Timetable board')
  expect(text).toContain('One more was issued by others.')
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

test.each([
  ['description', 400],
  ['description_and_value', 303],
] as const)('with %s, a new value answers %i (U78, 5.1)', async (keyedit, status) => {
  const { fill, handles, keys, read, send, key } = await atSettings({ choices: { keyedit } })
  const [address = ''] = await handles('api-keys')
  expect((await read(address)).text.includes('Make a new value')).toBe(status === 303)
  expect((await fill(address, { action: 'renew' })).status).toBe(status)
  expect(keys()).toMatchObject([{ description: 'Timetable board', issued_by: 'cleo' }])
  expect((await send('/organizations', { headers: key(2002) })).status).toBe(status === 303 ? 401 : 200)
  const headers = { 'X-Service-Api-Key': keys()[0]?.value ?? '' }
  expect((await send('/organizations', { headers })).status).toBe(200)
})

test('the old value is served for an hour if chosen, and does not count as a key (U78, U38)', async () => {
  const choices = { keyedit: 'description_and_value', revoked: 'at_expiry' } as const
  const { fill, handles, keys, send, key, clock } = await atSettings({ choices })
  const read = async () => (await send('/organizations', { headers: key(2002) })).status
  await fill((await handles('api-keys'))[0] ?? '', { action: 'renew' })
  expect([keys().length, await read()]).toEqual([1, 200])
  clock.ms += 3_600_000
  expect(await read()).toBe(401)
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

test('where only administrators manage keys, a member may open none of the pages (U76, 5.1)', async () => {
  const there = await atSettings({ choices: { whokeys: 'admins_only' } }, 'ben')
  const before = records(there.state())
  for (const path of ['api-keys', 'api-keys/add', 'api-keys/aaaaaaaaaaaaaaaa']) {
    const { status, text } = await there.read(path)
    expect([status, text]).toEqual([403, expect.stringContaining('Ada Lindqvist')])
  }
  expect((await there.fill('api-keys/add', KEY)).status).toBe(403)
  expect(records(there.state())).toEqual(before)
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

test('a refused edit shows the error and changes nothing (check 39, U79)', async () => {
  const { fill, handles, state } = await atSettings()
  const before = records(state())
  const edit = { action: 'save', ...APPLICATION, redirect_uri: 'http://a.example/' }
  const { status, text } = await fill((await handles('applications'))[0] ?? '', edit)
  expect([status, records(state())]).toEqual([422, before])
  expect(text).toContain('is for this machine only')
})

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

test.each([
  ['exist_or_deleted', 400],
  ['can_be_disabled', 303],
  ['grants_withdrawable', 400],
] as const)('with %s, disabling a key or an application answers %i (U51, 3)', async (states, status) => {
  const there = await atSettings({ choices: { states } })
  for (const path of ['api-keys', 'applications']) {
    const [address = ''] = await there.handles(path)
    expect((await there.read(address)).text.includes('value="disable"')).toBe(status === 303)
    expect((await there.fill(address, { action: 'disable' })).status).toBe(status)
  }
  const expected = status === 303 ? 'person' : undefined
  expect([there.keys()[0]?.disabled_by, there.applications()[0]?.disabled_by]).toEqual([expected, expected])
})

test('a disabled key is refused and marked in the list, and works again once enabled (U51, 3)', async () => {
  const there = await atSettings({ choices: { states: 'can_be_disabled' } })
  const read = async () => (await there.send('/organizations', { headers: there.key(2002) })).status
  const [address = ''] = await there.handles('api-keys')
  const before = there.keys()
  await there.fill(address, { action: 'disable' })
  expect(await read()).toBe(401)
  expect((await there.read('api-keys')).text).toMatch(/class="chip off">disabled</)
  expect((await there.fill(address, { action: 'disable' })).status).toBe(400)
  await there.fill(address, { action: 'enable' })
  expect([await read(), there.keys()]).toEqual([200, before])
  expect((await there.fill(address, { action: 'enable' })).status).toBe(400)
})

test('a key that a plan has disabled can be enabled only below the maximum in use (U74, 8.1)', async () => {
  const choices = { downgrade: 'newest_disabled' } as const
  const there = await atSettings({ seed: issued(seed(), 2002, { keys: 2 }), choices })
  await there.fill('plan', { plan: 'standard' })
  const [first = '', second = ''] = await there.handles('api-keys')
  expect((await there.read(second)).text).toContain('The Standard plan allows 1 API key, and 1 is in use.')
  expect((await there.fill(second, { action: 'enable' })).status).toBe(409)
  await there.fill(first, { action: 'delete' })
  expect((await there.fill(second, { action: 'enable' })).status).toBe(303)
  expect(there.keys()).toEqual([expect.not.objectContaining({ disabled_by: 'plan' })])
})

describe('masked', () => {
  const choices = { visibility: 'masked' } as const

  test('a value is not in the page until its own link is followed (U80, 5.1)', async () => {
    const { read, keys } = await atSettings({ choices })
    const { value = '' } = keys()[0] ?? {}
    const { text } = await read('api-keys')
    expect(text).not.toContain(value)
    expect(text).toContain(`${value.slice(-4)}<`)
    const link = `show=${handleOf(value)}`
    expect(text).toContain(link)
    expect((await read('api-keys', `&${link}`)).text).toContain(value)
    expect((await read('applications')).text).not.toContain(CLIENT.client_secret)
    expect((await read('applications', `&show=${handleOf(CLIENT.client_secret)}`)).text).toContain(
      CLIENT.client_secret,
    )
  })

  test('no character of a short value is shown (U80)', async () => {
    const { read } = await atSettings({ choices })
    expect((await read('applications')).text).toMatch(/>hidden<\/span><\/code>/)
  })

  test.each(['x', '', '%3Cscript%3E', 'constructor'])('shows nothing for show=%s (U80)', async (show) => {
    const { read, keys } = await atSettings({ choices })
    const { text } = await read('api-keys', `&show=${show}`)
    expect(text).not.toContain(keys()[0]?.value)
    expect(text).not.toContain('<script')
  })
})

describe('secret_once', () => {
  const choices = { visibility: 'secret_once', appedit: 'edit_delete_and_new_secret' } as const

  test('the secret of an application is only in the first list after its creation (U80, 5.2)', async () => {
    const { fill, read, applications, keys } = await atSettings({ choices })
    expect((await read('applications')).text).not.toContain(CLIENT.client_secret)
    await fill('applications/add', APPLICATION)
    const { client_id = '', client_secret = '' } = applications()[1] ?? {}
    expect((await read('applications')).text).toContain(client_secret)
    const second = (await read('applications')).text
    expect(second).not.toContain(client_secret)
    expect(second).toContain(client_id)
    expect((await read('api-keys')).text).toContain(keys()[0]?.value)
  })

  test('a new secret is also shown once (U80, U79)', async () => {
    const { fill, handles, read, applications } = await atSettings({ choices })
    await fill((await handles('applications'))[0] ?? '', { action: 'renew' })
    const { client_secret = '' } = applications()[0] ?? {}
    expect((await read('applications')).text).toContain(client_secret)
    expect((await read('applications')).text).not.toContain(client_secret)
  })

  test('a HEAD request does not count as the first list (RFC 9110 9.2.1)', async () => {
    const { fill, read, send, at, headers, applications } = await atSettings({ choices })
    await fill('applications/add', APPLICATION)
    await send(at('applications'), { method: 'HEAD', headers })
    expect((await read('applications')).text).toContain(applications()[1]?.client_secret)
  })
})

const FIELDS = { 'api-keys': KEY, applications: APPLICATION }
const ROWS = [
  ['S76', 'cleo', 2002, 'api-keys', 10, 'The Business plan allows 10 API keys, and 10 are issued.'],
  ['S77', 'ada', 1001, 'api-keys', 1, 'The Standard plan allows 1 API key, and 1 is issued.'],
  [
    'S78',
    'cleo',
    2002,
    'applications',
    10,
    'The Business plan allows 10 applications, and 10 are registered.',
  ],
  ['S79', 'ada', 1001, 'applications', 1, 'The Standard plan allows 1 application, and 1 is registered.'],
] as const

/** One less than the maximum of one kind, and the maximum of the other. */
const nearly = (organization: number, path: string, most: number, lacks = 1) => {
  const own = most - lacks
  return issued(seed(), organization, {
    keys: path === 'api-keys' ? own : most,
    applications: path === 'applications' ? own : most,
  })
}

describe.each(ROWS)('%s: %s of %i has %s', (row, person, organization, path, most, reason) => {
  test(`after ${most} the next is refused with the reason, and accepted after a deletion (${row}, 8.1)`, async () => {
    const there = await atSettings({ seed: nearly(organization, path, most) }, person)
    const count = () => (path === 'api-keys' ? there.keys() : there.applications()).length
    expect((await there.fill(`${path}/add`, FIELDS[path])).status).toBe(303)
    expect(count()).toBe(most)
    const before = records(there.state())
    const refused = await there.fill(`${path}/add`, FIELDS[path])
    expect([refused.status, records(there.state())]).toEqual([409, before])
    expect(refused.text).toContain(reason)
    await there.fill((await there.handles(path))[0] ?? '', { action: 'delete' })
    expect((await there.fill(`${path}/add`, FIELDS[path])).status).toBe(303)
    expect(count()).toBe(most)
  })

  test.each([
    ['action_disabled', { isOffered: false, form: 409, comesBack: false }],
    ['form_error', { isOffered: true, form: 200, comesBack: true }],
    ['error_page', { isOffered: true, form: 200, comesBack: false }],
  ] as const)(`with %s, the page shows the maximum as %o (U77, 8.1)`, async (overmax, expected) => {
    const options = { seed: nearly(organization, path, most, 0), choices: { overmax } }
    const { read, fill } = await atSettings(options, person)
    const list = (await read(path)).text
    expect(list.includes(`${path}/add?`)).toBe(expected.isOffered)
    expect(list.includes('disabled=""')).toBe(!expected.isOffered)
    expect(list.includes(reason)).toBe(!expected.isOffered)
    expect((await read(`${path}/add`)).status).toBe(expected.form)
    const { status, text } = await fill(`${path}/add`, FIELDS[path])
    expect([status, text.includes('name="agreement"')]).toEqual([409, expected.comesBack])
    expect(text).toContain(reason)
  })
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
