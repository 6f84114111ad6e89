import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../../src/sandbox/state/request-log.ts'
import { CALLBACK, open, START_MS } from '../../kit/sandbox.ts'
import { openControl } from '../_control.ts'

const last = ({ sandbox }: ReturnType<typeof open>) => sandbox.control.requestLog().at(-1)

describe('an entry', () => {
  test('has the request, time, credential and cost', async () => {
    const opened = open()
    await opened.send('/organizations', { headers: opened.key() })
    expect(last(opened)).toEqual({
      number: 1,
      at_ms: START_MS,
      method: 'GET',
      path: '/organizations',
      rule: 'served',
      status: 200,
      cost: { minute: 'read', month: 1 },
      organization_id: 1001,
      credential: `api_key ${fingerprint('key-of-standard')}`,
      seen: {},
    })
  })

  test('names the same grant for an exchange, a refresh and a read (5.4)', async () => {
    const opened = open()
    const { body } = await opened.exchange(await opened.authorize())
    const { body: second } = await opened.refresh(body.refresh_token)
    await opened.send('/organizations/1001', { headers: { Authorization: `Bearer ${second.access_token}` } })
    const entries = opened.sandbox.control.requestLog().slice(-3)
    expect(new Set(entries.map(({ grant_id }) => grant_id)).size).toBe(1)
    expect(entries.map(({ organization_id }) => organization_id)).toEqual([1001, 1001, 1001])
    expect(entries[0]?.seen.body).toMatchObject({ grant_type: 'authorization_code', redirect_uri: CALLBACK })
    expect(entries[1]?.seen.body?.refresh_token).toBe(`~${fingerprint(body.refresh_token ?? '')}`)
  })

  test.each([
    ['missing_credential', '/organizations', {}],
    ['invalid_token', '/organizations', { Authorization: 'Bearer no' }],
    ['method_not_allowed', '/oauth2/token', {}],
    ['unknown_application', '/oauth2/login?client_id=unknown', {}],
  ])('names the rule %s', async (rule, path, headers) => {
    const opened = open()
    await opened.send(path, { headers })
    expect(last(opened)).toMatchObject({ rule, cost: { month: 0 } })
  })

  test('is written before the answer', async () => {
    let answered = () => {}
    const opened = open({ wait: () => new Promise<void>((resolve) => (answered = resolve)) })
    opened.sandbox.control.addFault({ operation: 'any', kind: 'delay' })
    const answer = opened.send('/organizations')
    expect(last(opened)).toMatchObject({ number: 1, rule: 'unanswered' })
    answered()
    await answer
    expect(last(opened)).toMatchObject({ number: 1, rule: 'missing_credential', status: 401 })
  })
})

test('pages are recorded, and stylesheet and icon are not', async () => {
  const opened = open()
  for (const path of ['/', '/style.css', '/mark.svg', '/plan']) await opened.send(path)
  expect(opened.sandbox.control.requestLog().map(({ path }) => path)).toEqual(['/', '/plan'])
})

test('a cleared log goes on with the next number', async () => {
  const opened = open()
  await opened.send('/')
  opened.sandbox.control.clearRequestLog()
  await opened.send('/')
  expect(opened.sandbox.control.requestLog().map(({ number }) => number)).toEqual([2])
})

test('the request log shows request, rule, cost and verdicts, escaped, with the newest first', async () => {
  const opened = openControl()
  await opened.send('/organizations', { headers: opened.key() })
  await opened.send('/rate_limit?client_id=<b>', { headers: { ...opened.key(), Authorization: 'Bearer x' } })
  const page = await opened.page()
  expect(page).toContain('<td>read, month</td>')
  expect(page).toContain('two_credentials')
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
  const expected = [
    { kind: 'code', fingerprint: fingerprint(code), active: false, ...whose },
    { kind: 'access_token', fingerprint: fingerprint(body.access_token ?? ''), active: true, ...whose },
    { kind: 'refresh_token', fingerprint: fingerprint(body.refresh_token ?? ''), active: true, ...whose },
  ]
  expect(JSON.parse(text)).toEqual(expected)
  opened.control.moveClock({ do: 'to_token_end' })
  expect(await (await opened.ask('/tokens')).json()).toMatchObject([{}, { active: false }, { active: true }])
})
