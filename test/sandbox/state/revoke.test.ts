import { expect, test } from 'vitest'
import { atSettings } from '../_settings.ts'

test.each([
  ['at_once', 401, [0, 0, 0, 0, 0]],
  ['at_expiry', 200, [0, 0, 0, 1, 2]],
] as const)(
  'revoked %s: without its application no code or refresh is valid, a token answers %i (check 67, U38)',
  async (revoked, status, counts) => {
    const there = await atSettings({ choices: { revoked } })
    const ask = { organization_id: '2002' }
    const { access_token, refresh_token } = await there.tokens(ask, 'cleo')
    const code = await there.authorize(ask, 'cleo')
    const { decide } = await there.question(ask, 'cleo')
    const read = () => there.readWith(access_token)
    const [address = ''] = await there.handles('applications')
    expect(await read()).toBe(200)
    expect((await there.fill(address, { action: 'delete' })).status).toBe(303)
    expect(await read()).toBe(status)
    expect((await there.exchange(code)).status).toBe(401)
    expect((await there.refresh(refresh_token)).status).toBe(401)
    const { codes, access_tokens, refresh_tokens, grants, pending } = there.state()
    const kept = [codes, refresh_tokens, pending, access_tokens, grants].map(
      (records) => Object.keys(records).length,
    )
    expect(kept).toEqual(counts)
    expect((await decide('permit')).status).toBe(400)
    const again = await there.send(there.authorizePath(), { headers: there.headers })
    expect([again.status, again.headers.get('Location')]).toEqual([400, null])
    there.later(3600)
    expect(await read()).toBe(401)
  },
)

test.each([
  ['at_once', 401],
  ['at_expiry', 200],
] as const)('revoked %s: a deleted key then answers %i (U38, S44, 5.1)', async (revoked, status) => {
  const there = await atSettings({ choices: { revoked } })
  const headers = there.key(2002)
  const read = () => there.status('/organizations', headers)
  await there.fill((await there.handles('api-keys'))[0] ?? '', { action: 'delete' })
  expect([await read(), there.keys()]).toEqual([status, []])
  expect((await there.read('api-keys')).text).toContain('There is no API key of yours')
  there.later(3600)
  expect(await read()).toBe(401)
})
