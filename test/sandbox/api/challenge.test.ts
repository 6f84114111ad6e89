import { expect, test } from 'vitest'
import { bearerChallenge } from '../../../src/sandbox/api/challenge.ts'
import { open } from '../_sandbox.ts'

test('a challenge has a realm, and error and scope where there are any (RFC 6750 3)', () => {
  expect(bearerChallenge()).toEqual({ 'WWW-Authenticate': 'Bearer realm="api"' })
  expect(bearerChallenge({ error: 'insufficient_scope', scope: 'write' })).toEqual({
    'WWW-Authenticate': 'Bearer realm="api", error="insufficient_scope", scope="write"',
  })
})

test('a 401 because of the month has a realm and an error, as the request had a credential (U66, RFC 6750 3)', async () => {
  const { sandbox, send, key } = open({ choices: { monthly: 'status_401' } })
  sandbox.control.changeLimits({ '1001': { per_month: 0 } })
  const answer = await send('/organizations', { headers: key() })
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([
    401,
    'Bearer realm="api", error="monthly_limit_exceeded"',
  ])
})
