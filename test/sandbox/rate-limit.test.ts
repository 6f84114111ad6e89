import { expect, test } from 'vitest'
import { open, rate, START_MS } from './_sandbox.ts'

const OPENED_AT_SECONDS = Math.floor(START_MS / 1000)

test.each([
  ['60th', 'Standard', 'read', '1001', 'GET', 60, 200],
  ['600th', 'Business', 'read', '2002', 'GET', 600, 200],
  ['15th', 'Standard', 'update', '1001', 'POST', 15, 405],
  ['150th', 'Business', 'update', '2002', 'POST', 150, 405],
])(
  'the %s request in a minute on %s (%s) is served, the next answers 429 (8.2)',
  async (_, _plan, _class, id, method, limit, status) => {
    const { api, bearer } = open()
    const headers = await bearer(id)
    const last = await api(limit, '/organizations', headers, method)
    expect(last.status).toBe(status)
    expect(rate(last)).toEqual({ limit, remaining: 0, reset: OPENED_AT_SECONDS + 60 })
    const refused = await api(1, '/organizations', headers, method)
    expect(refused.status).toBe(429)
    expect(rate(refused)).toEqual({ limit, remaining: 0, reset: OPENED_AT_SECONDS + 60 })
    expect(refused.headers.get('Cache-Control')).toBe('no-store')
    expect(await refused.json()).toMatchObject({ error: 'too_many_requests' })
  },
)

test('remaining falls by one with each request, and reset stays (2.2)', async () => {
  const { api, key, clock } = open()
  expect(rate(await api(1, '/organizations', key())).remaining).toBe(59)
  clock.ms += 30_000
  expect(rate(await api(1, '/rate_limit', key()))).toEqual({
    limit: 60,
    remaining: 58,
    reset: OPENED_AT_SECONDS + 60,
  })
})

test('the window is over at its reset, to the millisecond, and the next opens with the next request (2.2)', async () => {
  const { api, key, clock } = open()
  await api(60, '/organizations', key())
  clock.ms = (OPENED_AT_SECONDS + 60) * 1000 - 1
  expect((await api(1, '/organizations', key())).status).toBe(429)
  clock.ms += 1
  const next = await api(1, '/organizations', key())
  expect(next.status).toBe(200)
  expect(rate(next)).toEqual({ limit: 60, remaining: 59, reset: OPENED_AT_SECONDS + 120 })
})

test('a window that was not used is reported whole, with a reset a minute from now (2.2)', async () => {
  const { send, key, clock } = open()
  await send('/organizations', { headers: key() })
  clock.ms += 10 * 60_000
  const record = await (await send('/rate_limit', { headers: key() })).json()
  const now = Math.floor(clock.ms / 1000)
  expect(record).toEqual({
    get: { limit: 60, remaining: 59, reset: now + 60 },
    update: { limit: 15, remaining: 15, reset: now + 60 },
  })
})

test('refused requests do not count: remaining stays 0 and the next window is whole (8)', async () => {
  const { api, key, clock, sandbox } = open()
  await api(80, '/organizations', key())
  expect(sandbox.snapshot().months['1001']?.count).toBe(60)
  clock.ms += 60_000
  expect(rate(await api(1, '/organizations', key())).remaining).toBe(59)
})

test('refused requests count where that is chosen (8)', async () => {
  const { api, key, sandbox } = open({ choices: { refused_requests_count: true } })
  const refused = await api(65, '/organizations', key())
  expect([refused.status, rate(refused).remaining]).toEqual([429, 0])
  expect(sandbox.snapshot().months['1001']?.count).toBe(65)
})

test('read and update are counted apart (8.2)', async () => {
  const { api, key } = open()
  await api(16, '/organizations', key(), 'DELETE')
  expect((await api(1, '/organizations', key(), 'DELETE')).status).toBe(429)
  expect((await api(1, '/organizations', key())).status).toBe(200)
})

test.each(['POST', 'PATCH', 'PUT', 'DELETE'])(
  '%s counts as an update, also where there is nothing (8.2)',
  async (method) => {
    const { api, key } = open()
    const answer = await api(1, '/tasks', key(), method)
    expect(answer.status).toBe(404)
    expect(rate(answer)).toEqual({ limit: 15, remaining: 14, reset: OPENED_AT_SECONDS + 60 })
  },
)

test.each(['HEAD', 'OPTIONS'])('%s counts as nothing, and is refused (8.2)', async (method) => {
  const { api, key, sandbox } = open()
  const answer = await api(1, '/organizations', key(), method)
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET'])
  expect(rate(answer)).toMatchObject({ limit: 60, remaining: 60 })
  expect(sandbox.snapshot()).toMatchObject({ windows: {}, months: {} })
})

test('each token and each key has a minute of its own (8.2)', async () => {
  const { api, key, bearer } = open()
  await api(60, '/organizations', key())
  expect((await api(1, '/organizations', key())).status).toBe(429)
  expect(rate(await api(1, '/organizations', await bearer())).remaining).toBe(59)
})

test('a refreshed token begins a minute of its own (8.2)', async () => {
  const { api, exchange, authorize, refresh } = open()
  const first = (await exchange(await authorize({ organization_id: '2002' }))).body
  const second = (await refresh(first.refresh_token)).body
  const remaining = async (token?: string) =>
    rate(await api(1, '/organizations', { Authorization: `Bearer ${token}` })).remaining
  expect(await remaining(first.access_token)).toBe(599)
  expect(await remaining(first.access_token)).toBe(598)
  expect(await remaining(second.access_token)).toBe(599)
})

test('GET /rate_limit counts as a read, and tells what its own headers tell (4.3, 8.4.1)', async () => {
  const { api, key } = open()
  await api(3, '/organizations', key())
  await api(2, '/organizations', key(), 'PUT')
  const answer = await api(1, '/rate_limit', key())
  const record = await answer.json()
  expect(record.get).toEqual(rate(answer))
  expect(record).toMatchObject({ get: { remaining: 56 }, update: { limit: 15, remaining: 13 } })
  expect(Object.keys(record)).toEqual(['get', 'update'])
})

test('GET /rate_limit is free where that is chosen (4.3)', async () => {
  const { api, key, sandbox } = open({ choices: { rate_limit_read_counts: false } })
  expect(rate(await api(70, '/rate_limit', key())).remaining).toBe(60)
  expect(sandbox.snapshot().months).toEqual({})
})

test('the headers describe the class of the request (8.4.4)', async () => {
  const { api, key } = open()
  expect(rate(await api(1, '/organizations', key())).limit).toBe(60)
  expect(rate(await api(1, '/organizations', key(), 'PATCH')).limit).toBe(15)
})

test('a burst in one instant is served to exactly the limit (8.2)', async () => {
  const { send, key } = open()
  const answers = await Promise.all(
    Array.from({ length: 70 }, () => send('/organizations', { headers: key() })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
})

test('windows that are over are forgotten when a new one opens', async () => {
  const { api, bearer, key, clock, sandbox } = open()
  await api(1, '/organizations', await bearer('2002'))
  clock.ms += 61_000
  await api(1, '/organizations', key())
  expect(Object.keys(sandbox.snapshot().windows)).toHaveLength(1)
})
