import { expect, test } from 'vitest'
import { CHOICES, DEFAULT_CHOICES, parseChoices } from '../../../src/sandbox/choices/choices.ts'
import { FORM, rate, START_MS } from '../../kit/sandbox.ts'
import { CONTROL, openControl, stateOf } from '../_control.ts'

type Opened = ReturnType<typeof openControl>

const read = async ({ ask }: Opened, path: string) => (await ask(path)).json()

test('choices are read, and changes hold from the next request on', async () => {
  const opened = openControl()
  const answer = await opened.json('PATCH', '/profile', { invalidcred: 'status_403' })
  expect([answer.status, await answer.json()]).toEqual([200, opened.control.choices()])
  expect(await read(opened, '/profile')).toEqual({ ...DEFAULT_CHOICES, invalidcred: 'status_403' })
  const headers = { 'X-Service-Api-Key': 'unknown' }
  expect((await opened.send('/organizations', { headers })).status).toBe(403)
  // In the process too, where they are copies.
  const changed = opened.control.changeChoices({ invalidcred: 'status_404' })
  for (const copy of [changed, opened.control.choices()]) Object.assign(copy, { invalidcred: 'status_403' })
  expect((await opened.send('/organizations', { headers })).status).toBe(404)
  expect(() => opened.control.changeChoices({ invalidcred: 'x' })).toThrow('invalidcred')
  expect(opened.control.choices().invalidcred).toBe('status_404')
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

test('the request log and injected faults are read and cleared', async () => {
  const opened = openControl()
  const fault = { operation: 'any', kind: 'status', status: 418, times: 2 }
  expect((await opened.json('POST', '/faults', fault)).status).toBe(204)
  expect((await opened.send('/rate_limit')).status).toBe(418)
  expect(await read(opened, '/faults')).toEqual([{ ...fault, times: 1 }])
  await opened.ask('/faults', { method: 'DELETE' })
  expect((await opened.send('/rate_limit')).status).toBe(401)
  const rules = [{ rule: 'fault_status' }, { rule: 'missing_credential' }]
  expect(await read(opened, '/ledger')).toMatchObject(rules)
  expect((await opened.ask('/ledger', { method: 'DELETE' })).status).toBe(204)
  expect(await read(opened, '/ledger')).toEqual([])
})

test('limits are changed for one organization only, by JSON and by a form of the page (8)', async () => {
  const opened = openControl()
  await opened.json('PUT', '/limits', { '1001': { read_per_minute: 2 } })
  expect((await opened.api(3, '/organizations', opened.key())).status).toBe(429)
  expect((await opened.api(3, '/organizations', opened.key(2002))).status).toBe(200)
  expect(await read(opened, '/limits')).toEqual({ '1001': { read_per_minute: 2 } })
  const fields = { action: 'changeLimits', body: '{}', member: '1001', per_month: '50', api_keys: '' }
  expect((await opened.press('/', fields)).status).toBe(303)
  expect(opened.control.limits()).toEqual({ 1001: { per_month: 50 } })
  await opened.press('/', { ...fields, per_month: 'unlimited' })
  expect(opened.control.limits()).toEqual({ 1001: { per_month: null } })
  expect(await opened.page()).toContain('name="per_month" value="unlimited"')
  expect((await opened.press('/', { ...fields, per_month: '', read_per_minute: 'unlimited' })).status).toBe(
    400,
  )
})

test('a restore goes back to a snapshot, and a reset to the last seed, with the first choices', async () => {
  const opened = openControl({ choices: { deny: 'page' } })
  const before = await read(opened, '/snapshot')
  await opened.send('/organizations', { headers: opened.key() })
  expect((await opened.json('POST', '/restore', before)).status).toBe(204)
  expect(stateOf(opened)).toEqual(before)
  expect((await opened.json('POST', '/seed', { applications: [], random: 'another' })).status).toBe(204)
  const seeded = { applications: [], choices: { deny: 'page' }, clock: { offset_ms: 0 } }
  expect(stateOf(opened)).toMatchObject(seeded)
  // JSON may have a character set, and an empty body counts as none.
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  expect((await opened.json('PATCH', '/profile', { deny: 'service_home' }, headers)).status).toBe(200)
  await opened.json('POST', '/clock', { do: 'to_month_end' })
  for (const body of ['', null])
    expect((await opened.ask('/reset', { method: 'POST', headers, body })).status).toBe(204)
  expect(stateOf(opened)).toMatchObject(seeded)
})

test('nothing is cached, sniffed or shared, no page can be framed, and HEAD is GET without a body', async () => {
  const { ask } = openControl()
  const foreign = { headers: { Authorization: 'Bearer anything' } }
  const head = await ask('/profile', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const { headers } of [head, await ask('/'), await ask('/nowhere'), await ask('/profile', foreign)]) {
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
    expect(headers.has('Access-Control-Allow-Origin')).toBe(false)
  }
  expect((await ask('/')).headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
})

const HOSTILE: unknown[] = [null, 1, 'text', [], { constructor: 1 }, { '': '' }, { toString: 1 }]
const COMMANDS: [command: `${string} /${string}`, ...bodies: unknown[]][] = [
  ['PATCH /profile', { deny: 'nothing' }, { deny: ['page'] }, { deny: 'page', redir: 1 }],
  ['POST /clock', {}, { do: 'advance' }, { do: 'advance', ms: -1 }, { do: 'run', more: 1 }, { do: 'nowMs' }],
  ['POST /clock', { do: 'set', ms: 9e15 }, { do: 'set', ms: '0' }],
  ['POST /faults', {}, { operation: 'any' }, { operation: 'nothing', kind: 'reset' }, { kind: 'reset' }],
  ['POST /faults', ...[0, 1.5, 1e9].map((times) => ({ operation: 'any', kind: 'reset', times }))],
  ['POST /faults', { operation: 'any', kind: 'delay', ms: -1 }, { operation: 'any', kind: 'reset', more: 1 }],
  ['POST /faults', { operation: 'any', kind: 'status', status: 99 }, { operation: 'any', kind: 'toString' }],
  ['PUT /limits', { 9: {} }, { 1001: 1 }, { 1001: { name: 'business' } }, { 1001: { per_month: 'none' } }],
  ['PATCH /usage', { 9: {} }, { 1001: { read: -1 } }, { 1001: { month: 1e9 } }, { 1001: { week: 1 } }],
  ['POST /presets', {}, { name: 'nothing' }, { name: 'constructor' }, { name: ['strictest'] }],
  ['POST /restore', { request_log: {} }, { nothing: {} }, { choices: { deny: 'x' } }, { faults: [{}] }],
  ['POST /restore', { clock: { offset_ms: 'x' } }, { months: { 1001: {} } }, { access_tokens: { x: 1 } }],
  ['POST /seed', { organizations: [{ id: 1 }] }, { random: 1 }, { nothing: [] }],
  [
    'POST /seed',
    { people: [{ id: 'x', name: 'x', organizations: [{ organization_id: 9, role: 'member' }] }] },
  ],
]

test.each(COMMANDS)(
  '%s refuses bad bodies, media types and other sites, and changes nothing',
  async (command, ...bodies) => {
    const opened = openControl()
    const [method = '', path = ''] = command.split(' ')
    const before = stateOf(opened)
    for (const body of [...HOSTILE, ...bodies]) {
      const answer = await opened.json(method, path, body)
      expect([answer.status, body]).toEqual([400, body])
      expect(await answer.json()).toMatchObject({
        error: 'invalid_request',
        error_description: expect.any(String),
      })
    }
    for (const text of ['', '{', '{"deny":"page"', '\u0000'])
      expect([(await opened.json(method, path, text)).status, text]).toEqual([400, text])
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await opened.json(method, path, bodies[0], { 'Content-Type': type })).status).toBe(415)
    const foreign = { Origin: 'http://evil.example' }
    for (const headers of [foreign, { 'Sec-Fetch-Site': 'same-site' }, opened.key()])
      expect((await opened.json(method, path, {}, headers as Record<string, string>)).status).toBe(403)
    expect(stateOf(opened)).toEqual(before)
  },
)

test('a wrong method is answered with the right ones, and another address with 404 (RFC 9110 15.5.6)', async () => {
  const opened = openControl()
  const before = stateOf(opened)
  for (const [path, allow] of [
    ['/profile', 'GET, HEAD, PATCH'],
    ['/faults', 'GET, HEAD, POST, DELETE'],
    ['/reset', 'POST'],
  ] as const) {
    const answer = await opened.ask(path, { method: allow.includes('DELETE') ? 'PUT' : 'DELETE' })
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow])
  }
  for (const path of ['/nothing', '/profile/deny', '//', '/constructor'])
    expect((await opened.ask(path)).status).toBe(404)
  expect(stateOf(opened)).toEqual(before)
})

