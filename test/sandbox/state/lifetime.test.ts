import { expect, test } from 'vitest'
import { isAccessTokenOver, isCodeOver, isRefreshTokenOver } from '../../../src/sandbox/state/lifetime.ts'
import { DEFAULT_CHOICES, type Choices } from '../../../src/sandbox/choices/choices.ts'
import { open } from '../../kit/sandbox.ts'

const at = (nowMs: number, choices: Partial<Choices> = {}) => ({
  nowMs,
  choices: { ...DEFAULT_CHOICES, ...choices },
})
const ISSUED = { grant_id: 'g', issued_at_ms: 1000 }

test('an access token is valid for 3600 seconds, used or not (S27, check 35, 3)', async () => {
  const opened = open()
  const headers = await opened.bearer()
  const status = async () => (await opened.send('/organizations', { headers })).status
  opened.clock.ms += 3_599_000
  expect([await status(), await status()]).toEqual([200, 200])
  opened.clock.ms += 2000
  expect(await status()).toBe(401)
})

test.each([
  ['refused_from_3600', 3_599_999, 3_600_000],
  ['refused_after_3600', 3_600_000, 3_600_001],
  ['tolerance_15_seconds', 3_614_999, 3_615_000],
] as const)(
  'boundary %s: a token is served at an age of %d ms and refused at %d (U29, 5.4.2)',
  async (boundary, last, over) => {
    expect(isAccessTokenOver(at(1000 + last, { boundary }), ISSUED)).toBe(false)
    expect(isAccessTokenOver(at(1000 + over, { boundary }), ISSUED)).toBe(true)
    const opened = open({ choices: { boundary } })
    const headers = await opened.bearer()
    opened.clock.ms += last
    expect((await opened.send('/organizations', { headers })).status).toBe(200)
    opened.clock.ms += over - last
    expect((await opened.send('/organizations', { headers })).status).toBe(401)
  },
)

test('a code has expired from its end on (5.5)', () => {
  expect([isCodeOver(at(600_999), ISSUED), isCodeOver(at(601_000), ISSUED)]).toEqual([false, true])
})

test('a refresh token without its grant has expired (5.5)', () => {
  const grant = { client_id: 'c', person_id: 'p', organization_id: 1, permitted_at_ms: 0 }
  expect([isRefreshTokenOver(at(1e15), ISSUED, grant), isRefreshTokenOver(at(0), ISSUED, undefined)]).toEqual(
    [false, true],
  )
})
