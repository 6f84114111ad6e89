import { describe, expect, test } from 'vitest'
import { seed } from '../../kit/sandbox.ts'
import { APPLICATION, atSettings, issued, KEY, records } from '../_settings.ts'

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
  const other = await atSettings({ seed: issued(seed(), 2002, { keys: 9, applications: 10 }) })
  expect((await other.fill('applications/add', APPLICATION)).status).toBe(409)
  expect((await other.fill('api-keys/add', KEY)).status).toBe(303)
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
