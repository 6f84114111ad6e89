import { expect, test } from 'vitest'
import { seed } from '../_sandbox.ts'
import { atSettings, issued } from '../_settings.ts'

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

test('what a plan has disabled can be enabled only below the maximum in use (U74, 8.1)', async () => {
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
