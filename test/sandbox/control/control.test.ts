import { describe, expect, test } from 'vitest'
import { CHOICES, DEFAULT_CHOICES, parseChoices } from '../../../src/sandbox/choices/choices.ts'
import { FORM, open, rate, seed, START_MS } from '../../kit/sandbox.ts'
import { openControl, stateOf } from '../_control.ts'

type Opened = ReturnType<typeof openControl>

const read = async ({ ask }: Opened, path: string) => (await ask(path)).json()

describe('over HTTP', () => {
  test('choices are read, and changes hold from the next request on', async () => {
    const opened = openControl()
    const answer = await opened.json('PATCH', '/profile', { invalidcred: 'status_403' })
    expect([answer.status, await answer.json()]).toEqual([200, opened.control.choices()])
    expect(await read(opened, '/profile')).toMatchObject({ invalidcred: 'status_403' })
    const headers = { 'X-Service-Api-Key': 'unknown' }
    expect((await opened.send('/organizations', { headers })).status).toBe(403)
  })

  test('the clock is read and moved', async () => {
    const opened = openControl()
    await opened.json('POST', '/clock', { do: 'freeze' })
    const moved = await opened.json('POST', '/clock', { do: 'advance', ms: 60_000 })
    expect(await moved.json()).toEqual({
      now_ms: START_MS + 60_000,
      now: '2026-11-21T06:01:00.250Z',
      frozen: true,
      offset_ms: 0,
    })
    await opened.json('POST', '/clock', { do: 'to_month_end' })
    expect((await opened.send('/')).headers.get('Date')).toBe('Tue, 01 Dec 2026 00:00:00 GMT')
  })

  test('the request log is read and cleared', async () => {
    const opened = openControl()
    await opened.send('/organizations')
    expect(await read(opened, '/ledger')).toMatchObject([{ rule: 'missing_credential' }])
    expect((await opened.ask('/ledger', { method: 'DELETE' })).status).toBe(204)
    expect(await read(opened, '/ledger')).toEqual([])
  })

  test('injected faults are added, read and cleared', async () => {
    const opened = openControl()
    const fault = { operation: 'any', kind: 'status', status: 418, times: 2 }
    expect((await opened.json('POST', '/faults', fault)).status).toBe(204)
    expect((await opened.send('/rate_limit')).status).toBe(418)
    expect(await read(opened, '/faults')).toEqual([{ ...fault, times: 1 }])
    await opened.ask('/faults', { method: 'DELETE' })
    expect((await opened.send('/rate_limit')).status).toBe(401)
  })

  test('limits are changed for one organization only (8)', async () => {
    const opened = openControl()
    await opened.json('PUT', '/limits', { '1001': { read_per_minute: 2 } })
    expect((await opened.api(3, '/organizations', opened.key())).status).toBe(429)
    expect((await opened.api(3, '/organizations', opened.key(2002))).status).toBe(200)
    expect(await read(opened, '/limits')).toEqual({ '1001': { read_per_minute: 2 } })
  })

  test('snapshot, restore, seed and reset', async () => {
    const opened = openControl({ choices: { deny: 'page' } })
    const before = await read(opened, '/snapshot')
    await opened.send('/organizations', { headers: opened.key() })
    expect((await opened.json('POST', '/restore', before)).status).toBe(204)
    expect(stateOf(opened)).toEqual(before)
    expect((await opened.json('POST', '/seed', { applications: [], random: 'another' })).status).toBe(204)
    expect(stateOf(opened)).toMatchObject({ applications: [], choices: { deny: 'page' } })
    await opened.json('PATCH', '/profile', { deny: 'service_home' })
    await opened.json('POST', '/clock', { do: 'to_month_end' })
    expect(
      (await opened.ask('/reset', { method: 'POST', headers: { 'Content-Type': 'application/json' } }))
        .status,
    ).toBe(204)
    expect(stateOf(opened)).toMatchObject({
      choices: { deny: 'page' },
      clock: { offset_ms: 0 },
      applications: [],
    })
  })

  test('nothing is cached, sniffed or shared, and no page can be framed', async () => {
    const { ask } = openControl()
    const foreign = { headers: { Authorization: 'Bearer anything' } }
    const answers = [ask('/'), ask('/profile'), ask('/nowhere'), ask('/profile', foreign)]
    for (const { headers } of await Promise.all(answers)) {
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
      expect(headers.has('Access-Control-Allow-Origin')).toBe(false)
    }
    expect((await ask('/')).headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
  })
})

describe('bad input changes nothing', () => {
  const HOSTILE: unknown[] = [null, 1, 'text', [], { constructor: 1 }, { '': '' }, { toString: 1 }]
  const [known] = seed().applications
  const COMMANDS: [method: string, path: string, bodies: unknown[]][] = [
    ['PATCH', '/profile', [{ deny: 'nothing' }, { deny: ['page'] }, { deny: 'page', redir: 1 }]],
    [
      'POST',
      '/clock',
      [
        {},
        { do: 'advance' },
        { do: 'advance', ms: -1 },
        { do: 'set', ms: 9e15 },
        { do: 'set', ms: '0' },
        { do: 'run', more: 1 },
        { do: 'nowMs' },
      ],
    ],
    ['POST', '/faults', [{}, { operation: 'any' }, { operation: 'any', kind: 'reset', times: 1e9 }]],
    [
      'PUT',
      '/limits',
      [{ 9: {} }, { 1001: 1 }, { 1001: { name: 'business' } }, { 1001: { per_month: 'none' } }],
    ],
    ['PATCH', '/usage', [{ 9: {} }, { 1001: { read: -1 } }, { 1001: { month: 1e9 } }, { 1001: { week: 1 } }]],
    ['POST', '/presets', [{}, { name: 'nothing' }, { name: 'constructor' }, { name: ['strictest'] }]],
    [
      'POST',
      '/restore',
      [
        { request_log: {} },
        { nothing: {} },
        { choices: { deny: 'x' } },
        { clock: { offset_ms: 'x' } },
        { faults: [{}] },
        { months: { 1001: {} } },
        { access_tokens: { x: 1 } },
      ],
    ],
    [
      'POST',
      '/seed',
      [
        { organizations: [{ id: 1 }] },
        { random: 1 },
        { api_keys: [{ value: 'a b', organization_id: 1001, issued_by: 'ada' }] },
        { applications: [{ ...known, redirect_uri: 'no' }] },
        { people: [{ id: 'x', name: 'x', organizations: [{ organization_id: 9, role: 'member' }] }] },
        { nothing: [] },
      ],
    ],
  ]

  test.each(COMMANDS)('%s %s', async (method, path, bodies) => {
    const opened = openControl()
    const before = stateOf(opened)
    for (const body of [...HOSTILE, ...bodies]) {
      const answer = await opened.json(method, path, body)
      expect([answer.status, body]).toEqual([400, body])
      expect(await answer.json()).toMatchObject({
        error: 'invalid_request',
        error_description: expect.any(String),
      })
    }
    for (const text of ['', '{', '{"deny":"page"', '\u0000']) {
      const { status } = await opened.json(method, path, text)
      expect([status, text]).toEqual([400, text])
    }
    expect(stateOf(opened)).toEqual(before)
  })

  test.each(COMMANDS)(
    '%s %s is refused with another media type or from another site',
    async (method, path, [body]) => {
      const opened = openControl()
      const before = stateOf(opened)
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
        expect((await opened.json(method, path, body, { 'Content-Type': type })).status).toBe(415)
      for (const headers of [
        { Origin: 'http://evil.example' },
        { 'Sec-Fetch-Site': 'same-site' },
        opened.key(),
      ])
        expect((await opened.json(method, path, {}, headers as Record<string, string>)).status).toBe(403)
      expect(stateOf(opened)).toEqual(before)
    },
  )

  test('a wrong method is answered with the right ones, and another address with 404 (RFC 9110 15.5.6)', async () => {
    const opened = openControl()
    const before = stateOf(opened)
    for (const [path, allow] of [
      ['/profile', 'GET, HEAD, PATCH'],
      ['/clock', 'GET, HEAD, POST'],
      ['/ledger', 'GET, HEAD, DELETE'],
      ['/faults', 'GET, HEAD, POST, DELETE'],
      ['/limits', 'GET, HEAD, PUT'],
      ['/usage', 'GET, HEAD, PATCH'],
      ['/presets', 'GET, HEAD, POST'],
      ['/snapshot', 'GET, HEAD'],
      ['/reset', 'POST'],
      ['/', 'GET, HEAD, POST'],
    ] as const) {
      const answer = await opened.ask(path, { method: allow.includes('DELETE') ? 'PUT' : 'DELETE' })
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow])
    }
    for (const path of ['/nothing', '/profile/deny', '//', '/constructor'])
      expect((await opened.ask(path)).status).toBe(404)
    expect(stateOf(opened)).toEqual(before)
  })

  test.each(['/'])('a form of %s is refused without its csrf token or from another site', async (path) => {
    const opened = openControl()
    const before = stateOf(opened)
    const fields = { do: 'to_month_end', choice: 'deny', value: 'page' }
    for (const csrfToken of ['', 'x'])
      expect((await opened.press(path, { ...fields, csrf_token: csrfToken })).status).toBe(400)
    const headers = { 'Sec-Fetch-Site': 'cross-site' }
    expect((await opened.press(path, fields, headers)).status).toBe(403)
    expect((await opened.json('POST', path, fields)).status).toBe(415)
    expect(
      (await opened.ask(path, { method: 'POST', headers: FORM, body: 'x'.repeat(100_000) })).status,
    ).toBe(413)
    expect(stateOf(opened)).toEqual(before)
  })
})

