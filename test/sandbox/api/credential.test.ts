import { expect, test } from 'vitest'
import { STANDARD_KEY } from '../../kit/sandbox.ts'
import { bearerOf, each, type Start, start } from '../_start.ts'

const READS = ['/organizations', '/organizations/1001', '/rate_limit']
const challenge = (error: string) => `Bearer realm="api", error="${error}"`

/** @returns the status, the challenge and the error word of a read */
async function refusal({ send }: Start, headers: Record<string, string>) {
  const answer = await send('/organizations', { headers })
  return [answer.status, answer.headers.get('WWW-Authenticate'), (await answer.json()).error]
}
const INVALID = [401, challenge('invalid_token'), 'invalid_token']

test('a credential in the address or in the body is ignored (S45, S64, check 42, check 56, RFC 9700 4.3.2)', async () => {
  const { send, post, tokens } = start()
  const { access_token = '' } = await tokens()
  for (const search of [`access_token=${access_token}`, `X-Service-Api-Key=${STANDARD_KEY}`]) {
    const answer = await send(`/organizations?${search}`)
    expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="api"'])
  }
  expect((await post('/organizations', { access_token })).status).toBe(405)
})

const EITHER = [200, 200]
each('methodpath', {
  both_everywhere: [EITHER, EITHER, EITHER],
  as_in_examples: [[200, 401], [401, 200], EITHER],
})(
  'each read by key and by token (S4, S31, S32, S33, S45, S64, U40, check 58)',
  async ({ status, key, tokens }) => {
    const token = { Authorization: `bEARER ${(await tokens()).access_token}` }
    const headers = { 'x-SERVICE-api-KEY': key()['X-Service-Api-Key'] }
    const seen: number[][] = []
    for (const path of READS) seen.push([await status(path, headers), await status(path, token)])
    return seen
  },
)

/** @returns the answers to an unknown token and to an expired one, since a choice is for one of them */
async function unknownAndExpired(there: Start) {
  const { access_token } = await there.tokens()
  there.later(3600)
  return [await refusal(there, bearerOf('unknown')), await refusal(there, bearerOf(access_token))]
}

each('invalidcred', {
  invalid_token_401: [INVALID, INVALID],
  bare_401: [[401, null, 'invalid_token'], INVALID],
  status_403: [[403, null, 'invalid_token'], INVALID],
  status_404: [[404, null, 'not_found'], INVALID],
})('the answers to an unknown and to an expired token (U36)', unknownAndExpired)

each('expired', {
  invalid_token_401: [INVALID, INVALID],
  token_expired_401: [INVALID, [401, challenge('token_expired'), 'token_expired']],
  status_403: [INVALID, [403, null, 'invalid_token']],
  status_440: [INVALID, [440, null, 'invalid_token']],
})('the answers to an unknown and to an expired token (U37, check 35, RFC 6749 7)', unknownAndExpired)

each('scope', { none: [405, 200], in_token_response: [405, 200], read_only: [403, 200] })(
  'the answers to an update and to a read (U48)',
  async ({ status, tokens }) => {
    const headers = bearerOf((await tokens()).access_token)
    return [await status('/organizations', headers, 'PUT'), await status('/organizations', headers)]
  },
)

test('a refusal names the scope that would be enough (U48, check 59, RFC 6750 3.1)', async () => {
  const { send, status, bearer } = start({ choices: { scope: 'read_only' } })
  const answer = await send('/tasks', { method: 'POST', headers: await bearer() })
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([
    403,
    `${challenge('insufficient_scope')}, scope="write"`,
  ])
  expect(await answer.json()).toMatchObject({ error: 'insufficient_scope' })
  // Without a credential, the missing credential is the reason.
  expect(await status('/rate_limit', {}, 'POST')).toBe(405)
})
