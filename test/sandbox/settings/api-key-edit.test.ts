import { expect, test } from 'vitest'
import { atSettings, KEY, records } from '../_settings.ts'

test('the description of a key can be edited and removed, the value stays (S44, U78, 5.1)', async () => {
  const { fill, handles, keys, read } = await atSettings()
  const [address = ''] = await handles('api-keys')
  const [{ value } = { value: '' }] = keys()
  expect((await read(address)).text).toContain('value="Timetable board"')
  await fill(address, { action: 'save', description: 'Quay 4' })
  expect(keys()[0]).toMatchObject({ value, description: 'Quay 4' })
  await fill(address, { action: 'save', description: '' })
  expect(keys()[0]).toEqual({ value, organization_id: 2002, issued_by: 'cleo' })
})

test('a deleted key is refused, and no longer in the list (S44, 5.1)', async () => {
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

test('the old value is served for an hour where that is chosen, and does not count as a second key (U78, U38)', async () => {
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
