import { expect, test } from 'vitest'
import { firstState, type SandboxState } from '../../../src/sandbox/state/state.ts'
import { addRecord, deleteExpired } from '../../../src/sandbox/state/issued.ts'
import { open, seed } from '../../kit/sandbox.ts'

const DAY_MS = 86_400_000

test('a token that expired a day ago answers like one never issued, with or without its record (U37)', async () => {
  const { bearer, send, clock } = open({ choices: { expired: 'token_expired_401' } })
  const headers = await bearer()
  const word = async () => (await (await send('/organizations', { headers })).json()).error
  clock.ms += DAY_MS + 3_599_999
  expect(await word()).toBe('token_expired')
  clock.ms += 1
  expect(await word()).toBe('invalid_token')
})

test('a refresh token that was replaced 30 days ago answers like one that was never issued (U25)', async () => {
  const { authorize, exchange, refresh, clock } = open({ choices: { reuse: 'refused_family_revoked' } })
  const { body } = await exchange(await authorize())
  const next = (await refresh(body.refresh_token)).body.refresh_token
  clock.ms += 30 * DAY_MS
  expect((await refresh(body.refresh_token)).status).toBe(400)
  expect((await refresh(next)).status).toBe(200)
})

test('a grant without valid codes and tokens does not count as permitted (U9)', async () => {
  const { authorize, clock, ask } = open({ choices: { consent: 'remembered' } })
  await authorize()
  clock.ms += 600_000
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

test('with thousands of valid records, a sweep looks at two for each one that is added', () => {
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
})

test('expired records are deleted: never more than twice the valid ones are stored', () => {
  const state = firstState(seed())
  const looked = addSignIns(state, { from: 0, to: 5000, lifetimeMs: 100_000 })
  expect(Object.keys(state.sign_ins).length).toBeLessThanOrEqual(201)
  expect(looked).toBeLessThanOrEqual(15_000)
})

test('a record that replaces one with the same key is not an addition', () => {
  const state = firstState(seed())
  for (const signed_in_at_ms of [1, 2])
    addRecord(
      state,
      'sign_ins',
      ['cookie', { person_id: 'ada', signed_in_at_ms }],
      ({ signed_in_at_ms: ms }) => ms === 2,
    )
  expect(state.sign_ins).toEqual({ cookie: { person_id: 'ada', signed_in_at_ms: 2 } })
})

test('deleteExpired deletes expired records and counts the rest', () => {
  const records = { a: 1, b: 2, c: 3 }
  expect(deleteExpired(records, (value) => value > 1)).toBe(1)
  expect(records).toEqual({ a: 1 })
})
