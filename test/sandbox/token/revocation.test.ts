import { describe, expect, test } from 'vitest'
import { CLIENT, open, seed } from '../../kit/sandbox.ts'

const OTHER = { client_id: 'other', client_secret: 'others-secret' }

/** A sandbox with the endpoint, in which a person has signed in and refreshed. */
async function signedIn() {
  const known = seed()
  const applications = [...known.applications, { ...known.applications[0]!, ...OTHER }]
  const opened = open({ choices: { revocation: 'rfc_7009' }, seed: { ...known, applications } })
  const first = await opened.exchange(await opened.authorize())
  const second = await opened.refresh(first.body.refresh_token)
  const revoke = async (fields: Record<string, string | undefined>, headers?: Record<string, string>) => {
    const answer = await opened.post('/oauth2/revoke', { ...CLIENT, ...fields }, headers)
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      error: text ? JSON.parse(text).error : undefined,
    }
  }
  const status = async (token?: string) =>
    (await opened.send('/organizations', { headers: { Authorization: `Bearer ${token}` } })).status
  return { ...opened, revoke, status, old: first.body, newest: second.body }
}

test('revocation none: there is no endpoint (U33, 4)', async () => {
  const answer = await open().post('/oauth2/revoke', { ...CLIENT, token: 'any' })
  expect([answer.status, (await open().send('/oauth2/revoke')).status]).toEqual([404, 404])
})

describe('revocation rfc_7009 (check 65, U33)', () => {
  test('a refresh token is revoked with every token of its grant (RFC 7009 2.1)', async () => {
    const { revoke, refresh, status, old, newest } = await signedIn()
    expect((await revoke({ token: newest.refresh_token })).status).toBe(200)
    expect([await status(old.access_token), await status(newest.access_token)]).toEqual([401, 401])
    expect((await refresh(newest.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('an access token is revoked alone, whatever the hint (RFC 7009 2.1)', async () => {
    const { revoke, refresh, status, old, newest } = await signedIn()
    const fields = { token: newest.access_token, token_type_hint: 'refresh_token' }
    expect((await revoke(fields)).status).toBe(200)
    expect([await status(old.access_token), await status(newest.access_token)]).toEqual([200, 401])
    expect((await refresh(newest.refresh_token)).status).toBe(200)
  })

  test('an unknown token answers 200, again and again (RFC 7009 2.2)', async () => {
    const { revoke, newest } = await signedIn()
    for (const token of ['bogus', 'constructor', newest.refresh_token, newest.refresh_token])
      expect((await revoke({ token })).status).toBe(200)
  })

  test('the application authenticates itself, in either way (RFC 7009 2.1)', async () => {
    const { revoke, status, newest } = await signedIn()
    const token = newest.access_token
    const wrong = await revoke({ token, client_secret: 'wrong' })
    expect([wrong.status, wrong.error, wrong.headers.has('WWW-Authenticate')]).toEqual([
      401,
      'invalid_client',
      true,
    ])
    expect((await revoke({ token, client_secret: undefined })).status).toBe(401)
    expect(await status(token)).toBe(200)
    const basic = Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64')
    const none = { client_id: undefined, client_secret: undefined }
    expect((await revoke({ token, ...none }, { Authorization: `Basic ${basic}` })).status).toBe(200)
    expect(await status(token)).toBe(401)
  })

  test('the tokens of another application are refused, and stay valid (RFC 7009 2.1)', async () => {
    const { revoke, refresh, status, newest } = await signedIn()
    for (const token of [newest.access_token, newest.refresh_token])
      expect(await revoke({ ...OTHER, token })).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect([await status(newest.access_token), (await refresh(newest.refresh_token)).status]).toEqual([
      200, 200,
    ])
  })

  test('a code is of a type that cannot be revoked (RFC 7009 2.2.1)', async () => {
    const { revoke, authorize, exchange } = await signedIn()
    const code = await authorize()
    expect(await revoke({ token: code })).toMatchObject({ status: 400, error: 'unsupported_token_type' })
    expect((await exchange(code)).status).toBe(200)
  })

  test.each([
    ['no token', { token: undefined }],
    ['an empty token', { token: '' }],
  ])('%s is refused (RFC 7009 2.2.1)', async (_, fields) => {
    expect(await (await signedIn()).revoke(fields)).toMatchObject({ status: 400, error: 'invalid_request' })
  })

  test('it takes POST only (RFC 9110 15.5.6)', async () => {
    const answer = await (await signedIn()).send('/oauth2/revoke')
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST'])
  })

  test('a person is asked again after a grant was revoked (RFC 7009 2.1)', async () => {
    const { sandbox, revoke, newest } = await signedIn()
    await revoke({ token: newest.refresh_token })
    const later = open({ state: sandbox.snapshot(), choices: { consent: 'remembered' } })
    expect((await later.ask()).page).toContain('Permit')
  })
})
