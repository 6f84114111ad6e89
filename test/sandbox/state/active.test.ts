import { describe, expect, test } from 'vitest'
import { isActive } from '../../../src/sandbox/state/active.ts'
import { CLIENT, open } from '../../kit/sandbox.ts'
import { atSettings } from '../_settings.ts'

const HOUR_MS = 3_600_000

describe('a key or an application', () => {
  const context = (revoked: 'at_once' | 'at_expiry', nowMs = 1000) =>
    ({ choices: { ...open().sandbox.snapshot().choices, revoked }, nowMs }) as const

  test('is active until a person or a plan disables it (U51, U74)', () => {
    expect(isActive(context('at_once'), {})).toBe(true)
    for (const disabled_by of ['person', 'plan'] as const)
      expect(isActive(context('at_once'), { disabled_by })).toBe(false)
  })

  test('that is deleted stays active for the lifetime of a token, if chosen (U38)', () => {
    expect(isActive(context('at_once'), { deleted_at_ms: 1000 })).toBe(false)
    expect(isActive(context('at_expiry', HOUR_MS - 1), { deleted_at_ms: 0 })).toBe(true)
    expect(isActive(context('at_expiry', HOUR_MS), { deleted_at_ms: 0 })).toBe(false)
    expect(isActive(context('at_expiry'), { deleted_at_ms: 0, disabled_by: 'person' })).toBe(false)
  })
})

test('a disabled application gets no question, no code and no token until it is enabled (U51, 5.2)', async () => {
  const there = await atSettings({ choices: { states: 'can_be_disabled' } })
  const { body } = await there.exchange(await there.authorize({ organization_id: '2002' }, 'cleo'))
  const code = await there.authorize({ organization_id: '2002' }, 'cleo')
  const headers = { Authorization: `Bearer ${body.access_token}` }
  const read = async () => (await there.send('/organizations/2002', { headers })).status
  const [address = ''] = await there.handles('applications')
  await there.fill(address, { action: 'disable' })
  expect(await read()).toBe(401)
  expect((await there.exchange(code)).status).toBe(401)
  expect((await there.refresh(body['refresh_token'])).status).toBe(401)
  expect((await there.send(there.authorizePath(), { headers: there.headers })).status).toBe(400)
  await there.fill(address, { action: 'enable' })
  expect(await read()).toBe(200)
  expect((await there.exchange(code)).status).toBe(200)
  expect(there.applications()[0]).toMatchObject(CLIENT)
})
