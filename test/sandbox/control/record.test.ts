import { expect, test } from 'vitest'
import { fingerprint, MOST_LOG_ENTRIES, mask, write } from '../../../src/sandbox/state/request-log.ts'
import type { RequestLogEntry } from '../../../src/sandbox/state/request-log.ts'
import { CALLBACK, CLIENT, open, query, STANDARD_KEY, START_MS } from '../../kit/sandbox.ts'
import { openControl } from '../_control.ts'
import { basic, bearerOf, each, start } from '../_start.ts'

type Opened = ReturnType<typeof open>

const log = ({ sandbox }: Opened) => sandbox.control.requestLog()
const verdicts = (opened: Opened) => log(opened).flatMap(({ verdict, verdicts: all }) => all ?? verdict ?? [])

test('the log drops its oldest entries when it gets too long (7)', () => {
  const ledger: RequestLogEntry[] = []
  const line = { at_ms: 0, method: 'GET', path: '/', rule: 'served', cost: { month: 0 }, seen: {} } as const
  for (let number = 1; number <= MOST_LOG_ENTRIES + 5; number += 1) write(ledger, { number, ...line })
  const [first, last] = [ledger[0]?.number, ledger.at(-1)?.number]
  expect([ledger.length, first, last]).toEqual([MOST_LOG_ENTRIES, 6, MOST_LOG_ENTRIES + 5])
})

test('an entry has the request, time, credential and cost; pages have one, stylesheet and icon none (7)', async () => {
  const opened = start()
  await opened.left()
  for (const path of ['/', '/style.css', '/mark.svg', '/plan']) await opened.send(path)
  const [entry, ...pages] = log(opened)
  expect(entry).toEqual({
    number: 1,
    at_ms: START_MS,
    method: 'GET',
    path: '/organizations',
    rule: 'served',
    status: 200,
    cost: { minute: 'read', month: 1 },
    organization_id: 1001,
    credential: `api_key ${fingerprint(STANDARD_KEY)}`,
    seen: {},
  })
  expect(pages.map(({ path }) => path)).toEqual(['/', '/plan'])
  opened.sandbox.control.clearRequestLog()
  await opened.send('/')
  expect(log(opened).map(({ number }) => number)).toEqual([4])
})

test('exchange, refresh and read have the same grant in the log (5.4)', async () => {
  const opened = start()
  const first = await opened.tokens()
  const { body } = await opened.refresh(first.refresh_token)
  await opened.readWith(body.access_token)
  const entries = log(opened).slice(-3)
  expect(new Set(entries.map(({ grant_id }) => grant_id)).size).toBe(1)
  expect(entries.map(({ organization_id }) => organization_id)).toEqual([1001, 1001, 1001])
  expect(entries[0]?.seen.body).toMatchObject({ grant_type: 'authorization_code', redirect_uri: CALLBACK })
  expect(entries[1]?.seen.body?.refresh_token).toBe(`~${fingerprint(first.refresh_token ?? '')}`)
  expect(verdicts(opened)).toEqual([])
})

test.each([
  ['missing_credential', '/organizations', {}],
  ['invalid_token', '/organizations', { Authorization: 'Bearer no' }],
  ['method_not_allowed', '/oauth2/token', {}],
  ['unknown_application', '/oauth2/login?client_id=unknown', {}],
])('the rule %s is in the log (7)', async (rule, path, headers) => {
  const opened = start()
  await opened.send(path, { headers })
  expect(log(opened)).toMatchObject([{ rule, cost: { month: 0 } }])
})

test('an entry is written before the answer (7)', async () => {
  let answered = () => {}
  const opened = open({ wait: () => new Promise<void>((resolve) => (answered = resolve)) })
  opened.sandbox.control.addFault({ operation: 'any', kind: 'delay' })
  const answer = opened.send('/organizations')
  expect(log(opened)).toMatchObject([{ number: 1, rule: 'unanswered' }])
  answered()
  await answer
  expect(log(opened)).toMatchObject([{ number: 1, rule: 'missing_credential', status: 401 }])
})

test('a masked query shows public values, fingerprints of others, and both of a repeated parameter (7)', () => {
  const sent = new URLSearchParams({ client_id: 'plimsoll', code: 'secret', anything: 'x' })
  sent.append('client_id', 'other')
  expect(mask(sent, () => false)).toEqual({
    client_id: 'plimsoll, other',
    code: `~${fingerprint('secret')}`,
    anything: `~${fingerprint('x')}`,
  })
})

