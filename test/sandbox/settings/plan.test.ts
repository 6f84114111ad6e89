import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, seed } from '../../kit/sandbox.ts'
import { atSettings, issued, records } from '../_settings.ts'

type Opened = ReturnType<typeof open>

const pageOf = async (opened: Opened) =>
  /<strong>(\d+)<\/strong>/.exec(
    await (await opened.send('/plan?organization_id=1001', { headers: await opened.signIn() })).text(),
  )?.[1]

test.each<[Choices['lag'], string[]]>([
  ['live', ['3', '5', '5']],
  ['delayed_40_minutes', ['0', '0', '3']],
  ['cached_per_load', ['3', '3', '5']],
])(
  'with %s, the plan page shows %j after 3 requests, after 5, and half an hour later (U69)',
  async (lag, shown) => {
    const opened = open({ choices: { lag } })
    const { api, key, clock } = opened
    await api(3, '/organizations', key())
    const first = await pageOf(opened)
    clock.ms += 20 * 60_000
    await api(2, '/organizations', key())
    const second = await pageOf(opened)
    clock.ms += 30 * 60_000
    expect([first, second, await pageOf(opened)]).toEqual(shown)
    clock.ms += 30 * 60_000
    expect(await pageOf(opened)).toBe('5')
  },
)

test('the plan page shows the plan, the present monthly access count and its reset (S94, 8.3)', async () => {
  const opened = open()
  await opened.api(37, '/organizations', opened.key())
  const headers = await opened.signIn()
  const page = await (await opened.send('/plan?organization_id=1001', { headers })).text()
  expect(page).toContain('monthly access count')
  expect(page).toMatch(/<strong>37<\/strong>\s*of 100 requests/)
  expect(page).toContain('1 December 2026')
  expect(page).toContain('>standard<')
})

test('the plan page of Business shows unlimited, and 0 before the first request (S91, 8.3)', async () => {
  const { send, signIn } = open()
  const page = await (await send('/plan?organization_id=2002', { headers: await signIn('cleo') })).text()
  expect(page).toMatch(/<strong>0<\/strong>\s*requests, unlimited/)
})

test('the plan page is for members who are signed in (5.3)', async () => {
  const { send, signIn } = open()
  expect(await (await send('/plan?organization_id=1001')).text()).toContain('Who are you?')
  expect((await send('/plan?organization_id=1001', { headers: await signIn('cleo') })).status).toBe(404)
})

const DECEMBER_MS = Date.UTC(2026, 11, 1)
type Settings = Awaited<ReturnType<typeof atSettings>>
const planOf = ({ state }: Settings, id: number) => state().organizations.find((one) => one.id === id)?.plan
const limit = async ({ send, key }: Settings, id: number) =>
  Number((await send('/rate_limit', { headers: key(id) })).headers.get('X-RateLimit-Limit'))

test('an administrator changes the plan and with it all limits of that organization (S6, S74, 8)', async () => {
  const settings = await atSettings({}, 'ada')
  expect(await limit(settings, 1001)).toBe(60)
  expect((await settings.fill('plan', { plan: 'business' })).to).toContain('done=plan_changed')
  expect([planOf(settings, 1001), planOf(settings, 2002)]).toEqual(['business', 'business'])
  settings.clock.ms += 60_000
  expect(await limit(settings, 1001)).toBe(600)
  expect((await settings.read('api-keys')).text).toContain('1 of 10')
  const plan = await (await settings.send('/plan?organization_id=1001', { headers: settings.headers })).text()
  expect(plan).toContain('unlimited')
})

test('a member gets no form, and may not send one (8)', async () => {
  const settings = await atSettings({}, 'ben')
  expect((await settings.read('plan')).status).toBe(403)
  expect((await settings.fill('plan', { plan: 'business' })).status).toBe(403)
  expect(planOf(settings, 1001)).toBe('standard')
})

/** Sends three requests on Standard and changes to Business. @returns count and plan, now and next month */
async function midMonth(planchange: 'at_once_count_kept' | 'at_once_count_restarted' | 'next_month') {
  const settings = await atSettings({ choices: { planchange } }, 'ada')
  const spend = () => settings.api(3, '/organizations', settings.key())
  const now = () => ({ plan: planOf(settings, 1001), count: settings.state().months['1001']?.count ?? 0 })
  await spend()
  await settings.fill('plan', { plan: 'business' })
  const at_once = now()
  settings.clock.ms = DECEMBER_MS
  await spend()
  return { at_once, next_month: now(), settings }
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
  const settings = await atSettings({ choices: { planchange: 'next_month' } }, 'ada')
  const { to } = await settings.fill('plan', { plan: 'business' })
  expect(to).toContain('done=plan_planned')
  expect((await settings.read('plan')).text).toMatch(
    /Standard until.*1 December 2026 at 00:00 UTC.*then.*Business/s,
  )
  await settings.fill('plan', { plan: 'standard' })
  settings.clock.ms = DECEMBER_MS
  expect(await limit(settings, 1001)).toBe(60)
  expect(planOf(settings, 1001)).toBe('standard')
})

const inUse = (settings: Settings) => ({
  keys: settings.keys().map(({ disabled_by }) => disabled_by === undefined),
  applications: settings.applications().map(({ disabled_by }) => disabled_by === undefined),
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
      const settings = await atSettings({ seed: three(), choices: { downgrade } })
      const before = records(settings.state())
      expect((await settings.fill('plan', { plan: 'standard' })).status).toBe(status)
      expect(inUse(settings)).toEqual({ keys, applications })
      expect(JSON.stringify(records(settings.state())) === JSON.stringify(before)).toBe(status === 409)
      for (const [at, isUsed] of keys.entries()) {
        const headers = { 'X-Service-Api-Key': `key-${at + 1}` }
        expect((await settings.send('/organizations', { headers })).status).toBe(isUsed ? 200 : 401)
      }
      // No further key can be added.
      expect((await settings.read('api-keys')).text.includes('disabled=""')).toBe(status === 303)
    },
  )

  test('is refused with a list of what must be deleted, and accepted after that (U74, 8.1)', async () => {
    const settings = await atSettings({ seed: three(), choices: { downgrade: 'refused' } })
    const { text } = await settings.fill('plan', { plan: 'standard' })
    expect(text).toContain(
      'The Standard plan allows 1 of your 3 API keys and 1 of your 2 applications. Delete the others first.',
    )
    for (const path of ['api-keys', 'api-keys', 'applications'])
      await settings.fill((await settings.handles(path))[0] ?? '', { action: 'delete' })
    expect((await settings.fill('plan', { plan: 'standard' })).status).toBe(303)
  })

  test.each(['newest_disabled', 'all_disabled'] as const)(
    'with %s, the larger plan enables what the smaller one had disabled (U74, 8.1)',
    async (downgrade) => {
      const settings = await atSettings({ seed: three(), choices: { downgrade } })
      await settings.fill('plan', { plan: 'standard' })
      await settings.fill('plan', { plan: 'business' })
      expect(inUse(settings)).toEqual({ keys: [true, true, true], applications: [true, true] })
    },
  )

  test('that starts with the next month disables them then (U73, U74, 8.1)', async () => {
    const choices = { planchange: 'next_month', downgrade: 'all_disabled' } as const
    const settings = await atSettings({ seed: three(), choices })
    await settings.fill('plan', { plan: 'standard' })
    expect(inUse(settings).keys).toEqual([true, true, true])
    settings.clock.ms = DECEMBER_MS
    await settings.read('')
    expect(inUse(settings).keys).toEqual([false, false, false])
  })
})
