import { expect, test } from 'vitest'
import { rate, START_MS } from '../../kit/sandbox.ts'
import { bearerOf, each, inOrder, start } from '../_start.ts'

const OPENED = Math.floor(START_MS / 1000)

test('an unused window is reported whole, with a reset a minute from now (S16, 2.2)', async () => {
  const { left, record, later, clock } = start()
  await left()
  later(600)
  const reset = Math.floor(clock.ms / 1000) + 60
  expect(await record()).toEqual({
    get: { limit: 60, remaining: 59, reset },
    update: { limit: 15, remaining: 15, reset },
  })
})

// S13, S14, S15, S18, S38, S39
test('GET /rate_limit is a read without parameters, and its headers agree (4.3)', async () => {
  const { api, key, record: recordOf } = start()
  await api(3, '/organizations', key())
  await api(2, '/organizations', key(), 'PUT')
  const answer = await api(1, '/rate_limit?class=update&get=1', key())
  const record = await answer.json()
  expect(record.get).toEqual(rate(answer))
  expect(record).toMatchObject({ get: { limit: 60, remaining: 56 }, update: { limit: 15, remaining: 13 } })
  expect(await recordOf(2002)).toMatchObject({ get: { limit: 600 }, update: { limit: 150 } })
  expect(Object.keys(record)).toEqual(['get', 'update'])
  for (const member of Object.values<Record<string, unknown>>(record)) {
    expect(Object.keys(member)).toEqual(['limit', 'remaining', 'reset'])
    expect(Object.values(member).every((value) => Number.isInteger(value))).toBe(true)
  }
})

test.each(['/organizations', '/organizations/1001', '/rate_limit'])(
  'HEAD %s answers like GET, without a body (RFC 9110 9.1, 9.3.2)',
  async (path) => {
    const { api, status, key } = start()
    const [head, get] = [await api(1, path, key(), 'HEAD'), await api(1, path, key())]
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect([...head.headers.keys()]).toEqual([...get.headers.keys()])
    expect(await status(path, {}, 'HEAD')).toBe(401)
  },
)

test('a HEAD is refused where its GET is, and is not counted (U63, RFC 9110 9.3.2)', async () => {
  const { status, key, sandbox, month } = start()
  const read = (method: string) => status('/organizations', key(), method)
  sandbox.control.changeUsage({ 1001: { month: 99 } })
  expect([await read('HEAD'), await read('GET'), await read('GET'), await read('HEAD')]).toEqual([
    200, 200, 429, 429,
  ])
  expect(month()).toBe(100)
})

const NONE = [0, 0]
const ONE = [1, 1]
each('preflight', {
  not_counted: [NONE, NONE, 60, 200],
  head_as_read: [ONE, ONE, 59, 429],
  both_count: [ONE, [2, 2], 59, 429],
})(
  'the counts after HEAD and OPTIONS, what is left, the 61st HEAD (S82, U63)',
  async ({ api, key, left, counts, later }) => {
    const remaining = await left(key(), 'HEAD')
    const head = counts()
    await api(1, '/organizations', key(), 'OPTIONS')
    const options = counts()
    later(60)
    return [head, options, remaining, (await api(61, '/organizations', key(), 'HEAD')).status]
  },
)

each('refusedcount', {
  none: [60, 60],
  minute: [65, 60],
  month: [60, 65],
  minute_and_month: [65, 65],
})('what minute and month count of 65 requests at a limit of 60 (U60)', async ({ api, key, counts }) => {
  await api(65, '/organizations', key())
  return counts()
})

each('ratelimitcount', { minute_and_month: ONE, none: NONE, minute: [1, 0] })(
  'what minute and month count of GET /rate_limit (U61)',
  async ({ record, counts }) => {
    await record()
    return counts()
  },
)

test('windows that have ended are deleted when a new one opens (8.2)', async () => {
  const { left, bearer, later, sandbox } = start()
  await left(await bearer('2002'))
  later(61)
  await left()
  expect(Object.keys(sandbox.snapshot().windows)).toHaveLength(1)
})

each('pertoken', {
  credential: [59, 59, 59, 59, 599],
  grant: [59, 58, 59, 59, 599],
  application: [59, 58, 57, 59, 599],
  // The key was issued by the person of the first grant.
  user: [59, 58, 59, 57, 599],
})(
  'what a token, a refreshed, another person’s, a key and one of 2002 have left (S81, U70)',
  async ({ left, key, bearer, tokens, refresh }) => {
    const first = await tokens()
    const second = (await refresh(first.refresh_token)).body
    const others = await tokens({}, 'ben')
    const bearers = [first, second, others].map(({ access_token }) => bearerOf(access_token))
    return inOrder([...bearers, key(), await bearer('2002')], (headers) => left(headers))
  },
)

each('remaining', { after_request: [59, 58, 15], before_request: [60, 59, 15] })(
  'what a read and the record report (U58)',
  async ({ left, api, key }) => {
    const first = await left()
    const answer = await api(1, '/rate_limit', key())
    const { get, update } = await answer.json()
    expect(get).toEqual(rate(answer))
    return [first, get.remaining, update.remaining]
  },
)

each('resetunit', {
  epoch_seconds: String(OPENED + 60),
  epoch_milliseconds: `${OPENED + 60}000`,
  seconds_left: '40',
  iso_date: '2026-11-21T06:01:00.000Z',
})(
  'the reset in the header; the record has seconds, the same all the minute (S17, U55)',
  async ({ left, later, api, key }) => {
    await left()
    later(20)
    const answer = await api(1, '/rate_limit', key())
    expect((await answer.json()).get.reset).toBe(OPENED + 60)
    return answer.headers.get('X-RateLimit-Reset')
  },
)

test('a changed limit begins with the next window (S75, U72, 8)', async () => {
  const { api, key, sandbox, later } = start()
  await api(20, '/organizations', key())
  sandbox.control.changeLimits({ 1001: { read_per_minute: 10 } })
  for (const remaining of [39, 38])
    expect(rate(await api(1, '/organizations', key()))).toMatchObject({ limit: 60, remaining })
  later(60)
  expect(rate(await api(1, '/organizations', key()))).toMatchObject({ limit: 10, remaining: 9 })
})

test('a changed plan changes all limits at once, and keeps the counts (S6, S74, 2.2, 8)', async () => {
  const { api, key, sandbox, month } = start()
  await api(60, '/organizations', key())
  await api(70, '/organizations', key(2002))
  sandbox.control.changePlans({ 1001: 'business' })
  sandbox.control.changePlans({ 2002: 'standard' })
  const more = await api(1, '/organizations', key())
  expect([more.status, rate(more), month()]).toMatchObject([200, { limit: 600, remaining: 539 }, 61])
  // No requests are left, and not fewer.
  const less = await api(1, '/organizations', key(2002))
  expect([less.status, less.headers.get('X-RateLimit-Remaining')]).toEqual([429, '0'])
  expect(() => sandbox.control.changePlans({ 1001: 'gold' })).toThrow('1001')
  expect(() => sandbox.control.changePlans({ 7: 'standard' })).toThrow('no such organization')
})

test('each of 100 parallel reads reports its own count (8.4)', async () => {
  const { left, key } = start()
  const all = await Promise.all(Array.from({ length: 100 }, () => left(key(2002))))
  expect(new Set(all).size).toBe(100)
})
