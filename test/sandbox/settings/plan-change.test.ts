import { describe, expect, test } from 'vitest'
import { seed } from '../_sandbox.ts'
import { atSettings, issued, records } from '../_settings.ts'

const DECEMBER_MS = Date.UTC(2026, 11, 1)
type Settings = Awaited<ReturnType<typeof atSettings>>
const planOf = ({ state }: There, id: number) => state().organizations.find((one) => one.id === id)?.plan
const limit = async ({ send, key }: There, id: number) =>
  Number((await send('/rate_limit', { headers: key(id) })).headers.get('X-RateLimit-Limit'))

test('an administrator changes the plan, and all limits of that organization with it, of no other (S6, S74, 8)', async () => {
  const there = await atSettings({}, 'ada')
  expect(await limit(there, 1001)).toBe(60)
  expect((await there.fill('plan', { plan: 'business' })).to).toContain('done=plan_changed')
  expect([planOf(there, 1001), planOf(there, 2002)]).toEqual(['business', 'business'])
  there.clock.ms += 60_000
  expect(await limit(there, 1001)).toBe(600)
  expect((await there.read('api-keys')).text).toContain('1 of 10')
  const plan = await (await there.send('/plan?organization_id=1001', { headers: there.headers })).text()
  expect(plan).toContain('unlimited')
})

test('a member gets no form, and may not send one (8)', async () => {
  const there = await atSettings({}, 'ben')
  expect((await there.read('plan')).status).toBe(403)
  expect((await there.fill('plan', { plan: 'business' })).status).toBe(403)
  expect(planOf(there, 1001)).toBe('standard')
})

/** Uses three requests on Standard, then changes to Business. @returns the count and the plan, at once and in the next month */
async function midMonth(planchange: 'at_once_count_kept' | 'at_once_count_restarted' | 'next_month') {
  const there = await atSettings({ choices: { planchange } }, 'ada')
  const spend = () => there.api(3, '/organizations', there.key())
  const now = () => ({ plan: planOf(there, 1001), count: there.state().months['1001']?.count ?? 0 })
  await spend()
  await there.fill('plan', { plan: 'business' })
  const at_once = now()
  there.clock.ms = DECEMBER_MS
  await spend()
  return { at_once, next_month: now(), there }
}

test.each([
  ['at_once_count_kept', { plan: 'business', count: 3 }],
  ['at_once_count_restarted', { plan: 'business', count: 0 }],
  ['next_month', { plan: 'standard', count: 3 }],
] as const)('with %s, a plan that is changed mid-month leaves %o (U73, 8)', async (planchange, expected) => {
  const { at_once, next_month } = await midMonth(planchange)
  expect(at_once).toEqual(expected)
  expect(next_month).toEqual({ plan: 'business', count: 3 })
})

test('a planned change shows its date, and choosing the present plan cancels it (U73, 8)', async () => {
  const there = await atSettings({ choices: { planchange: 'next_month' } }, 'ada')
  const { to } = await there.fill('plan', { plan: 'business' })
  expect(to).toContain('done=plan_planned')
  expect((await there.read('plan')).text).toMatch(
    /Standard until.*1 December 2026 at 00:00 UTC.*then.*Business/s,
  )
  await there.fill('plan', { plan: 'standard' })
  there.clock.ms = DECEMBER_MS
  expect(await limit(there, 1001)).toBe(60)
  expect(planOf(there, 1001)).toBe('standard')
})

const inUse = (there: Settings) => ({
  keys: there.keys().map(({ disabled_by }) => disabled_by === undefined),
  applications: there.applications().map(({ disabled_by }) => disabled_by === undefined),
})

describe('a smaller plan, with three keys and two applications', () => {
  const three = () => issued(seed(), 2002, { keys: 3, applications: 2 })

  test.each([
    ['kept', 303, [true, true, true], [true, true]],
    ['newest_disabled', 303, [true, false, false], [true, false]],
    ['all_disabled', 303, [false, false, false], [false, false]],
    ['refused', 409, [true, true, true], [true, true]],
  ] as const)(
    'with %s answers %i and leaves in use %j and %j (U74, 8.1)',
    async (downgrade, status, keys, applications) => {
      const there = await atSettings({ seed: three(), choices: { downgrade } })
      const before = records(there.state())
      expect((await there.fill('plan', { plan: 'standard' })).status).toBe(status)
      expect(inUse(there)).toEqual({ keys, applications })
      expect(JSON.stringify(records(there.state())) === JSON.stringify(before)).toBe(status === 409)
      for (const [at, isUsed] of keys.entries()) {
        const headers = { 'X-Service-Api-Key': `key-${at + 1}` }
        expect((await there.send('/organizations', { headers })).status).toBe(isUsed ? 200 : 401)
      }
      // No further key can be added.
      expect((await there.read('api-keys')).text.includes('disabled=""')).toBe(status === 303)
    },
  )

  test('is refused with what has to be deleted, and accepted after that (U74, 8.1)', async () => {
    const there = await atSettings({ seed: three(), choices: { downgrade: 'refused' } })
    const { text } = await there.fill('plan', { plan: 'standard' })
    expect(text).toContain(
      'The Standard plan allows 1 of your 3 API keys and 1 of your 2 applications. Delete the others first.',
    )
    for (const path of ['api-keys', 'api-keys', 'applications'])
      await there.fill((await there.handles(path))[0] ?? '', { action: 'delete' })
    expect((await there.fill('plan', { plan: 'standard' })).status).toBe(303)
  })

  test.each(['newest_disabled', 'all_disabled'] as const)(
    'with %s, the larger plan enables what the smaller one had disabled (U74, 8.1)',
    async (downgrade) => {
      const there = await atSettings({ seed: three(), choices: { downgrade } })
      await there.fill('plan', { plan: 'standard' })
      await there.fill('plan', { plan: 'business' })
      expect(inUse(there)).toEqual({ keys: [true, true, true], applications: [true, true] })
    },
  )

  test('that starts with the next month disables then (U73, U74, 8.1)', async () => {
    const choices = { planchange: 'next_month', downgrade: 'all_disabled' } as const
    const there = await atSettings({ seed: three(), choices })
    await there.fill('plan', { plan: 'standard' })
    expect(inUse(there).keys).toEqual([true, true, true])
    there.clock.ms = DECEMBER_MS
    await there.read('')
    expect(inUse(there).keys).toEqual([false, false, false])
  })
})
