import { expect, test } from 'vitest'
import { CALLBACK } from '../../kit/sandbox.ts'
import { atSettings, records } from '../_settings.ts'

const choices = { states: 'grants_withdrawable' } as const
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
