import { expect, test } from 'vitest'
import { atSettings } from '../_settings.ts'

const HOUR_MS = 3_600_000

/** Gives Cleo an unused code and the tokens of another code. @returns also the deletion of the application */
async function atDeletion(revoked: 'at_once' | 'at_expiry') {
  const there = await atSettings({ choices: { revoked } })
  const ask = { organization_id: '2002' }
  const { body } = await there.exchange(await there.authorize(ask, 'cleo'))
  const code = await there.authorize(ask, 'cleo')
  const question = await there.ask(ask, 'cleo')
  const read = async () => {
    const headers = { Authorization: `Bearer ${body.access_token}` }
    return (await there.send('/organizations/2002', { headers })).status
  }
  const [address = ''] = await there.handles('applications')
  const remove = () => there.fill(address, { action: 'delete' })
  return { ...there, code, body, question, read, remove }
}

test('a deleted application loses its codes and tokens at once (check 67, RFC 6749 3.2.1, U38)', async () => {
  const there = await atDeletion('at_once')
  expect(await there.read()).toBe(200)
  expect((await there.remove()).status).toBe(303)
  expect(await there.read()).toBe(401)
  expect((await there.exchange(there.code)).status).toBe(401)
  expect((await there.refresh(there.body['refresh_token'])).status).toBe(401)
  const { codes, access_tokens, refresh_tokens, grants, pending } = there.state()
  expect({ codes, access_tokens, refresh_tokens, grants, pending }).toEqual({
    codes: {},
    access_tokens: {},
    refresh_tokens: {},
    grants: {},
    pending: {},
  })
})

test('with at_expiry only its access tokens stay valid to their end (check 67, U38)', async () => {
  const there = await atDeletion('at_expiry')
  await there.remove()
  expect(await there.read()).toBe(200)
  expect((await there.exchange(there.code)).status).toBe(401)
  expect((await there.refresh(there.body['refresh_token'])).status).toBe(401)
  there.clock.ms += HOUR_MS
  expect(await there.read()).toBe(401)
})

test('an open consent page of a deleted application gives no code (check 67, RFC 6749 4.1.2.1)', async () => {
  const there = await atDeletion('at_expiry')
  await there.remove()
  const { csrfToken, cookie } = there.question
  expect(
    (await there.post('/oauth2/permission', { csrf_token: csrfToken, answer: 'permit' }, cookie)).status,
  ).toBe(400)
  const known = await there.send(there.authorizePath(), { headers: there.headers })
  expect([known.status, known.headers.get('Location')]).toEqual([400, null])
})

test.each([
  ['at_once', 401],
  ['at_expiry', 200],
] as const)('with %s, a deleted key then answers %i (U38, S44, 5.1)', async (revoked, status) => {
  const there = await atSettings({ choices: { revoked } })
  const headers = there.key(2002)
  const read = async () => (await there.send('/organizations', { headers })).status
  const [address = ''] = await there.handles('api-keys')
  await there.fill(address, { action: 'delete' })
  expect(await read()).toBe(status)
  expect(there.keys()).toEqual([])
  expect((await there.read('api-keys')).text).toContain('There is no API key of yours')
  there.clock.ms += HOUR_MS
  expect(await read()).toBe(401)
})
