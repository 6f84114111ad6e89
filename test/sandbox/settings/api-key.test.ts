import { expect, test } from 'vitest'
import { isApiKey } from '../../../src/contract/credential.ts'
import { seed } from '../_sandbox.ts'
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

test('its value is random: no two are equal, it cannot be guessed, and it fits into a header (S19, 2.3)', async () => {
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
  'is issued %s description, for the person and the organization (S20, S42, 2.3)',
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

test('is not issued or counted without the agreement (S21, S42, 5.1)', async () => {
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

test('administrators see and manage keys of others, with the name of the issuer (S44, U76, 5.1)', async () => {
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