test('no secret of a sign-in is in the log, also not as a name or in a path (check 66, RFC 6749 2.3.1)', async () => {
  const opened = start()
  const { sandbox, authorize, exchange, refresh, send, post, readWith, left } = opened
  const code = await authorize()
  const first = (await exchange(code)).body
  const second = (await refresh(first.refresh_token)).body
  await readWith(second.access_token)
  await left()
  for (const secret of [STANDARD_KEY, second.access_token])
    for (const path of [`/rate_limit?k=${secret}`, `/organizations?${secret}`, `/${secret}/x`]) {
      await send(path)
      expect(sandbox.control.requestLog().at(-1)?.verdict).toBe('secret_in_url')
      await post('/oauth2/token', { [secret ?? '']: 'x' })
    }
  const written = JSON.stringify(log(opened))
  for (const { access_token, refresh_token } of [first, second])
    for (const secret of [code, CLIENT.client_secret, STANDARD_KEY, access_token, refresh_token])
      expect(written).not.toContain(secret)
  expect(written).toContain(CALLBACK)
})

test('a client that swaps its id and its secret has no secret in the log (check 66, 5.2)', async () => {
  const opened = start()
  const { client_id, client_secret } = CLIENT
  await opened.exchange('x', { client_id: client_secret, client_secret: client_id })
  await opened.visit({ client_id: client_secret })
  expect(JSON.stringify(log(opened))).not.toContain(client_secret)
  expect(log(opened)[0]?.seen.body?.client_id).toBe(`~${fingerprint(client_secret)}`)
})

test('the page shows request, rule, cost and verdicts, escaped, with the newest first (7)', async () => {
  const opened = openControl()
  await opened.send('/organizations', { headers: opened.key() })
  await opened.send('/rate_limit?client_id=<b>', { headers: { ...opened.key(), Authorization: 'Bearer x' } })
  const page = await opened.page()
  for (const text of ['<th>Cost</th>', '<td>read, month</td>', 'two_credentials'])
    expect(page).toContain(text)
  expect(page).not.toContain('<b>')
  expect(page.indexOf('<code>/rate_limit')).toBeLessThan(page.indexOf('<code>/organizations'))
})

test('only the control plane answers with token states, without the tokens (check 66, RFC 7662 2.2)', async () => {
  const opened = openControl()
  const code = await opened.authorize()
  const { body } = await opened.exchange(code)
  for (const path of ['/oauth2/introspect', '/introspect', '/oauth2/token/introspect', '/tokens']) {
    const init = { method: 'POST', body: `token=${body.access_token}`, headers: opened.key() }
    expect((await opened.send(path, init)).status).toBe(404)
  }
  const text = await (await opened.ask('/tokens')).text()
  for (const secret of [code, body.access_token, body.refresh_token]) expect(text).not.toContain(secret)
  const whose = { client_id: 'plimsoll', person_id: 'ada', organization_id: 1001, issued_at_ms: START_MS }
  expect(JSON.parse(text)).toEqual([
    { kind: 'code', fingerprint: fingerprint(code), active: false, ...whose },
    { kind: 'access_token', fingerprint: fingerprint(body.access_token ?? ''), active: true, ...whose },
    { kind: 'refresh_token', fingerprint: fingerprint(body.refresh_token ?? ''), active: true, ...whose },
  ])
  opened.control.moveClock({ do: 'to_token_end' })
  expect(await (await opened.ask('/tokens')).json()).toMatchObject([{}, { active: false }, { active: true }])
})

each('rotation', {
  new_old_revoked: [false, true],
  same: [true],
  new_old_valid: [true, true],
  new_old_valid_30_seconds: [true, true],
  new_old_valid_until_new_used: [true, true],
})(
  'a refresh token is shown as active after a refresh if it can be used (U24, RFC 7662 2.2)',
  async (there) => {
    await there.refresh((await there.tokens()).refresh_token)
    const states = there.sandbox.control.tokens()
    return states.filter(({ kind }) => kind === 'refresh_token').map(({ active }) => active)
  },
)

const TWICE = ['refresh_token_used_twice']
each('rotation', {
  new_old_revoked: TWICE,
  same: [],
  new_old_valid: TWICE,
  new_old_valid_30_seconds: TWICE,
  new_old_valid_until_new_used: TWICE,
})('the verdicts on a second refresh with one token (RFC 6749 6)', async (there) => {
  const { refresh_token } = await there.tokens()
  await there.refresh(refresh_token)
  expect(verdicts(there)).toEqual([])
  await there.refresh(refresh_token)
  return verdicts(there)
})

