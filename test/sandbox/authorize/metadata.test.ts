import { describe, expect, test } from 'vitest'
import { METADATA_PATH } from '../../../src/sandbox/authorize/redirect.tsx'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { BASE, open } from '../../kit/sandbox.ts'

async function read(choices: Partial<Choices>, path = METADATA_PATH, basePath = '') {
  const { sandbox } = open({ choices, basePath })
  const answer = await sandbox.fetch(new Request(BASE + path))
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('metadata none: there is no document (U34, 4)', async () => {
  expect((await read({})).status).toBe(404)
  expect((await read({}, `${METADATA_PATH}/a/b`, '/a/b')).status).toBe(404)
})

test('metadata rfc_8414: the document has the issuer of the request (check 64, U34, RFC 8414 3, 3.3)', async () => {
  const { status, body } = await read({ metadata: 'rfc_8414' })
  expect(status).toBe(200)
  expect(body).toEqual({
    issuer: BASE,
    authorization_endpoint: `${BASE}/oauth2/login`,
    token_endpoint: `${BASE}/oauth2/token`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
  })
})

test('the base path follows the well-known path, and the document is nowhere else (check 64, RFC 8414 3.1)', async () => {
  const { status, body } = await read({ metadata: 'rfc_8414' }, `${METADATA_PATH}/a/b`, '/a/b')
  expect(status).toBe(200)
  expect(body).toMatchObject({ issuer: `${BASE}/a/b`, token_endpoint: `${BASE}/a/b/oauth2/token` })
  for (const path of [METADATA_PATH, `/a/b${METADATA_PATH}`, `${METADATA_PATH}/a`, `${METADATA_PATH}/a/b/c`])
    expect((await read({ metadata: 'rfc_8414' }, path, '/a/b')).status).toBe(404)
})

test('metadata wrong_issuer: the issuer is another, the endpoints are right (U34, RFC 8414 3.3)', async () => {
  const { body } = await read({ metadata: 'wrong_issuer' })
  expect(body).toMatchObject({ issuer: 'https://issuer.example', token_endpoint: `${BASE}/oauth2/token` })
})

describe('it lists what the choices offer (check 63, RFC 8414 2)', () => {
  test.each<[Partial<Choices>, Record<string, unknown>]>([
    [{ redir: 'fragment' }, { response_modes_supported: ['fragment'] }],
    [{ clientauth: 'body_only' }, { token_endpoint_auth_methods_supported: ['client_secret_post'] }],
    [{ clientauth: 'basic_only' }, { token_endpoint_auth_methods_supported: ['client_secret_basic'] }],
    [{ pkce: 'enforced' }, { code_challenge_methods_supported: ['S256'] }],
    [{ pkce: 'required' }, { code_challenge_methods_supported: ['S256'] }],
    [{ redir: 'iss_right' }, { authorization_response_iss_parameter_supported: true }],
    [{ revocation: 'rfc_7009' }, { revocation_endpoint: `${BASE}/oauth2/revoke` }],
  ])('%j: %j', async (choices, members) => {
    expect((await read({ metadata: 'rfc_8414', ...choices })).body).toMatchObject(members)
  })
})
