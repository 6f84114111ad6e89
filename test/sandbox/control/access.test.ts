import { describe, expect, test } from 'vitest'
import { denialOf } from '../../../src/sandbox/control/control.ts'
import { BASE, CONTROL, openControl } from '../_control.ts'

const asked = (headers: Record<string, string>, method = 'GET', token?: string) =>
  denialOf(new Request(`${CONTROL}/profile`, { method, headers }), {
    apiKeyHeader: 'X-Service-Api-Key',
    token,
  })?.word

describe('the control plane accepts', () => {
  test.each([
    ['a tool', {}],
    ['its own page', { 'Sec-Fetch-Site': 'same-origin', Origin: CONTROL }],
    ['its own form, without referrer', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
  ])('a request of %s', (_, headers) => expect(asked(headers, 'POST')).toBeUndefined())

  test('its token, if it has one', () => {
    const headers = { Authorization: 'bearer the-token' }
    expect([asked(headers, 'GET', 'the-token'), asked(headers, 'POST', 'the-token')]).toEqual([
      undefined,
      undefined,
    ])
    expect(asked({ ...headers, Origin: 'http://evil.example' }, 'POST', 'the-token')).toBe('forged_request')
  })

  test('a link from another site', () => {
    const navigation = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    }
    expect(asked(navigation)).toBeUndefined()
  })
})

describe('the control plane refuses (check 69)', () => {
  test.each([
    { Authorization: 'Bearer anything' },
    { Authorization: 'Basic anything' },
    { 'X-Service-Api-Key': 'key-of-standard' },
  ])('a credential of the service, %o', (headers) => {
    expect([asked(headers), asked(headers, 'POST')]).toEqual(['service_credential', 'service_credential'])
  })

  test.each([
    {},
    { Authorization: 'Bearer another' },
    { Authorization: 'Bearer the-token-and-more' },
    { Authorization: 'Basic the-token' },
    { Authorization: 'the-token' },
    { 'X-Service-Api-Key': 'the-token' },
    { Authorization: 'Bearer the-token', 'X-Service-Api-Key': 'key-of-standard' },
  ])('%o, if it has a token', (headers) => {
    expect([asked(headers, 'GET', 'the-token'), asked(headers, 'POST', 'the-token')]).toEqual([
      'control_token',
      'control_token',
    ])
  })

  test.each([
    ['another origin', { Origin: 'http://127.0.0.1:4000' }],
    ['another origin with the same prefix', { Origin: `${CONTROL}.evil.example` }],
    ['Origin null without Fetch Metadata', { Origin: 'null' }],
    ['the same site on another port', { 'Sec-Fetch-Site': 'same-site', Origin: CONTROL }],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('a request of %s', (_, headers) => expect(asked(headers, 'POST')).toBe('forged_request'))

  test('another site that reads or embeds a page', () => {
    for (const headers of [
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
    ])
      expect(asked(headers)).toBe('forged_request')
  })
})

test('the service and the control plane do not answer addresses of the other (check 69)', async () => {
  const { sandbox, ask, page, send, key } = openControl()
  const csrfToken = /name="csrf_token" value="([^"]+)"/.exec(await page())?.[1] ?? ''
  for (const path of ['/profile', '/clock', '/snapshot', '/choices', '/ledger', '/tokens'])
    expect((await send(path, { headers: key() })).status).toBe(404)
  const headers = { Authorization: `Bearer ${csrfToken}` }
  expect((await send('/organizations', { headers })).status).toBe(401)
  for (const path of ['/organizations', '/oauth2/login', '/oauth2/token', '/rate_limit', '/projects'])
    expect((await ask(path)).status).toBe(404)
  expect((await ask('/organizations', { headers: key() })).status).toBe(403)
  expect((await sandbox.fetch(new Request(`${BASE}/rate_limit`, { headers: key() }))).status).toBe(200)
})
