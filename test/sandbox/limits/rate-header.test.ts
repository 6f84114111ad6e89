import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, rate, START_MS } from '../../kit/sandbox.ts'

const RESET = Math.floor(START_MS / 1000) + 60

test.each([
  [200, '/organizations', 'GET', true],
  [200, '/rate_limit', 'GET', true],
  [401, '/organizations', 'GET', false],
  [404, '/tasks', 'GET', true],
  [405, '/rate_limit', 'DELETE', true],
])(
  '%i of %s to %s has three whole numbers as headers (S96, 8.4) (S97, 8.4) (S98, 8.4) (S99, 8.4)',
  async (status, path, method, isKnown) => {
    const { send, key } = open()
    const answer = await send(path, { method, headers: isKnown ? key() : {} })
    expect(answer.status).toBe(status)
    const limit = method === 'DELETE' ? 15 : 60
    expect(rate(answer)).toEqual({ limit, remaining: limit - (isKnown ? 1 : 0), reset: RESET })
    for (const name of ['Limit', 'Remaining', 'Reset'])
      expect(answer.headers.get(`X-RateLimit-${name}`)).toMatch(/^\d+$/)
  },
)

test('for both classes, headers and record report the same at one instant (S101, 8.4) (S95, 8.4)', async () => {
  const { api, key, sandbox } = open()
  sandbox.control.changeChoices({ ratelimitcount: 'none' })
  for (const [times, method] of [
    [3, 'GET'],
    [15, 'PUT'],
    [1, 'PUT'],
    [57, 'GET'],
    [1, 'GET'],
  ] as const) {
    const headers = rate(await api(times, '/organizations', key(), method))
    const record = await (await api(1, '/rate_limit', key())).json()
    expect(headers).toEqual(method === 'GET' ? record.get : record.update)
  }
})

test.each<[Choices['hdrclass'], number[]]>([
  ['of_request', [60, 15]],
  ['read', [60, 60]],
  ['update', [15, 15]],
  ['fewer_remaining', [15, 15]],
])('with %s, the headers of a read and an update have the limits %j (U53)', async (hdrclass, limits) => {
  const { api, key } = open({ choices: { hdrclass } })
  const read = rate(await api(1, '/organizations', key())).limit
  expect([read, rate(await api(1, '/organizations', key(), 'PATCH')).limit]).toEqual(limits)
})

test('the class with fewer requests left can be the reads (U53)', async () => {
  const { api, key } = open({ choices: { hdrclass: 'fewer_remaining' } })
  await api(50, '/organizations', key())
  expect(rate(await api(1, '/organizations', key(), 'PATCH'))).toMatchObject({ limit: 60, remaining: 10 })
})

const ANSWERS = [200, 401, 404, 405, 429, 'token 401'] as const
test.each<[Choices['hdrscope'], (typeof ANSWERS)[number][]]>([
  ['all', [200, 401, 404, 405, 429]],
  ['authenticated', [200, 404, 405, 429]],
  ['only_2xx', [200]],
  ['not_on_429', [200, 401, 404, 405]],
  ['also_token', [200, 401, 404, 405, 429, 'token 401']],
])('with the choice %s, these answers have the headers: %j (U54)', async (hdrscope, having) => {
  const { api, key, token } = open({ choices: { hdrscope } })
  const answers = [
    await api(1, '/organizations', key()),
    await api(1, '/organizations', {}),
    await api(1, '/nothing', key()),
    await api(1, '/organizations', key(), 'PUT'),
    await api(60, '/organizations', key()),
    await token({ grant_type: 'refresh_token', client_id: 'unknown', refresh_token: 'x' }),
  ]
  expect(ANSWERS.filter((_, nth) => answers[nth]?.headers.has('X-RateLimit-Limit'))).toEqual(having)
})

test.each<[Choices['monthlyhdr'], string | null, string | null]>([
  ['minute_values', '60', String(RESET)],
  ['zero_until_month', '0', String(Date.UTC(2026, 11, 1) / 1000)],
  ['absent', null, null],
])(
  'over the month, the choice %s has remaining %s and reset %s in the headers (U67)',
  async (monthlyhdr, remaining, reset) => {
    const { api, key, sandbox } = open({ choices: { monthlyhdr } })
    sandbox.control.changeLimits({ 1001: { per_month: 0 } })
    const { headers } = await api(1, '/organizations', key())
    expect([headers.get('X-RateLimit-Remaining'), headers.get('X-RateLimit-Reset')]).toEqual([
      remaining,
      reset,
    ])
  },
)

test.each<[Choices['retryafter'], string | null]>([
  ['absent', null],
  ['seconds', '50'],
  ['http_date', 'Sat, 21 Nov 2026 06:01:00 GMT'],
  ['zero_or_negative', '0'],
  ['conflicts_with_reset', '12'],
])(
  'ten seconds into a used-up minute, the choice %s has the Retry-After %s (U64)',
  async (retryafter, value) => {
    const { api, key, clock } = open({ choices: { retryafter } })
    expect((await api(60, '/organizations', key())).headers.has('Retry-After')).toBe(false)
    clock.ms += 9_750
    const refused = await api(1, '/organizations', key())
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, value])
  },
)

test('over the month, Retry-After leads to the next month by the clock of the service (U64, U82)', async () => {
  const { api, key, sandbox } = open({ choices: { retryafter: 'http_date', skew: 'plus_5_minutes' } })
  sandbox.control.changeLimits({ 1001: { per_month: 0 } })
  const refused = await api(1, '/organizations', key())
  expect(refused.headers.get('Retry-After')).toBe('Tue, 01 Dec 2026 00:05:00 GMT')
  sandbox.control.changeChoices({ monthly: 'status_403' })
  expect((await api(1, '/organizations', key())).headers.has('Retry-After')).toBe(false)
})

test('an odd number of seconds makes Retry-After negative (U64)', async () => {
  const { api, key, clock } = open({ choices: { retryafter: 'zero_or_negative' } })
  await api(60, '/organizations', key())
  clock.ms += 10_750
  expect((await api(1, '/organizations', key())).headers.get('Retry-After')).toBe('-1')
})
