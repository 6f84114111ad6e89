import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { open, rate, START_MS } from '../../kit/sandbox.ts'

const OPENED_AT_SECONDS = Math.floor(START_MS / 1000)

test.each([
  ['60th', 'Standard', 'read', '1001', 'GET', 60, 200],
  ['600th', 'Business', 'read', '2002', 'GET', 600, 200],
  ['15th', 'Standard', 'update', '1001', 'POST', 15, 405],
  ['150th', 'Business', 'update', '2002', 'POST', 150, 405],
])(
  'the %s request in a minute on %s (%s) is served, the next answers 429 (S83, 8.2) (S84, 8.2) (S86, 8.2) (S87, 8.2) (S73, 7) (S100, 8.4) (S102, 8.4) (check 61, RFC 6585 4)',
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

test('the window ends exactly at its reset, and the next request opens the next (S89, 8.2)', async () => {
  const { api, key, clock } = open()
  await api(60, '/organizations', key())
  clock.ms = (OPENED_AT_SECONDS + 60) * 1000 - 1
  expect((await api(1, '/organizations', key())).status).toBe(429)
  clock.ms += 1
  const next = await api(1, '/organizations', key())
  expect(next.status).toBe(200)
  expect(rate(next)).toEqual({ limit: 60, remaining: 59, reset: OPENED_AT_SECONDS + 120 })
})

test('an unused window is reported whole, with a reset a minute from now (S16, 2.2)', async () => {
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

test.each(['/organizations', '/organizations/1001', '/rate_limit'])(
  'HEAD %s answers like GET, without a body (RFC 9110 9.1, 9.3.2)',
  async (path) => {
    const { api, key } = open()
    const [head, get] = [await api(1, path, key(), 'HEAD'), await api(1, path, key())]
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect([...head.headers.keys()]).toEqual([...get.headers.keys()])
    expect((await api(1, path, {}, 'HEAD')).status).toBe(401)
  },
)

test.each([
  ['not_counted', 60, 200],
  ['head_as_read', 59, 429],
  ['both_count', 59, 429],
] as const)(
  'with %s, HEAD leaves %i reads, and the 61st answers %i (U63, 8.2)',
  async (preflight, left, last) => {
    const { api, key } = open({ choices: { preflight } })
    expect(rate(await api(1, '/organizations', key(), 'HEAD')).remaining).toBe(left)
    expect((await api(60, '/organizations', key(), 'HEAD')).status).toBe(last)
  },
)

test('GET /rate_limit counts as a read, and its headers agree (S13, 2.2) (S18, 2.2) (S14, 2.2) (S39, 4.3) (S95, 8.4) (S101, 8.4)', async () => {
  const { api, key } = open()
  await api(3, '/organizations', key())
  await api(2, '/organizations', key(), 'PUT')
  const answer = await api(1, '/rate_limit', key())
  const record = await answer.json()
  expect(record.get).toEqual(rate(answer))
  expect(record).toMatchObject({ get: { remaining: 56 }, update: { limit: 15, remaining: 13 } })
  expect(Object.keys(record)).toEqual(['get', 'update'])
  for (const member of Object.values<Record<string, unknown>>(record)) {
    expect(Object.keys(member)).toEqual(['limit', 'remaining', 'reset'])
    expect(Object.values(member).every((value) => Number.isInteger(value))).toBe(true)
  }
})

test('GET /rate_limit ignores parameters (S38, 4.3)', async () => {
  const { api, key } = open()
  const answer = await api(1, '/rate_limit?class=update&get=1', key())
  expect([answer.status, (await answer.json()).get.remaining]).toEqual([200, 59])
})

test('windows that have ended are deleted when a new one opens (8.2)', async () => {
  const { api, bearer, key, clock, sandbox } = open()
  await api(1, '/organizations', await bearer('2002'))
  clock.ms += 61_000
  await api(1, '/organizations', key())
  expect(Object.keys(sandbox.snapshot().windows)).toHaveLength(1)
})

test.each<[Choices['pertoken'], number[]]>([
  ['credential', [59, 59, 59, 59]],
  ['grant', [59, 58, 59, 59]],
  ['application', [59, 58, 57, 59]],
  ['user', [59, 58, 59, 58]],
])(
  'counted by %s, a token, the refreshed one, another person and a key have %j left (S81, U70)',
  async (pertoken, left) => {
    const { api, key, exchange, authorize, refresh } = open({ choices: { pertoken } })
    const first = (await exchange(await authorize())).body
    const second = (await refresh(first.refresh_token)).body
    const others = (await exchange(await authorize({}, 'ben'))).body
    const bearer = (token?: string) => ({ Authorization: `Bearer ${token}` })
    const remaining: number[] = []
    for (const headers of [
      bearer(first.access_token),
      bearer(second.access_token),
      bearer(others.access_token),
      key(),
    ])
      remaining.push(rate(await api(1, '/organizations', headers)).remaining)
    // The key was issued by the person of the first grant.
    expect(remaining).toEqual(pertoken === 'user' ? [59, 58, 59, 57] : left)
  },
)

test.each<[Choices['remaining'], number[]]>([
  ['after_request', [59, 58, 15]],
  ['before_request', [60, 59, 15]],
])('with %s, remaining is %j (U58)', async (remaining, expected) => {
  const { api, key } = open({ choices: { remaining } })
  const first = rate(await api(1, '/organizations', key())).remaining
  const answer = await api(1, '/rate_limit', key())
  const record = await answer.json()
  expect([first, record.get.remaining, record.update.remaining]).toEqual(expected)
  expect(record.get).toEqual(rate(answer))
})

test.each<[Choices['resetunit'], string]>([
  ['epoch_seconds', String(OPENED_AT_SECONDS + 60)],
  ['epoch_milliseconds', `${OPENED_AT_SECONDS + 60}000`],
  ['seconds_left', '40'],
  ['iso_date', '2026-11-21T06:01:00.000Z'],
])('the header has the reset in %s, and the record has seconds (U55)', async (resetunit, expected) => {
  const { api, key, clock } = open({ choices: { resetunit } })
  await api(1, '/organizations', key())
  clock.ms += 20_000
  const answer = await api(1, '/rate_limit', key())
  expect(answer.headers.get('X-RateLimit-Reset')).toBe(expected)
  expect((await answer.json()).get.reset).toBe(OPENED_AT_SECONDS + 60)
})

test('headers and record report the limit of the plan, by class (S15, 2.2) (S97, 8.4)', async () => {
  const { api, key } = open()
  for (const [id, read, update] of [
    [1001, 60, 15],
    [2002, 600, 150],
  ] as const) {
    const answer = await api(1, '/rate_limit', key(id))
    expect(rate(answer).limit).toBe(read)
    expect(await answer.json()).toMatchObject({ get: { limit: read }, update: { limit: update } })
    expect(rate(await api(1, '/tasks', key(id), 'PATCH')).limit).toBe(update)
  }
})

test.each<[Choices['window'], number, number]>([
  ['first_request', OPENED_AT_SECONDS + 60, 20],
  ['wall_clock', OPENED_AT_SECONDS + 60, 0],
  ['idle_reset_zero', 0, 0],
  ['idle_reset_past', OPENED_AT_SECONDS - 60, 20],
])(
  'with %s, the reset of an untouched window is %i, and %i more 20 s later (U57)',
  async (window, reset, more) => {
    const { send, key, clock } = open({ choices: { window } })
    const read = async () => (await (await send('/rate_limit', { headers: key() })).json()).update.reset
    expect(await read()).toBe(reset)
    clock.ms += 20_000
    expect(await read()).toBe(reset + more)
  },
)

test('a changed limit begins with the next window (S75, U72, 8)', async () => {
  const { api, key, sandbox, clock } = open()
  await api(20, '/organizations', key())
  sandbox.control.changeLimits({ 1001: { read_per_minute: 10 } })
  const seen = async () => {
    const { limit, remaining } = rate(await api(1, '/organizations', key()))
    return [limit, remaining]
  }
  expect(await seen()).toEqual([60, 39])
  clock.ms += 60_000
  expect(await seen()).toEqual([10, 9])
})

test('each of 100 parallel reads reports its own count (8.4)', async () => {
  const { send, key } = open()
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => send('/organizations', { headers: key(2002) })),
  )
  expect(new Set(answers.map((answer) => rate(answer).remaining)).size).toBe(100)
})

test('a HEAD is refused where its GET is, and is not counted (U63, RFC 9110 9.3.2)', async () => {
  const { api, key, sandbox } = open()
  sandbox.control.changeUsage({ 1001: { month: 99 } })
  expect((await api(1, '/organizations', key(), 'HEAD')).status).toBe(200)
  await api(1, '/organizations', key())
  expect((await api(1, '/organizations', key())).status).toBe(429)
  expect((await api(1, '/organizations', key(), 'HEAD')).status).toBe(429)
  expect(sandbox.control.usage()[1001]?.month).toBe(100)
})
