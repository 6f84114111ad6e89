import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open } from '../../kit/sandbox.ts'

test.each<[Choices['scope'], number]>([
  ['none', 405],
  ['in_token_response', 405],
  ['read_only', 403],
])('the choice %s answers %i to an update (U48)', async (scope, status) => {
  const { send, bearer } = open({ choices: { scope } })
  const headers = await bearer()
  expect((await send('/organizations', { method: 'PUT', headers })).status).toBe(status)
  expect((await send('/organizations', { headers })).status).toBe(200)
})

test('a refusal names the scope that would be enough (check 59, RFC 6750 3.1)', async () => {
  const { send, bearer } = open({ choices: { scope: 'read_only' } })
  const answer = await send('/tasks', { method: 'POST', headers: await bearer() })
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([
    403,
    'Bearer realm="api", error="insufficient_scope", scope="write"',
  ])
  expect(await answer.json()).toMatchObject({ error: 'insufficient_scope' })
  // Without a credential, the missing credential is the reason.
  expect((await send('/rate_limit', { method: 'POST' })).status).toBe(405)
})

test('a scope in a request is ignored (S103, 5.5)', async () => {
  const { exchange, refresh, authorize, send } = open()
  const { body } = await exchange(await authorize({ scope: 'nothing' }), { scope: 'nothing' })
  expect(Object.keys(body)).not.toContain('scope')
  const again = (await refresh(body.refresh_token, { scope: 'nothing' })).body
  const headers = { Authorization: `Bearer ${again.access_token}` }
  expect((await send('/organizations', { headers })).status).toBe(200)
})
