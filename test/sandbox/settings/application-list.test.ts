import { expect, test } from 'vitest'
import { seed } from '../_sandbox.ts'
import { APPLICATION, atSettings, issued, records } from '../_settings.ts'

test('the application setting has the list and the action "add application" (S47, 5.2)', async () => {
  const { read, at } = await atSettings()
  const { status, text } = await read('applications')
  expect(status).toBe(200)
  expect(text).toContain('<h1>Application setting</h1>')
  expect(text).toMatch(
    /<a [^>]*href="[^"]*settings\/applications\/add\?organization_id=2002"[^>]*>.*?add application/,
  )
  expect(text).toContain('Plimsoll')
  expect((await read('')).text).toContain(`href=".${at('applications')}"`)
})

test('a registered application shows its Client Id and Client Secret (S49, 5.2)', async () => {
  const { fill, read, applications } = await atSettings()
  expect((await fill('applications/add', APPLICATION)).to).toContain('settings/applications?')
  const { client_id = '', client_secret = '' } = applications()[1] ?? {}
  const { text } = await read('applications')
  expect(text.slice(text.indexOf('Tide table'))).toMatch(
    new RegExp(`Client Id</dt>.*${client_id}.*Client Secret</dt>.*${client_secret}`, 's'),
  )
})

test('http on this machine is listed with a warning, https without (check 39, RFC 9700 2.6)', async () => {
  const { read, fill, handles } = await atSettings()
  const warning = 'the code is sent unencrypted'
  expect((await read('applications')).text).toContain(warning)
  await fill((await handles('applications'))[0] ?? '', { action: 'save', ...APPLICATION })
  expect((await read('applications')).text).not.toContain(warning)
})

test('an organization without applications and keys: every sign-in, token request and read is refused (S40, 5)', async () => {
  const known = { ...seed(), applications: [], api_keys: [] }
  const { read, send, headers, authorizePath, token, state } = await atSettings({ seed: known })
  expect((await read('applications')).text).toContain('No application is registered yet.')
  expect((await read('api-keys')).text).toContain('No API key is issued yet.')
  expect((await send(authorizePath({ organization_id: '2002' }), { headers })).status).toBe(400)
  const grant = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'plimsoll', client_secret: 'x' }
  expect((await token(grant)).status).toBe(401)
  for (const sent of [{}, { 'X-Service-Api-Key': 'x' }, { Authorization: 'Bearer x' }])
    expect((await send('/organizations', { headers: sent })).status).toBe(401)
  expect(state()).toMatchObject({ applications: [], api_keys: [], access_tokens: {} })
})

test('only administrators may open the screens and send their forms (S50, 5.2)', async () => {
  const there = await atSettings({ seed: issued(seed(), 1001, { applications: 1 }) }, 'ben')
  const before = records(there.state())
  const ada = await atSettings({ state: there.state() }, 'ada')
  const [address = ''] = await ada.handles('applications')
  for (const path of ['applications', 'applications/add', address]) {
    const { status, text } = await there.read(path)
    expect([status, text]).toEqual([403, expect.stringContaining('Ada Lindqvist')])
    expect(text).not.toMatch(/client-1|secret-1|add application/i)
  }
  for (const [path, fields] of [
    ['applications/add', APPLICATION],
    [address, { action: 'save', ...APPLICATION }],
    [address, { action: 'delete' }],
  ] as const)
    expect((await there.fill(path, fields)).status).toBe(403)
  expect(records(there.state())).toEqual(before)
})
