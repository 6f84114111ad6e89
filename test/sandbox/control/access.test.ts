import { describe, expect, test } from 'vitest'
import { denialOf } from '../../../src/sandbox/control/control.ts'
import { BASE, CONTROL, openControl } from '../_control.ts'

const asked = (headers: Record<string, string>, method = 'GET', url = CONTROL) =>
  denialOf(new Request(`${url}/profile`, { method, headers }), 'X-Service-Api-Key')?.word

describe('the control plane accepts', () => {
  test.each(['http://127.0.0.1:4001', 'http://localhost:4001', 'http://[::1]:4001', 'http://127.0.0.1'])(
    'the host %s',
    (url) => expect(asked({}, 'GET', url)).toBeUndefined(),
  )

  test.each([
    ['a tool', {}],
    ['its own page', { 'Sec-Fetch-Site': 'same-origin', Origin: CONTROL }],
    ['its own form, without referrer', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
  ])('a request of %s', (_, headers) => expect(asked(headers, 'POST')).toBeUndefined())

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
    'http://evil.example:4001',
    'http://127.0.0.1.evil.example',
    'http://192.168.1.2:4001',
    'http://0.0.0.0',
  ])('the host %s, which may be DNS rebinding', (url) => expect(asked({}, 'GET', url)).toBe('foreign_host'))

  test('a Host header that differs from the address', () =>
    expect(asked({ Host: 'evil.example' })).toBe('foreign_host'))

  test.each([
    { Authorization: 'Bearer anything' },
    { Authorization: 'Basic anything' },
    { 'X-Service-Api-Key': 'key-of-standard' },
  ])('a credential of the service, %o', (headers) => {
    expect([asked(headers), asked(headers, 'POST')]).toEqual(['service_credential', 'service_credential'])
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