test('a form of the page sets every limit of an organization, also that of the month (8)', async () => {
  const opened = openControl()
  const fields = { action: 'changeLimits', body: '{}', member: '1001', per_month: '50', api_keys: '' }
  expect((await opened.press('/', fields)).status).toBe(303)
  expect(opened.control.limits()).toEqual({ 1001: { per_month: 50 } })
})

test('a body of 64 MB and more is not read', async () => {
  const opened = openControl()
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(65 * 1024 * 1024) }
  expect((await opened.ask('/restore', { method: 'POST', headers, body: '{}' })).status).toBe(413)
})

test('the control changes the choices while the sandbox runs, and returns copies', async () => {
  const { sandbox, send } = open()
  const changed = sandbox.control.changeChoices({ invalidcred: 'status_404' })
  expect(changed).toEqual({ ...DEFAULT_CHOICES, invalidcred: 'status_404' })
  Object.assign(changed, { invalidcred: 'status_403' })
  Object.assign(sandbox.control.choices(), { invalidcred: 'status_403' })
  const headers = { 'X-Service-Api-Key': 'unknown' }
  expect((await send('/organizations', { headers })).status).toBe(404)
  expect(() => sandbox.control.changeChoices({ invalidcred: 'x' })).toThrow('invalidcred')
  expect(sandbox.control.choices().invalidcred).toBe('status_404')
})

