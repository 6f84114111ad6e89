import { expect, test } from 'vitest'
import { CLIENT } from '../_sandbox.ts'
import { APPLICATION, atSettings, records } from '../_settings.ts'

test('name, description and redirect URI can be edited; the Client Id and Secret stay (U79, 5.2)', async () => {
  const { fill, handles, applications, read } = await atSettings()
  const [address = ''] = await handles('applications')
  expect((await read(address)).text).toContain('value="http://localhost:3000/callback"')
  const { to } = await fill(address, { action: 'save', ...APPLICATION, description: '' })
  expect(to).toContain('done=application_saved')
  const { agreement: _, ...edited } = APPLICATION
  expect(applications()).toEqual([{ ...CLIENT, ...edited, organization_id: 2002 }])
})

test('an edited redirect URI is the only one that counts, for open consent pages too (U79, check 2, RFC 6749 3.1.2.4)', async () => {
  const { fill, handles, ask, post, send, headers, authorizePath } = await atSettings()
  const { csrfToken, cookie } = await ask({ organization_id: '2002' }, 'cleo')
  await fill((await handles('applications'))[0] ?? '', { action: 'save', ...APPLICATION })
  expect((await post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)).status).toBe(
    400,
  )
  expect((await send(authorizePath(), { headers })).headers.get('Location')).toBeNull()
  const path = authorizePath({ redirect_uri: APPLICATION.redirect_uri, organization_id: '2002' })
  expect(await (await send(path, { headers })).text()).toContain('Permit')
})

test.each([
  [{ name: '' }, 'Enter the application name.'],
  [{ redirect_uri: 'http://a.example/' }, 'is for this machine only'],
  [{ description: 'x'.repeat(501) }, 'at most 500 are allowed'],
])(
  'a refused edit shows the error and changes nothing: %o (check 38, check 39, U79)',
  async (fields, message) => {
    const { fill, handles, state } = await atSettings()
    const before = records(state())
    const [address = ''] = await handles('applications')
    const { status, text } = await fill(address, { action: 'save', ...APPLICATION, ...fields })
    expect([status, records(state())]).toEqual([422, before])
    expect(text).toContain(message)
  },
)

test.each([
  ['edit_and_delete', { save: 303, renew: 400, delete: 303 }],
  ['edit_delete_and_new_secret', { save: 303, renew: 303, delete: 303 }],
  ['delete_only', { save: 400, renew: 400, delete: 303 }],
] as const)('with %s, the page offers and does just that (U79, 5.2)', async (appedit, expected) => {
  const { fill, handles, read } = await atSettings({ choices: { appedit } })
  const [address = ''] = await handles('applications')
  const { text } = await read(address)
  for (const [action, status] of Object.entries(expected)) {
    expect([action, text.includes(`value="${action}"`)]).toEqual([action, status === 303])
    expect([action, (await fill(address, { action, ...APPLICATION })).status]).toEqual([action, status])
  }
})

test.each([
  ['at_once', 401],
  ['at_expiry', 200],
] as const)('with %s, a token of before a new secret answers %i (U79, U38)', async (revoked, status) => {
  const choices = { appedit: 'edit_delete_and_new_secret', revoked } as const
  const there = await atSettings({ choices })
  const { body } = await there.exchange(await there.authorize({ organization_id: '2002' }, 'cleo'))
  await there.fill((await there.handles('applications'))[0] ?? '', { action: 'renew' })
  const headers = { Authorization: `Bearer ${body.access_token}` }
  expect((await there.send('/organizations/2002', { headers })).status).toBe(status)
  expect((await there.refresh(body['refresh_token'])).status).toBe(401)
  const { client_secret } = there.applications()[0] ?? {}
  expect(client_secret).not.toBe(CLIENT.client_secret)
  const refreshed = await there.refresh(body['refresh_token'], { client_secret })
  expect(refreshed.status).toBe(revoked === 'at_once' ? 400 : 200)
})

test('an application of another organization is not found (S50, 5.2)', async () => {
  const { handles } = await atSettings()
  const [address = ''] = await handles('applications')
  const ada = await atSettings({}, 'ada')
  expect((await ada.read(address)).status).toBe(404)
  expect((await ada.fill(address, { action: 'delete' })).status).toBe(404)
})
