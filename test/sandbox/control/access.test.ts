import { expect, test } from 'vitest'
import { denialOf } from '../../../src/sandbox/control/control.ts'
import { BASE, CONTROL, openControl } from '../_control.ts'

const from = (site: string, mode: string, dest: string) => ({
  'Sec-Fetch-Site': site,
  'Sec-Fetch-Mode': mode,
  'Sec-Fetch-Dest': dest,
})
const [SERVICE, FORGED, TOKEN] = ['service_credential', 'forged_request', 'control_token']
const KEY = { 'X-Service-Api-Key': 'key-of-standard' }
const OURS = { Authorization: 'bearer the-token' }

test.each<
  [
    what: string,
    headers: Record<string, string>,
    get?: string | undefined,
    post?: string | undefined,
    token?: string,
  ]
>([
  ['of a tool', {}],
  ['of its own page', { 'Sec-Fetch-Site': 'same-origin', Origin: CONTROL }],
  ['of its own form, without referrer', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
  ['by a link of another site', from('cross-site', 'navigate', 'document'), undefined, FORGED],
  ['of a script of the same site', from('same-site', 'no-cors', 'script'), FORGED, FORGED],
  ['of a frame of another site', from('cross-site', 'navigate', 'iframe'), FORGED, FORGED],
  ['of another origin', { Origin: 'http://127.0.0.1:4000' }, undefined, FORGED],
  ['of an origin with the same prefix', { Origin: `${CONTROL}.evil.example` }, undefined, FORGED],
  ['of Origin null without Fetch Metadata', { Origin: 'null' }, undefined, FORGED],
  ['of another port', { 'Sec-Fetch-Site': 'same-site', Origin: CONTROL }, FORGED, FORGED],
  ['of another site', { 'Sec-Fetch-Site': 'cross-site' }, FORGED, FORGED],
  ['with a token of the service', { Authorization: 'Bearer anything' }, SERVICE, SERVICE],
  ['with another scheme', { Authorization: 'Basic anything' }, SERVICE, SERVICE],
  ['with a key of the service', KEY, SERVICE, SERVICE],
  ['with its token', OURS, undefined, undefined, 'the-token'],
  ['with its token of another origin', { ...OURS, Origin: BASE }, undefined, FORGED, 'the-token'],
  ['without its token', {}, TOKEN, TOKEN, 'the-token'],
  ['with another token', { Authorization: 'Bearer another' }, TOKEN, TOKEN, 'the-token'],
  ['with a longer token', { Authorization: 'Bearer the-token-and-more' }, TOKEN, TOKEN, 'the-token'],
  ['with its token as Basic', { Authorization: 'Basic the-token' }, TOKEN, TOKEN, 'the-token'],
  ['with its token without a scheme', { Authorization: 'the-token' }, TOKEN, TOKEN, 'the-token'],
  ['with its token as a key', { 'X-Service-Api-Key': 'the-token' }, TOKEN, TOKEN, 'the-token'],
  ['with its token and a key', { ...OURS, ...KEY }, TOKEN, TOKEN, 'the-token'],
])('a request %s is taken or refused, by GET and by POST (check 69)', (_, headers, get, post, token) => {
  const parts = { apiKeyHeader: 'X-Service-Api-Key', token }
  const asked = (method: string) =>
    denialOf(new Request(`${CONTROL}/profile`, { method, headers }), parts)?.word
  expect([asked('GET'), asked('POST')]).toEqual([get, post])
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
