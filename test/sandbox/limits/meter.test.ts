import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, rate } from '../../kit/sandbox.ts'

test('a request with a valid credential is counted if it answers 200, 404 or 405 (S90, 8.3)', async () => {
  const { send, key, sandbox } = open()
  for (const [path, method] of [
    ['/organizations', 'GET'],
    ['/nothing', 'GET'],
    ['/organizations/2002', 'GET'],
    ['/rate_limit', 'PUT'],
  ])
    await send(path!, { method: method!, headers: key() })
  expect(sandbox.snapshot().months['1001']?.count).toBe(4)
})

test('an unknown address answers 429 while the minute is used up (8.4.3)', async () => {
  const { api, key } = open()
  await api(60, '/organizations', key())
  expect((await api(1, '/nothing', key())).status).toBe(429)
})

test('pages are not counted, even with a key and a sign-in (8)', async () => {
  const { send, key, signIn, sandbox } = open()
  const headers = { ...key(), ...(await signIn()) }
  for (const path of ['/', '/plan?organization_id=1001', '/projects?organization_id=1001', '/style.css']) {
    const answer = await send(path, { headers })
    expect([answer.status, answer.headers.has('X-RateLimit-Limit')]).toEqual([200, false])
  }
  expect(sandbox.snapshot().months).toEqual({})
})

test('a new plan changes the limits of its organization at once and keeps the count (S6, 1) (S74, 8)', async () => {
  const first = open()
  await first.api(60, '/organizations', first.key())
  const state = first.sandbox.snapshot()
  state.organizations[0]!.plan = 'business'
  const { api, key } = open({ state })
  const answer = await api(1, '/organizations', key())
  expect([answer.status, rate(answer)]).toMatchObject([200, { limit: 600, remaining: 539 }])
})

test('a smaller plan than the used part leaves no requests, and not fewer (2.2)', async () => {
  const first = open()
  await first.api(70, '/organizations', first.key(2002))
  const state = first.sandbox.snapshot()
  state.organizations[1]!.plan = 'standard'
  const { api, key } = open({ state })
  const answer = await api(1, '/organizations', key(2002))
  expect([answer.status, answer.headers.get('X-RateLimit-Remaining')]).toEqual([429, '0'])
})

const counts = async (choices: Partial<Choices>, path: string, method = 'GET', times = 1) => {
  const opened = open({ choices })
  await opened.api(times, path, opened.key(), method)
  const { months, windows } = opened.sandbox.snapshot()
  const { read, update } = windows[opened.key()['X-Service-Api-Key']] ?? {}
  return [(read?.used ?? 0) + (update?.used ?? 0), months['1001']?.count ?? 0]
}

test.each<[Choices['refusedcount'], number, number]>([
  ['none', 60, 60],
  ['minute', 65, 60],
  ['month', 60, 65],
  ['minute_and_month', 65, 65],
])(
  'with %s, the minute counts %i of 65 requests at a limit of 60, and the month %i (U60)',
  async (refusedcount, minute, month) => {
    expect(await counts({ refusedcount }, '/organizations', 'GET', 65)).toEqual([minute, month])
  },
)

test.each<[Choices['ratelimitcount'], number, number]>([
  ['minute_and_month', 1, 1],
  ['none', 0, 0],
  ['minute', 1, 0],
])(
  'with %s, the minute counts %i for GET /rate_limit, and the month %i (U61)',
  async (ratelimitcount, minute, month) => {
    expect(await counts({ ratelimitcount }, '/rate_limit')).toEqual([minute, month])
  },
)

test.each<[Choices['preflight'], number, number]>([
  ['not_counted', 0, 0],
  ['head_as_read', 1, 0],
  ['both_count', 1, 1],
])('with %s, HEAD counts %i and OPTIONS %i (S82, U63, 8.2)', async (preflight, head, options) => {
  expect(await counts({ preflight }, '/organizations', 'HEAD')).toEqual([head, head])
  expect(await counts({ preflight }, '/organizations', 'OPTIONS')).toEqual([options, options])
})

test.each<[Choices['failcount'], number]>([
  ['valid_credential', 2],
  ['all', 3],
  ['only_2xx', 1],
])(
  'with %s, the month counts %i of a success, a 404 and a request with an expired token (U62)',
  async (failcount, month) => {
    const { send, bearer, clock, sandbox } = open({ choices: { failcount } })
    const headers = await bearer()
    for (const path of ['/organizations', '/nothing']) await send(path, { headers })
    expect(sandbox.control.requestLog().at(-1)?.cost.month).toBe(failcount === 'only_2xx' ? 0 : 1)
    clock.ms += 3_600_000
    expect((await send('/organizations', { headers })).status).toBe(401)
    expect(sandbox.snapshot().months['1001']?.count).toBe(month)
  },
)

test('the month counts each request of another client with the same key once (U71, 8.3)', async () => {
  const { api, key, sandbox, clock } = open({ choices: { shared: 'yes' } })
  const month = () => sandbox.snapshot().months['1001']?.count ?? 0
  await api(1, '/organizations', key())
  expect(month()).toBe(1)
  clock.ms += 30_000
  const { remaining } = rate(await api(1, '/organizations', key()))
  expect(month()).toBe(60 - remaining)
  await api(1, '/organizations', key())
  expect(month()).toBe(60 - remaining + 1)
})
