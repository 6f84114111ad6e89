import { expect, test } from 'vitest'
import { isApiKey } from '../../../src/contract/credential.ts'
import { seed } from '../../kit/sandbox.ts'
import { atSettings, HOSTILE, issued, KEY, records } from '../_settings.ts'

test('the API key setting has the list of issued keys and the action "add API key" (S41, 5.1)', async () => {
  const { read, at } = await atSettings()
  const { status, text } = await read('api-keys')
  expect(status).toBe(200)
  expect(text).toContain('<h1>API key setting</h1>')
  expect(text).toMatch(
    /<a [^>]*href="[^"]*settings\/api-keys\/add\?organization_id=2002"[^>]*>.*?add API key/,
  )
  expect(text).toContain('Timetable board')
  expect((await read('')).text).toContain(`href=".${at('api-keys')}"`)
})

test('an issued key can be read in the list, then and later (S43, 5.1)', async () => {
  const { fill, read, keys, clock, signIn, send, at } = await atSettings()
  expect((await fill('api-keys/add', KEY)).to).toContain('settings/api-keys?')
  const { value = '' } = keys()[1] ?? {}
  expect((await read('api-keys')).text).toContain(value)
  clock.ms += 300 * 86_400_000
  const later = await send(at('api-keys'), { headers: await signIn('cleo') })
  expect(await later.text()).toContain(value)
})

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

test('an organization without keys has an empty list (S40, 5)', async () => {
  const { read, api, key } = await atSettings({ seed: issued(seed(), 2002, {}) })
  expect((await read('api-keys')).text).toContain('No API key is issued yet.')
  expect((await api(1, '/organizations', key(2002))).status).toBe(401)
})

test('the description is shown as text (RFC 6749 10.14)', async () => {
  const { fill, read, handles } = await atSettings()
  await fill('api-keys/add', { ...KEY, description: HOSTILE })
  for (const path of ['api-keys', (await handles('api-keys'))[1] ?? '']) {
    const { text } = await read(path)
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

test('a deleted key is refused and no longer in the list (S44, 5.1)', async () => {
  const { fill, handles, keys, send, key } = await atSettings()
  const headers = key(2002)
  const [address = ''] = await handles('api-keys')
  expect((await send('/organizations', { headers })).status).toBe(200)
  expect((await fill(address, { action: 'delete' })).to).toContain('done=key_deleted')
  expect([keys(), (await send('/organizations', { headers })).status]).toEqual([[], 401])
  expect((await fill(address, { action: 'delete' })).status).toBe(404)
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
