import { expect, test } from 'vitest'
import { firstState, type SandboxState } from '../../../src/sandbox/state/state.ts'
import { addRecord, deleteExpired } from '../../../src/sandbox/state/issued.ts'
import { seed } from '../../kit/sandbox.ts'
import { atSettings } from '../_settings.ts'
import { start } from '../_start.ts'

const DAY = 86_400

test('an expired token and an old refresh token end as ones that were never issued (U25, U37)', async () => {
  const { tokens, refresh, send, later } = start({
    choices: { expired: 'token_expired_401', reuse: 'refused_family_revoked' },
  })
  const { access_token, refresh_token } = await tokens()
  const next = (await refresh(refresh_token)).body.refresh_token
  const headers = { Authorization: `Bearer ${access_token}` }
  const word = async () => (await (await send('/organizations', { headers })).json()).error
  later(DAY + 3600, -1)
  expect(await word()).toBe('token_expired')
  later(0, 1)
  expect(await word()).toBe('invalid_token')
  later(29 * DAY - 3600)
  expect([(await refresh(refresh_token)).status, (await refresh(next)).status]).toEqual([400, 200])
})

test('a grant without valid codes and tokens does not count as permitted (U9)', async () => {
  const { authorize, later, ask } = start({ choices: { consent: 'remembered' } })
  await authorize()
  later(600)
  expect((await ask()).csrfToken).not.toBe('')
})

/** Adds sign-ins `from` to `to`, one a second, for `lifetimeMs`. @returns the number that sweeps look at */
function addSignIns(
  state: SandboxState,
  { from, to, lifetimeMs }: Record<'from' | 'to' | 'lifetimeMs', number>,
) {
  let looked = 0
  for (let nth = from; nth < to; nth += 1)
    addRecord(
      state,
      'sign_ins',
      [`cookie-${nth}`, { person_id: 'ada', signed_in_at_ms: nth * 1000 }],
      (known) => {
        looked += 1
        return nth * 1000 - known.signed_in_at_ms >= lifetimeMs
      },
    )
  return looked
}

test('a sweep looks at two records for each one added, and never keeps twice the valid ones', () => {
  const state = firstState(seed())
  for (const [from, to] of [
    [0, 1000],
    [1000, 4000],
    [4000, 16_000],
  ] as const) {
    const looked = addSignIns(state, { from, to, lifetimeMs: Infinity })
    expect(looked / (to - from)).toBeLessThanOrEqual(3)
  }
  expect(Object.keys(state.sign_ins)).toHaveLength(16_000)

  const expiring = firstState(seed())
  expect(addSignIns(expiring, { from: 0, to: 5000, lifetimeMs: 100_000 })).toBeLessThanOrEqual(15_000)
  expect(Object.keys(expiring.sign_ins).length).toBeLessThanOrEqual(201)
})

test('a record that replaces one with the same key is not an addition; deleteExpired counts the rest', () => {
  const state = firstState(seed())
  for (const signed_in_at_ms of [1, 2])
    addRecord(
      state,
      'sign_ins',
      ['cookie', { person_id: 'ada', signed_in_at_ms }],
      (one) => one.signed_in_at_ms === 2,
    )
  expect(state.sign_ins).toEqual({ cookie: { person_id: 'ada', signed_in_at_ms: 2 } })
  const records = { a: 1, b: 2, c: 3 }
  expect([deleteExpired(records, (value) => value > 1), records]).toEqual([1, { a: 1 }])
})

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
