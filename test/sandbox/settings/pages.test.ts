import { expect, test } from 'vitest'
import { PAGES } from '../../../src/sandbox/settings/pages.tsx'
import { open, seed } from '../../kit/sandbox.ts'
import { atSettings } from '../_settings.ts'

test('the start page shows the people and the pages of each organization, and no secret (5.1, 5.2)', async () => {
  const page = await (await open().send('/')).text()
  for (const text of [
    'Nothing here is real',
    'Ada Lindqvist',
    'administrator of Meridian Shipping',
    'href="./projects?organization_id=1001"',
    'href="./plan?organization_id=2002"',
  ])
    expect(page).toContain(text)
  const { applications, api_keys } = seed()
  for (const secret of [...applications.map((one) => one.client_secret), ...api_keys.map((one) => one.value)])
    expect(page).not.toContain(secret)
})

test('the project list has organization_id in its address, and shows it (5.3)', async () => {
  const { send, signIn } = open()
  const page = await (await send('/projects?organization_id=1001', { headers: await signIn() })).text()
  for (const text of ['organization_id=1001', 'Mooring lines for the Kittiwake', '11 of 15 tasks done'])
    expect(page).toContain(text)
})

test('names are escaped, and a project can have no tasks (RFC 6749 10.14)', async () => {
  const known = seed()
  const evil = '<img src=x onerror=alert(1)>'
  const project = { name: evil, lead: evil, open_tasks: 0, done_tasks: 0, due_on: evil }
  const organizations = known.organizations.map((one) => ({ ...one, name: evil, projects: [project] }))
  const { send, signIn } = open({ seed: { ...known, organizations } })
  const page = await (await send('/projects?organization_id=1001', { headers: await signIn() })).text()
  expect(page).not.toContain('<img')
  expect(page).toContain('0 of 0 tasks done')
})

test('the settings link only to screens that the person may open (S50, 5.2)', async () => {
  const first = (await (await atSettings({}, 'ben')).read('')).text
  expect([first.includes('settings/api-keys'), first.includes('settings/applications')]).toEqual([
    true,
    false,
  ])
  expect(first).toContain('Only administrators can manage these: Ada Lindqvist.')
})

test('links and redirects work under a base path (0)', async () => {
  const { read, fill } = await atSettings({ basePath: '/a/b' })
  expect((await read('api-keys')).text).not.toMatch(/(href|action|src)="\//)
  const { to } = await fill('api-keys/add', { agreement: 'agreed' })
  const target = new URL(to ?? '', 'http://127.0.0.1:4000/a/b/settings/api-keys/add?organization_id=2002')
  expect(target.pathname).toBe('/a/b/settings/api-keys')
})

test('the first screen shows both settings with their counts (S40, S41, S47, 5.1, 5.2)', async () => {
  const { read, send, headers } = await atSettings({}, 'ada')
  const { text } = await read('')
  expect(text).toMatch(/API key setting<\/a>.*1 of 1 issued/s)
  expect(text).toMatch(/Application setting<\/a>.*0 of 1 registered/s)
  for (const path of ['/', '/projects?organization_id=1001', '/plan?organization_id=1001'])
    expect(await (await send(path, { headers })).text()).toContain('href="./settings?organization_id=1001"')
})

test.each(PAGES.map(([path]) => path))(
  '%s is for members, not framed, cached, scripted or counted (check 47, check 48, RFC 6749 10.13)',
  async (pattern) => {
    const { send, signIn, handles, headers, state } = await atSettings()
    const [handle = ''] = pattern.includes(':') ? await handles(pattern.split('/')[2] ?? '') : []
    const path = `${handle ? `/settings/${handle}` : pattern}?organization_id=2002`
    const answer = await send(path, { headers })
    const text = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Security-Policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    )
    expect(answer.headers.get('X-Frame-Options')).toBe('DENY')
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(await (await send(path)).text()).toContain('Who are you?')
    const others = await signIn('ben')
    for (const search of ['?organization_id=2002', '?organization_id=9', '?organization_id=x', ''])
      expect((await send(path.split('?')[0] + search, { headers: others })).status).toBe(404)
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await send(path, { method, headers })).status).toBe(405)
    expect(state().months).toEqual({})
  },
)