test('a form is refused without its csrf token, from another site, as JSON, or if it is too large', async () => {
  const opened = openControl()
  const before = stateOf(opened)
  const fields = { do: 'to_month_end', choice: 'deny', value: 'page' }
  const body = 'x'.repeat(100_000)
  const answers = [
    await opened.press('/', { ...fields, csrf_token: '' }),
    await opened.press('/', { ...fields, csrf_token: 'x' }),
    await opened.press('/', fields, { 'Sec-Fetch-Site': 'cross-site' }),
    await opened.json('POST', '/', fields),
    await opened.ask('/', { method: 'POST', headers: FORM, body }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 403, 415, 413])
  expect(stateOf(opened)).toEqual(before)
})

test.each(['', '/a/b', '/worlds/some-id'])(
  'a press leads back to the page, below "%s" too',
  async (basePath) => {
    const opened = openControl({ basePath })
    for (const path of [basePath, `${basePath}/`]) {
      const answer = await opened.press(path, { action: 'reset' })
      const { pathname } = new URL(answer.headers.get('Location') ?? '', CONTROL + path)
      expect([answer.status, pathname, (await opened.ask(pathname)).status]).toEqual([
        303,
        `${basePath}/`,
        200,
      ])
    }
  },
)

test('a body of 64 MB and more is not read', async () => {
  const opened = openControl()
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(65 * 1024 * 1024) }
  expect((await opened.ask('/restore', { method: 'POST', headers, body: '{}' })).status).toBe(413)
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

test('the usage looks at each key a few times, however many there are (8.2)', () => {
  const { sandbox, control } = openControl()
  const state = sandbox.state()
  let looks = 0
  state.api_keys = Array.from({ length: 300 }, (_, nth) => ({
    get value() {
      looks += 1
      return `key-${nth}`
    },
    organization_id: 1001,
    issued_by: 'ada',
  }))
  control.usage()
  control.changeUsage({ 1001: { read: 1 } })
  expect(looks).toBeLessThan(10 * 300)
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

test('a field has the name that is shown, and a preset says what it does without a pointer (7)', async () => {
  const page = await openControl().page()
  expect(page).toContain('<small>No request is left until the next month.</small>')
  expect(page).not.toMatch(/<(input|select|button)[^>]* (aria-label|title)=/)
})

test('the form of the counts is empty, and changes the one that is filled in (8.2, 8.3)', async () => {
  const opened = openControl()
  await opened.api(3, '/organizations', opened.key())
  const [form = ''] = /<summary>Change counts.*?<\/form>/s.exec(await opened.page()) ?? []
  const inputs = form.matchAll(/name="(\w+)"[^>]* value="([^"]*)"/g)
  const fields = Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]))
  expect(fields).toMatchObject({ member: '1001', month: '', read: '', update: '' })
  expect((await opened.press('/', { ...fields, month: '250000' })).status).toBe(303)
  expect(opened.control.usage()[1001]).toEqual({ month: 250_000, read: 3, update: 0 })
})

test.each([
  ...Object.keys(CHOICES.window['x-values']).map((window) => ({ window })),
  ...Object.keys(CHOICES.pertoken['x-values']).map((pertoken) => ({ pertoken })),
])('with %o the usage reads back as it was set (8.2)', async (choices) => {
  const opened = openControl({ choices: parseChoices(choices) })
  for (let nth = 0; nth < 2; nth += 1) await opened.bearer()
  for (const read of [7, 60, 2, 0]) {
    opened.control.changeUsage({ 1001: { read, update: 1 } })
    expect(opened.control.usage()[1001]).toMatchObject({ read, update: 1 })
  }
})
