import { expect, test } from 'vitest'
import { bearerChallenge } from '../../../src/sandbox/api/challenge.ts'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open } from '../../kit/sandbox.ts'

/** @returns the status, the challenge and the error word of a read */
async function refusal(choices: Partial<Choices>, headers: 'none' | 'unknown' | 'expired') {
  const { send, bearer, clock } = open({ choices })
  const expired = headers === 'expired' ? await bearer() : {}
  clock.ms += 3_600_000
  const sent = { none: {}, unknown: { Authorization: 'Bearer unknown' }, expired }[headers]
  const answer = await send('/organizations', { headers: sent })
  const { error } = await answer.json()
  return { status: answer.status, challenge: answer.headers.get('WWW-Authenticate'), error, answer }
}

test.each<[Choices['missingcred'], number, string | null]>([
  ['challenge_401', 401, 'Bearer realm="api"'],
  ['bare_401', 401, null],
  ['status_403', 403, null],
  ['status_400', 400, null],
  ['redirect_302', 302, null],
  ['error_200', 200, null],
])(
  'without a credential, the choice %s answers %i with the challenge %s (U35)',
  async (missingcred, status, challenge) => {
    const found = await refusal({ missingcred }, 'none')
    expect(found).toMatchObject({ status, challenge, error: undefined })
    expect(found.answer.headers.get('Location')).toBe(status === 302 ? './projects' : null)
  },
)

test.each<[Choices['invalidcred'], number, string | null, string]>([
  ['invalid_token_401', 401, 'Bearer realm="api", error="invalid_token"', 'invalid_token'],
  ['bare_401', 401, null, 'invalid_token'],
  ['status_403', 403, null, 'invalid_token'],
  ['status_404', 404, null, 'not_found'],
])(
  'to an unknown token, the choice %s answers %i with the challenge %s (U36)',
  async (invalidcred, status, challenge, error) => {
    expect(await refusal({ invalidcred }, 'unknown')).toMatchObject({ status, challenge, error })
    // The choice for one does not apply to the other.
    expect(await refusal({ invalidcred }, 'expired')).toMatchObject({ status: 401, error: 'invalid_token' })
  },
)

test.each<[Choices['expired'], number, string | null, string]>([
  ['invalid_token_401', 401, 'Bearer realm="api", error="invalid_token"', 'invalid_token'],
  ['token_expired_401', 401, 'Bearer realm="api", error="token_expired"', 'token_expired'],
  ['status_403', 403, null, 'invalid_token'],
  ['status_440', 440, null, 'invalid_token'],
])(
  'to an expired token, the choice %s answers %i with the challenge %s (U37)',
  async (expired, status, challenge, error) => {
    expect(await refusal({ expired }, 'expired')).toMatchObject({ status, challenge, error })
    expect(await refusal({ expired }, 'unknown')).toMatchObject({ status: 401, error: 'invalid_token' })
  },
)

test('every 401 has a challenge (check 60, RFC 9110 15.5.2)', async () => {
  const { send, token, post } = open()
  const answers = [
    await send('/organizations'),
    await send('/rate_limit', { headers: { 'X-Service-Api-Key': 'unknown' } }),
    await post('/oauth2/token', { grant_type: 'refresh_token', client_id: 'unknown', refresh_token: 'x' }),
    await token({
      grant_type: 'authorization_code',
      code: 'x',
      client_id: 'plimsoll',
      client_secret: 'wrong',
    }),
  ]
  for (const { status, headers } of answers)
    expect([status, headers.has('WWW-Authenticate')]).toEqual([401, true])
})

test('a challenge has a realm, and an error and a scope if there are any (RFC 6750 3)', () => {
  expect(bearerChallenge()).toEqual({ 'WWW-Authenticate': 'Bearer realm="api"' })
  expect(bearerChallenge({ error: 'insufficient_scope', scope: 'write' })).toEqual({
    'WWW-Authenticate': 'Bearer realm="api", error="insufficient_scope", scope="write"',
  })
})

test('a 401 because of the month has a realm and an error in its challenge (U66, RFC 6750 3)', async () => {
  const { sandbox, send, key } = open({ choices: { monthly: 'status_401' } })
  sandbox.control.changeLimits({ '1001': { per_month: 0 } })
  const answer = await send('/organizations', { headers: key() })
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([
    401,
    'Bearer realm="api", error="monthly_limit_exceeded"',
  ])
})
