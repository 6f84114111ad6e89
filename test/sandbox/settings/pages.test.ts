import { expect, test } from 'vitest'
import { SETTINGS_PAGES } from '../../../src/sandbox/settings/settings.tsx'
import { CALLBACK, open, seed } from '../../kit/sandbox.ts'
import { atSettings, issued, records } from '../_settings.ts'

test('the start page explains the sandbox, and shows the people and the pages of each organization', async () => {
  const answer = await open().send('/')
  const page = await answer.text()
  expect(answer.status).toBe(200)
  for (const text of [
    'Nothing here is real',
    'Ada Lindqvist',
    'administrator of Meridian Shipping',
    'href="./projects?organization_id=1001"',
    'href="./plan?organization_id=2002"',
  ])
    expect(page).toContain(text)
})

test('the start page shows no secret and no key (5.1, 5.2)', async () => {
  const page = await (await open().send('/')).text()
  const { applications, api_keys } = seed()
  for (const secret of [...applications.map((one) => one.client_secret), ...api_keys.map((one) => one.value)])
    expect(page).not.toContain(secret)
})

test('the project list has organization_id in its address, and shows it (5.3)', async () => {
  const { send, signIn } = open()
  const page = await (await send('/projects?organization_id=1001', { headers: await signIn() })).text()
  expect(page).toContain('organization_id=1001')
  expect(page).toContain('Mooring lines for the Kittiwake')
  expect(page).toContain('11 of 15 tasks done')
  expect(page).toContain('href="./plan?organization_id=1001"')
})

test.each(['?organization_id=2002', '?organization_id=9', '?organization_id=x', '?organization_id=', ''])(
  'the organization %s, of others or unknown, answers a page with 404 (5.3)',
  async (search) => {
    const { send, signIn } = open()
    const answer = await send(`/projects${search}`, { headers: await signIn('ben') })
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8'])
  },
)

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

test('a page confirms an action, and shows no text from the address', async () => {
  const { read } = await atSettings()
  expect((await read('api-keys', '&done=key_issued')).text).toContain('The API key was issued.')
  for (const done of ['<b>', 'constructor', '__proto__', ''])
    expect((await read('api-keys', `&done=${encodeURIComponent(done)}`)).text).not.toContain('class="done"')
})

test('a page marks the current screen, and links only to screens that the person may open', async () => {
  const cleo = await atSettings()
  const { text } = await cleo.read('applications')
  expect(text).toMatch(/aria-current="page">Applications/)
  expect(text.match(/aria-current/g)).toHaveLength(1)
  expect((await cleo.read('applications/add')).text).toMatch(/aria-current="true">Applications/)
  const ben = await atSettings({}, 'ben')
  const nav = /<nav.*<\/nav>/s.exec((await ben.read('')).text)?.[0] ?? ''
  expect(nav).toContain('api-keys')
  expect(nav).not.toMatch(/applications|plan/)
})

test('links and redirects work under a base path (0)', async () => {
  const { read, fill } = await atSettings({ basePath: '/a/b' })
  const { text } = await read('api-keys')
  expect(text).not.toMatch(/(href|action|src)="\//)
  const { to } = await fill('api-keys/add', { agreement: 'agreed' })
  const target = new URL(to ?? '', 'http://127.0.0.1:4000/a/b/settings/api-keys/add?organization_id=2002')
  expect(target.pathname).toBe('/a/b/settings/api-keys')
})

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

const IN_2002 = { organization_id: '2002' }

test.each([
  ['exist_or_deleted', 404],
  ['can_be_disabled', 404],
  ['grants_withdrawable', 200],
] as const)('with %s, the page of authorized applications answers %i (U51, 3)', async (states, status) => {
  const { read } = await atSettings({ choices: { states } })
  expect((await read('permissions')).status).toBe(status)
  expect((await read('')).text.includes('settings/permissions?')).toBe(status === 200)
})

test('a person revokes an application, and its tokens and codes end at once (U51, 3)', async () => {
  const there = await atSettings({ choices })
  const { body } = await there.exchange(await there.authorize(IN_2002, 'cleo'))
  const code = await there.authorize(IN_2002, 'cleo')
  expect((await there.read('permissions')).text).toContain('Plimsoll')
  expect((await there.fill('permissions', { client_id: 'plimsoll' })).to).toContain('done=access_revoked')
  const headers = { Authorization: `Bearer ${body.access_token}` }
  expect((await there.send('/organizations/2002', { headers })).status).toBe(401)
  expect((await there.refresh(body['refresh_token'])).status).toBe(400)
  expect((await there.exchange(code, { redirect_uri: CALLBACK })).status).toBe(400)
  expect((await there.read('permissions')).text).toContain('You have authorized no application.')
})

test('grants of others and of other organizations stay and are not shown (U51, 3)', async () => {
  const ada = await atSettings({ choices }, 'ada', '2002')
  await ada.exchange(await ada.authorize({ organization_id: '1001' }, 'ada'))
  await ada.exchange(await ada.authorize(IN_2002, 'cleo'))
  const before = records(ada.state())
  expect((await ada.read('permissions')).text).toContain('You have authorized no application.')
  expect((await ada.fill('permissions', { client_id: 'plimsoll' })).status).toBe(400)
  expect(records(ada.state())).toEqual(before)
})
