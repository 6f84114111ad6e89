import { expect, test } from 'vitest'
import { seed } from '../../kit/sandbox.ts'
import { atSettings, HOSTILE, issued } from '../_settings.ts'

const choices = {
  states: 'can_be_disabled',
  keyedit: 'description_and_value',
  appedit: 'edit_delete_and_new_secret',
} as const

test.each([
  ['api-keys', ['Save', 'Disable API key', 'Make a new value', 'Delete API key']],
  ['applications', ['Save', 'Disable application', 'Make a new secret', 'Delete application']],
])('the edit page of %s has the buttons %j (5.1.4, 5.2.5)', async (path, buttons) => {
  const { read, handles } = await atSettings({ choices })
  const { text } = await read((await handles(path))[0] ?? '')
  const found = [...text.matchAll(/<button[^>]*name="action"[^>]*>([^<]*)<\/button>/g)].map(([, name]) =>
    name?.trim(),
  )
  expect(found).toEqual(buttons)
})

test.each(['api-keys', 'applications'])(
  'the edit page of %s refuses an unknown action, none and two (RFC 9110 15.5.1)',
  async (path) => {
    const { fill, handles, state } = await atSettings({ choices })
    const [address = ''] = await handles(path)
    const before = state()
    for (const body of ['', 'action=', 'action=nothing', 'action=toString', 'action=delete&action=delete'])
      expect((await fill(address, body)).status).toBe(400)
    expect({ ...state(), requests: 0, request_log: [] }).toEqual({ ...before, requests: 0, request_log: [] })
  },
)

test('errors are shown again with status 422 (5.2)', async () => {
  const { fill, handles } = await atSettings({ choices })
  const [address = ''] = await handles('api-keys')
  const { status, text } = await fill(address, { action: 'save', description: `\u202e${HOSTILE}` })
  expect([status, text.match(/role="alert"/g)]).toEqual([422, ['role="alert"']])
  expect(text).not.toMatch(/<script|<img/)
})

const VALUES = [
  ['exist_or_deleted', 400],
  ['can_be_disabled', 303],
  ['grants_withdrawable', 400],
] as const

test.each(VALUES)(
  'with %s, disabling a key or an application answers %i (U51, 3)',
  async (states, status) => {
    const there = await atSettings({ choices: { states } })
    for (const path of ['api-keys', 'applications']) {
      const [address = ''] = await there.handles(path)
      expect((await there.read(address)).text.includes('value="disable"')).toBe(status === 303)
      expect((await there.fill(address, { action: 'disable' })).status).toBe(status)
    }
    const expected = status === 303 ? 'person' : undefined
    expect([there.keys()[0]?.disabled_by, there.applications()[0]?.disabled_by]).toEqual([expected, expected])
  },
)

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
