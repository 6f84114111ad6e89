import { expect, test } from 'vitest'
import { SETTINGS_PAGES } from '../../../src/sandbox/settings/settings.tsx'
import { seed } from '../../kit/sandbox.ts'
import { atSettings, issued } from '../_settings.ts'

const PATHS = SETTINGS_PAGES.map(([path]) => path.replace(/^\/settings\/?/, ''))
const choices = { states: 'grants_withdrawable' } as const

test('the settings are linked from the start page, the project list and the plan page (S40, 5.1)', async () => {
  const { send, headers } = await atSettings()
  for (const path of ['/', '/projects?organization_id=2002', '/plan?organization_id=2002'])
    expect(await (await send(path, { headers })).text()).toContain('href="./settings?organization_id=2002"')
})

test('the first screen shows both settings with their counts (S41, S47, 5.1, 5.2)', async () => {
  const { text } = await (await atSettings({}, 'ada')).read('')
  expect(text).toMatch(/API key setting<\/a>.*1 of 1 issued/s)
  expect(text).toMatch(/Application setting<\/a>.*0 of 1 registered/s)
})

test('a member sees the names of the administrators (S50, 5.2)', async () => {
  const { text } = await (await atSettings({}, 'ben')).read('')
  expect(text).toContain('Only administrators can manage applications: Ada Lindqvist.')
})

test('an organization without administrators is named as such (S50, 5.2)', async () => {
  const people = [
    { id: 'ben', name: 'Ben', organizations: [{ organization_id: 1001, role: 'member' as const }] },
  ]
  const { text } = await (await atSettings({ seed: { ...seed(), people } }, 'ben')).read('')
  expect(text).toContain('this organization has none')
})

test.each(PATHS)(
  '"/settings/%s" is not framed, cached or scripted (check 47, check 48, RFC 6749 10.13)',
  async (path) => {
    const there = await atSettings({ choices })
    const [handle = ''] = path.includes(':') ? await there.handles(path.split('/')[0] ?? '') : [path]
    const { status, headers, text } = await there.read(handle)
    expect(status).toBe(200)
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(headers.get('X-Frame-Options')).toBe('DENY')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    expect(text.match(/<h1/g)).toHaveLength(1)
  },
)

test.each(PATHS)(
  '"/settings/%s" shows the sign-in page, and answers 404 to people of other organizations (5)',
  async (path) => {
    const { send, at, signIn } = await atSettings({ choices })
    expect(await (await send(at(path))).text()).toContain('Who are you?')
    const headers = await signIn('ben')
    expect((await send(at(path), { headers })).status).toBe(404)
    expect((await send(`/settings/${path}`, { headers })).status).toBe(404)
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await send(at(path), { method, headers })).status).toBe(405)
  },
)

test('no settings screen is counted as a request (8.3)', async () => {
  const { read, state } = await atSettings({ seed: issued(seed(), 2002, { keys: 1 }) })
  for (const path of ['', 'api-keys', 'applications', 'plan']) await read(path)
  expect(state().months).toEqual({})
})