test('HEAD is answered as GET, without a body (RFC 9110 9.3.2)', async () => {
  const answer = await openControl().ask('/profile', { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

test('JSON may have a character set, and an empty body counts as none', async () => {
  const { json, ask } = openControl()
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  expect((await json('PATCH', '/profile', { deny: 'page' }, headers)).status).toBe(200)
  expect((await ask('/reset', { method: 'POST', headers, body: '' })).status).toBe(204)
})

test('the usage is that of the credential with the fewest requests left (8.2, 8.3)', async () => {
  const opened = openControl()
  await opened.api(3, '/organizations', opened.key())
  await opened.api(2, '/organizations', await opened.bearer())
  expect(await (await opened.ask('/usage')).json()).toEqual({
    1001: { month: 5, read: 3, update: 0 },
    2002: { month: 0, read: 0, update: 0 },
  })
})

test('the next answer counts from the value that was set, and nothing else changes', async () => {
  const opened = openControl()
  const token = await opened.bearer()
  const answer = await opened.json('PATCH', '/usage', { 1001: { month: 42, read: 10 } })
  expect(answer.status).toBe(204)
  for (const headers of [opened.key(), token])
    expect(rate(await opened.send('/organizations', { headers }))).toMatchObject({ limit: 60, remaining: 49 })
  expect(opened.control.usage()).toEqual({
    1001: { month: 44, read: 11, update: 0 },
    2002: { month: 0, read: 0, update: 0 },
  })
})

describe('with every algorithm and holder of a minute', () => {
  const cases = [
    ...Object.keys(CHOICES.window.values).map((window) => ({ window })),
    ...Object.keys(CHOICES.pertoken.values).map((pertoken) => ({ pertoken })),
  ]
  test.each(cases)('%o reads back the value that was set', async (choices) => {
    const opened = openControl({ choices: parseChoices(choices) })
    await opened.bearer()
    await opened.bearer()
    for (const read of [7, 60, 2, 0]) {
      opened.control.changeUsage({ 1001: { read, update: 1 } })
      expect(opened.control.usage()[1001]).toMatchObject({ read, update: 1 })
    }
  })
})

test('the next minute is the next reset of an open window, or a minute from now (2.2)', async () => {
  const { sandbox, clock, send, key } = open()
  const { control } = sandbox
  control.moveClock({ do: 'freeze' })
  control.moveClock({ do: 'to_next_minute' })
  expect(control.nowMs()).toBe(START_MS - 250 + 60_000)
  await send('/organizations', { headers: key() })
  control.moveClock({ do: 'advance', ms: 10_400 })
  await send('/organizations', { headers: key(2002) })
  control.moveClock({ do: 'to_next_minute' })
  expect(control.nowMs()).toBe(START_MS - 250 + 120_000)
  control.moveClock({ do: 'to_next_minute' })
  expect(control.nowMs()).toBe(START_MS - 250 + 130_000)
  expect(clock.ms).toBe(START_MS)
})

test("the token's end is the next end of an active token, and without one the clock stays (5.4)", async () => {
  const { sandbox, bearer, clock, send } = open()
  const { control } = sandbox
  control.moveClock({ do: 'to_token_end' })
  expect(control.nowMs()).toBe(START_MS)
  await bearer()
  clock.ms += 1000
  const headers = await bearer()
  control.moveClock({ do: 'to_token_end' })
  expect(control.nowMs()).toBe(START_MS + 3_600_000)
  expect((await send('/organizations/1001', { headers })).status).toBe(200)
  control.moveClock({ do: 'to_token_end' })
  expect((await send('/organizations/1001', { headers })).status).toBe(401)
})

test("the month's end is 00:00 on the first of a month, in the chosen zone (8.3)", () => {
  for (const [tz, end] of [
    ['utc', '2026-12-01T00:00:00.000Z'],
    ['asia_tokyo', '2026-11-30T15:00:00.000Z'],
    ['america_new_york', '2026-12-01T05:00:00.000Z'],
  ] as const) {
    const { control } = open({ choices: { tz } }).sandbox
    control.moveClock({ do: 'to_month_end' })
    expect(new Date(control.nowMs()).toISOString()).toBe(end)
  }
})

test.each([
  ['refused_from_3600', 3_600_000],
  ['refused_after_3600', 3_600_001],
  ['tolerance_15_seconds', 3_615_000],
] as const)("the token's end under %s is the first instant at which it is refused", async (boundary, ms) => {
  const { sandbox, bearer, send } = open({ choices: { boundary } })
  const headers = await bearer()
  sandbox.control.moveClock({ do: 'to_token_end' })
  expect(sandbox.control.nowMs()).toBe(START_MS + ms)
  expect((await send('/organizations/1001', { headers })).status).toBe(401)
})
