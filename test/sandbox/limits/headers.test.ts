import { expect, test } from 'vitest'
import { rate, START_MS } from '../../kit/sandbox.ts'
import { bearerOf, each, start } from '../_start.ts'

const RESET = Math.floor(START_MS / 1000) + 60

test.each([
  [200, 'GET', '/organizations', 'a key'],
  [200, 'GET', '/rate_limit', 'a key'],
  [401, 'GET', '/organizations', 'nothing'],
  [401, 'HEAD', '/organizations', 'nothing'],
  [401, 'GET', '/rate_limit', 'an unknown token'],
  [404, 'GET', '/tasks', 'a key'],
  [404, 'GET', '/tasks', 'nothing'],
  [405, 'PUT', '/organizations', 'a key'],
  [405, 'DELETE', '/rate_limit', 'a key'],
  [405, 'POST', '/rate_limit', 'nothing'],
])(
  'the answer %i to %s %s with %s has the three headers, and is not cached (S96, S97, S98, S99, 8.4.2)',
  async (status, method, path, by) => {
    const { send, key, sandbox } = start()
    const isKnown = by === 'a key'
    const credential = isKnown ? key() : by === 'nothing' ? {} : bearerOf('unknown')
    const answer = await send(path, { method, headers: { ...credential, Origin: 'https://other.example' } })
    expect(answer.status).toBe(status)
    // Without a holder it is an unused window of Standard, and nothing is counted.
    const limit = ['GET', 'HEAD'].includes(method) ? 60 : 15
    expect(rate(answer)).toEqual({ limit, remaining: limit - (isKnown ? 1 : 0), reset: RESET })
    const { windows, months } = sandbox.snapshot()
    expect([windows, months].map((counts) => Object.keys(counts).length)).toEqual(isKnown ? [1, 1] : [0, 0])
    for (const name of ['Limit', 'Remaining', 'Reset'])
      expect(answer.headers.get(`X-RateLimit-${name}`)).toMatch(/^\d+$/)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect([...answer.headers.keys()].join()).not.toContain('access-control')
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(answer.headers.has('Allow')).toBe(status === 405)
    expect(answer.headers.has('WWW-Authenticate')).toBe(status === 401)
  },
)

test('for both classes, headers and record report the same at one instant (S95, S101, 8.4)', async () => {
  const { api, key, record } = start({ choices: { ratelimitcount: 'none' } })
  for (const [times, method] of [
    [3, 'GET'],
    [15, 'PUT'],
    [1, 'PUT'],
    [57, 'GET'],
    [1, 'GET'],
  ] as const) {
    const headers = rate(await api(times, '/organizations', key(), method))
    const { get, update } = await record()
    expect(headers).toEqual(method === 'GET' ? get : update)
  }
})

each('hdrclass', {
  of_request: [15, 60, 15, 15],
  read: [60, 60, 60, 60],
  update: [15, 15, 15, 15],
  fewer_remaining: [15, 15, 15, 60],
})('the limits for nobody, a read, an update, and while fewer reads are left (U53)', async ({ api, key }) => {
  const nobody = rate(await api(1, '/organizations', {}, 'PATCH')).limit
  const read = rate(await api(1, '/organizations', key())).limit
  const update = rate(await api(1, '/organizations', key(), 'PATCH')).limit
  await api(49, '/organizations', key())
  return [nobody, read, update, rate(await api(1, '/organizations', key(), 'PATCH')).limit]
})

const ANSWERS = [200, 401, 404, 405, 429, 'token 401'] as const
each('hdrscope', {
  all: [200, 401, 404, 405, 429],
  authenticated: [200, 404, 405, 429],
  only_2xx: [200],
  not_on_429: [200, 401, 404, 405],
  also_token: [200, 401, 404, 405, 429, 'token 401'],
})('the answers that have the headers (U54)', async ({ api, key, token }) => {
  const answers = [
    await api(1, '/organizations', key()),
    await api(1, '/organizations', {}),
    await api(1, '/nothing', key()),
    await api(1, '/organizations', key(), 'PUT'),
    await api(60, '/organizations', key()),
    await token({ grant_type: 'refresh_token', client_id: 'unknown', refresh_token: 'x' }),
  ]
  return ANSWERS.filter((_, nth) => answers[nth]?.headers.has('X-RateLimit-Limit'))
})

each('monthlyhdr', {
  minute_values: ['60', String(RESET)],
  zero_until_month: ['0', String(Date.UTC(2026, 11, 1) / 1000)],
  absent: [null, null],
})('remaining and reset in the headers over the month (U67)', async ({ api, key, sandbox }) => {
  sandbox.control.changeLimits({ 1001: { per_month: 0 } })
  const { headers } = await api(1, '/organizations', key())
  return [headers.get('X-RateLimit-Remaining'), headers.get('X-RateLimit-Reset')]
})

each('retryafter', {
  absent: [null, null],
  seconds: ['50', '49'],
  http_date: ['Sat, 21 Nov 2026 06:01:00 GMT', 'Sat, 21 Nov 2026 06:01:00 GMT'],
  zero_or_negative: ['0', '-1'],
  conflicts_with_reset: ['12', '12'],
})('the Retry-After ten and eleven seconds into a used-up minute (U64)', async ({ api, key, later }) => {
  expect((await api(60, '/organizations', key())).headers.has('Retry-After')).toBe(false)
  const seen: unknown[] = []
  for (const seconds of [9.75, 1]) {
    later(seconds)
    const refused = await api(1, '/organizations', key())
    expect(refused.status).toBe(429)
    seen.push(refused.headers.get('Retry-After'))
  }
  return seen
})

test('over the month, Retry-After leads to the next month by the clock of the service (U64, U82)', async () => {
  const { api, key, sandbox } = start({ choices: { retryafter: 'http_date', skew: 'plus_5_minutes' } })
  sandbox.control.changeLimits({ 1001: { per_month: 0 } })
  const refused = await api(1, '/organizations', key())
  expect(refused.headers.get('Retry-After')).toBe('Tue, 01 Dec 2026 00:05:00 GMT')
  sandbox.control.changeChoices({ monthly: 'status_403' })
  expect((await api(1, '/organizations', key())).headers.has('Retry-After')).toBe(false)
})