test('refresh_token_used_twice is not given after a lost answer, but after invalid_grant (RFC 6749 6)', async () => {
  const opened = start()
  const { refresh_token } = await opened.tokens()
  opened.sandbox.control.addFault({ operation: 'token', kind: 'lost' })
  await expect(opened.refresh(refresh_token)).rejects.toThrow('broke the connection')
  await opened.refresh(refresh_token)
  expect(verdicts(opened)).toEqual([])
  await opened.refresh(refresh_token)
  expect(verdicts(opened)).toEqual(TWICE)
})

test('the second of two at once with one code or token is found (check 50, check 51, RFC 6749 4.1.2)', async () => {
  const opened = start()
  const code = await opened.authorize()
  await Promise.all([opened.exchange(code), opened.exchange(code)])
  expect(verdicts(opened)).toEqual(['code_sent_twice'])
  const { refresh_token } = await opened.tokens()
  await Promise.all([opened.refresh(refresh_token), opened.refresh(refresh_token)])
  expect(verdicts(opened)).toEqual(['code_sent_twice', 'refresh_token_used_twice'])
})

test('code_sent_twice is also given after a lost answer (RFC 6749 4.1.2)', async () => {
  const opened = start()
  const code = await opened.authorize()
  opened.sandbox.control.addFault({ operation: 'token', kind: 'truncate' })
  await expect(opened.exchange(code)).rejects.toThrow('broke the connection')
  await opened.exchange(code)
  expect(verdicts(opened)).toEqual(['code_sent_twice'])
})

test('sent_while_over is given after 0 remaining and a 429 until the reset, by class and credential (8.4)', async () => {
  const opened = start()
  const { later, api, left, key } = opened
  await api(60, '/organizations', key())
  await left(key(), 'POST')
  await left(key(2002))
  expect(verdicts(opened)).toEqual([])
  await left()
  expect(verdicts(opened)).toEqual(['sent_while_over'])
  later(60)
  await left()
  expect(verdicts(opened)).toHaveLength(1)
})

test('sent_while_over is not given to a read before the minute that was over, of a clock set back (8.4)', async () => {
  const opened = start()
  await opened.api(60, '/organizations', opened.key())
  opened.later(-3600)
  await opened.left()
  expect(verdicts(opened)).toEqual([])
})

test('sent_while_over is not given if the answer was lost (8.4)', async () => {
  const opened = start()
  await opened.api(59, '/organizations', opened.key())
  opened.sandbox.control.addFault({ operation: 'organizations', kind: 'lost' })
  await expect(opened.left()).rejects.toThrow('broke the connection')
  await opened.left()
  expect(verdicts(opened)).toEqual([])
})

const UNKNOWN = ['unknown_endpoint']
const IN_URL = expect.arrayContaining(['secret_in_url'])
test.each([
  ['GET', '/rate_limit?access_token=anything', IN_URL],
  ['GET', `/organizations/${STANDARD_KEY}`, IN_URL],
  ['GET', `/rate_limit?${STANDARD_KEY}=&x=1`, IN_URL],
  ['GET', `/oauth2/token?${query(CLIENT)}`, IN_URL],
  ['GET', start().authorizePath(), []],
  ['POST', '/tasks', UNKNOWN],
  ['POST', '/oauth2/authorize', UNKNOWN],
  ['POST', '/oauth2/revoke', UNKNOWN],
  ['POST', '/organisations/1001', UNKNOWN],
  ['POST', '/a/organizations/1001', UNKNOWN],
  ['GET', '/', []],
  ['GET', '/projects', []],
  ['GET', '/plan?organization_id=9', []],
  ['GET', '/organizations/9', []],
  ['GET', '/rate_limit', []],
])('%s %s gets the verdicts %j (4, RFC 6749 2.3.1)', async (method, path, seen) => {
  const opened = start()
  await opened.send(path, { headers: opened.key(), method })
  expect(verdicts(opened)).toEqual(seen)
  expect(JSON.stringify(log(opened))).not.toMatch(/key-of-standard|the-secret/)
})

test('two_credentials is given for both headers, and for Basic beside a secret in the body (RFC 6749 2.3)', async () => {
  const opened = start()
  await opened.left({ ...opened.key(), ...bearerOf('x') })
  const authorization = basic(CLIENT.client_id, CLIENT.client_secret)
  await opened.exchange('x', {}, authorization)
  // Basic alone is right, and no credential of the API.
  await opened.exchange('y', { client_id: undefined, client_secret: undefined }, authorization)
  expect(log(opened).at(-1)).not.toHaveProperty('credential')
  expect(verdicts(opened)).toEqual(['two_credentials', 'two_credentials'])
})
