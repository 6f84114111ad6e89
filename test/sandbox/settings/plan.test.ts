import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, rate } from '../../kit/sandbox.ts'

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

test('the control plane changes a plan, and with it all limits of that organization (S6, S74, 8)', async () => {
  const { sandbox, send, key } = open()
  const limit = async () => rate(await send('/organizations', { headers: key() })).limit
  await limit()
  sandbox.control.changePlans({ 1001: 'business' })
  expect(await limit()).toBe(600)
  expect(sandbox.snapshot().months[1001]?.count).toBe(2)
  expect(() => sandbox.control.changePlans({ 1001: 'gold' })).toThrow('1001')
  expect(() => sandbox.control.changePlans({ 7: 'standard' })).toThrow('no such organization')
})
