// On the real routes, over a database file whose rows are counted.
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'libsql'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../../../src/bff/bff.ts'
import { Limiter, LIMITS, type LimitName } from '../../../src/bff/limiter/limiter.ts'
import { BFF } from '../../../src/contract/api.ts'
import { PAIRING } from '../../../src/contract/pairing.ts'
import { Problem, type ProblemBody } from '../../../src/contract/problem.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { BUSINESS, startApp, STANDARD, type App } from '../../kit/app.ts'
import { type Person, randomState } from '../../kit/person.ts'
import { IS_WHOLE } from '../../_extent.ts'
import { keyOf, unsent } from '../_answers.ts'
import { onCall } from '../../kit/store-methods.ts'
import { file } from '../../kit/temp-folder.ts'

const fileFixture = (): App => startApp({ store: openSqlite(file) })

/** For thousands of requests on a busy machine. */
const LONG_MS = 180_000

function countRows(): Record<string, number> {
  const db = new Database(file, { readonly: true })
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string }[]
  const rows = tables.map(({ name }) => {
    const { rows } = db.prepare(`SELECT count(*) AS rows FROM "${name}"`).get() as { rows: number }
    return [name, rows] as const
  })
  db.close()
  return Object.fromEntries(rows)
}

/** Organizations under whose name something is recorded, and names of notes. */
function namesOf(): { organizations: string[]; notes: string[] } {
  const db = new Database(file, { readonly: true })
  const all = (sql: string) => (db.prepare(sql).all() as { name: string }[]).map(({ name }) => name)
  const names = {
    organizations: all('SELECT DISTINCT organization AS name FROM requests'),
    notes: all('SELECT name FROM notes'),
  }
  db.close()
  return names
}

const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as Partial<ProblemBody> | undefined)?.code ?? ''}`.trim()

function countEach(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}

const countAnswers = (answers: readonly { status: number; body: unknown }[]) => countEach(answers.map(codeOf))

const guess = (browser: Person, path: string, at: number, method = 'GET') =>
  browser.request(method, path, {
    headers: { Cookie: `plimsoll-http-3000=${String(at).padStart(22, 'n')}.${'k'.repeat(43)}` },
  })
const tryKey = (browser: Person, at: number) =>
  browser.request('POST', '/bff/session', { json: { api_key: `a-wrong-key-${at}` } })

/** A sign-in up to the callback, with a code that the service does not know. */
async function tryCode(browser: Person) {
  const state = randomState()
  await browser.startLogin(STANDARD, state)
  return browser.request('POST', '/bff/session', { json: { code: 'a-garbage-code', state } })
}

const WITHOUT_SESSION: readonly string[] = [
  BFF.session,
  BFF.login,
  BFF.startedLogin,
  PAIRING.claim,
  PAIRING.session,
]

const guessPairing = (browser: Person, json: { code?: string }) =>
  browser.request('POST', json.code ? PAIRING.claim : PAIRING.session, {
    json,
    headers: { Cookie: `plimsoll-http-3000-pairing=${'h'.repeat(43)}.${'k'.repeat(64)}` },
  })

const LINK = 'a-link-of-nobody'
/** What a watch link opens. */
const WATCHED = Object.entries(ROUTES)
  .filter(([path]) => path.startsWith('/watch/'))
  .flatMap(([path, methods]) =>
    Object.keys(methods)
      // It is a GET whose answer has no body.
      .filter((method) => method !== 'HEAD')
      .map((method) => [method, path.replace(':id', LINK)] as const),
  )

/** A made-up secret, where the route takes one. */
const guessLink = (browser: Person, method: string, path: string, secret: string) =>
  browser.request(method, path, {
    headers: { Cookie: `plimsoll-http-3000-watch-${LINK}=${secret}`, Authorization: `Bearer ${secret}` },
    ...(method === 'POST' && { json: { secret } }),
  })

/** Everything except sign-in, sign-out, `GET /bff/session`, the second browser and watch links needs a session. */
const needsSession = Object.entries(ROUTES).flatMap(([path, methods]) =>
  WITHOUT_SESSION.includes(path) || path.startsWith('/watch/')
    ? []
    : Object.keys(methods).map((method) => [method, path.replace(/:\w+(\{.*\})?/, STANDARD)] as const),
)

interface Row {
  limit: LimitName
  route: string
  attempt: (browser: Person, at: number) => Promise<{ status: number; body: unknown; headers: Headers }>
  expected: string
}
const rows: Row[] = [
  {
    limit: 'login',
    route: 'POST /bff/login',
    attempt: (browser) =>
      browser.request('POST', '/bff/login', { json: { state: randomState(), organization_id: STANDARD } }),
    expected: '204',
  },
  { limit: 'code', route: 'POST /bff/session with a code', attempt: tryCode, expected: '401 code_rejected' },
  { limit: 'api_key', route: 'POST /bff/session with a key', attempt: tryKey, expected: '401 key_rejected' },
  ...[{ code: 'ABCDEFGH' }, {}].map((json) => ({
    limit: 'session_cookie' as const,
    route: `a guess of ${json.code ? 'a code' : 'the proof of a claim'}`,
    attempt: (browser: Person) => guessPairing(browser, json),
    expected: '404 not_found',
  })),
  ...needsSession.map(([method, path]) => ({
    limit: 'session_cookie' as const,
    route: `${method} ${path}`,
    attempt: (browser: Person, at: number) => guess(browser, path, at, method),
    expected: '401 signed_out',
  })),
  ...WATCHED.map(([method, path]) => ({
    limit: 'session_cookie' as const,
    route: `${method} ${path}`,
    attempt: (browser: Person, at: number) => guessLink(browser, method, path, `guess${at}`.padEnd(43, '-')),
    expected: '401 signed_out',
  })),
  {
    limit: 'session_cookie',
    route: 'GET /bff/session',
    attempt: (browser, at) => guess(browser, '/bff/session', at),
    expected: '200',
  },
]

describe.each(rows)('$route', ({ limit, attempt, expected }) => {
  test(`one address gets ${limit} in its window, then 429 with Retry-After (ASVS 2.4.1)`, async () => {
    const { points, duration } = LIMITS[limit]
    const fixture = fileFixture()
    const browser = fixture.browser('192.0.2.66')
    const before = countRows()
    const answers = []
    for (let at = 0; at < points; at += 1) answers.push(await attempt(browser, at))
    expect(countAnswers(answers)).toEqual({ [expected]: points })
    fixture.advance(10_000)
    const [sent, rows] = [fixture.sent.length, countRows()]
    // A guess of a cookie adds no row but that of the counter; other attempts record what they send.
    expect(rows).toEqual(limit === 'session_cookie' ? { ...before, counters: 1 } : rows)
    const { status, headers, body } = await attempt(browser, points)
    const retryInMs = (duration - 10) * 1000
    expect([status, body]).toMatchObject([429, { code: 'too_many_attempts', retry_in_ms: retryInMs }])
    expect(headers.get('Retry-After')).toBe(String(retryInMs / 1000))
    expect([fixture.sent.length, countRows()]).toEqual([sent, rows])
    // The limit holds in another process, and not for another address.
    const other = fixture.another()
    expect(codeOf(await attempt(other.browser('192.0.2.66'), points))).toBe('429 too_many_attempts')
    expect(codeOf(await attempt(other.browser('192.0.2.67'), points))).toBe(expected)
    fixture.advance(retryInMs)
    expect(codeOf(await attempt(browser, points))).toBe(expected)
  })
})

test('an open session works from a blocked address, and a dead cookie is removed there (ASVS 2.4.1)', async () => {
  const fixture = fileFixture()
  const owner = fixture.browser('192.0.2.66')
  await owner.signIn()
  const attacker = fixture.browser('192.0.2.66')
  for (let at = 0; at < 150; at += 1) await guess(attacker, '/bff/quota', at)
  expect((await owner.session()).body.signed_in).toBe(true)
  expect((await owner.request('GET', '/bff/quota')).status).toBe(200)
  expect((await owner.read(`/organizations/${STANDARD}`)).status).toBe(200)
  attacker.cookies.set('plimsoll-http-3000', 'name.key')
  expect(codeOf(await attacker.session())).toBe('429 too_many_attempts')
  expect(codeOf(await attacker.session())).toBe('200')
})

test('thirty of 1,000 wrong keys are sent, and nothing is written to any organization (ASVS 2.4.1)', async () => {
  const fixture = fileFixture()
  const before = countRows()
  const answers = []
  for (let round = 0; round < 20; round += 1) {
    const browsers = Array.from({ length: 50 }, () => fixture.browser('192.0.2.66'))
    answers.push(...(await Promise.all(browsers.map((browser, at) => tryKey(browser, round * 50 + at)))))
  }
  expect(countAnswers(answers)).toEqual({ '401 key_rejected': 30, '429 too_many_attempts': 970 })
  expect(fixture.sent).toHaveLength(30)
  const rows = countRows()
  expect([rows['sessions'], rows['copies'], rows['counters']]).toEqual([0, 0, 2])
  expect(rows['requests']).toBe((before['requests'] ?? 0) + 30)
  expect(JSON.stringify(namesOf())).not.toContain(`"${STANDARD}"`)
})

test.each<[string, () => Promise<Response>]>([
  ['is not reached', unsent],
  ['does not answer', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
  ['answers 503', async () => new Response('', { status: 503 })],
  ['answers nonsense', async () => new Response('<html>')],
])(
  'a service that %s takes no attempt from an address, and is not asked without end (ASVS 2.4.1)',
  async (...row) => {
    const [, outage] = row
    const fixture = startApp()
    const browser = fixture.browser('192.0.2.66')
    const key = keyOf(fixture)
    const signIn = () => browser.request('POST', '/bff/session', { json: { api_key: key } })
    fixture.intercept(outage)
    for (let at = 0; at < 40; at += 1) expect((await signIn()).status).toBeGreaterThan(500)
    fixture.intercept(undefined)
    expect(codeOf(await signIn())).toBe('201')
    fixture.intercept(outage)
    for (let at = 40; at < LIMITS.login.points; at += 1) await signIn()
    expect(codeOf(await signIn())).toBe('429 too_many_attempts')
    let writes = 0
    onCall(fixture.store, 'addToCounter', () => (writes += 1))
    expect(codeOf(await signIn())).toBe('429 too_many_attempts')
    expect([writes, fixture.sent.length]).toEqual([0, LIMITS.login.points + 1])
    fixture.intercept(undefined)
    fixture.advance(LIMITS.login.duration * 1000)
    expect(codeOf(await signIn())).toBe('201')
  },
)

test('200 abandoned sign-ins add two rows: the counter and the secret of the server (ASVS 2.4.1)', async () => {
  const fixture = fileFixture()
  const before = countRows()
  const starts = Array.from({ length: 200 }, () => fixture.browser('192.0.2.66').startLogin(STANDARD))
  await Promise.all(starts)
  expect(countRows()).toEqual({ ...before, counters: 1, notes: 1 })
  expect(namesOf()).toEqual({ organizations: [], notes: ['server secrets'] })
  expect(fixture.sent).toEqual([])
})

test(
  '64 people who sign in from one address at the same time are not limited (ASVS 2.4.1)',
  async () => {
    const fixture = fileFixture()
    const key = fixture.seed.api_keys.find(
      ({ organization_id }) => String(organization_id) === BUSINESS,
    )?.value
    fixture.intercept(async (request, through) => {
      await wait(5)
      return through(request)
    })
    for (let round = 0; round < (IS_WHOLE ? 3 : 1); round += 1) {
      const people = Array.from({ length: 64 }, () => fixture.browser('192.0.2.64'))
      const byCode = await Promise.all(people.map((browser) => browser.signIn(BUSINESS)))
      const byKey = await Promise.all(
        people.map((browser) => browser.request('POST', '/bff/session', { json: { api_key: key } })),
      )
      expect([countAnswers(byCode), countAnswers(byKey)]).toEqual([{ '201': 64 }, { '201': 64 }])
    }
    await fixture.bff.drain()
    for (const limit of ['code', 'api_key', 'login']) {
      const { count } = await fixture.store.addToCounter(`limit ${limit}:192.0.2.64`, 0, fixture.now(), 1e15)
      expect([limit, count]).toEqual([limit, 0])
    }
  },
  LONG_MS,
)

describe('an attempt', () => {
  const refusal = ({ code, retryInMs }: Problem) => `${code}, again in ${retryInMs}`
  const setUp = () => {
    const store = openSqlite(':memory:')
    const clock = { ms: 1_000_000 }
    const limiter = new Limiter(store, () => clock.ms)
    const taken = async () => {
      await wait(5)
      return (await store.addToCounter('limit api_key:a', 0, clock.ms, 1e15)).count
    }
    return { clock, limiter, taken }
  }

  test.each([
    ['key_rejected', 1],
    ['code_rejected', 1],
    ['organization_refused', 1],
    ['limit_unknown', 1],
    ['upstream_down', 0],
    ['upstream_timeout', 0],
    ['upstream_failed', 0],
    ['unexpected_reply', 0],
    ['store_unavailable', 0],
    ['client_rejected', 0],
  ] as const)('that ends in %s counts %d (ASVS 2.4.1)', async (code, expected) => {
    const { limiter, taken } = setUp()
    const attempt = limiter.attempt('api_key', 'a', () => Promise.reject(new Problem(code)))
    await expect(attempt).rejects.toMatchObject({ code })
    expect(await taken()).toBe(expected)
  })

  test('that succeeds counts nothing, and gives its result (ASVS 2.4.1)', async () => {
    const { limiter, taken } = setUp()
    expect(await limiter.attempt('api_key', 'a', () => Promise.resolve(7))).toBe(7)
    expect(await taken()).toBe(0)
  })

  test.each([
    [10_000, { done: 115, 'too_many_attempts, again in 10000': 1 }],
    [10_001, { done: 15, 'upstream_down, again in 10000': 100, 'too_many_attempts, again in 10000': 1 }],
  ])(
    'of 116 at once a hundred wait, and fail with the service after ten seconds: %d ms (ASVS 13.2.6)',
    async (waitedMs, expected) => {
      const { clock, limiter } = setUp()
      let end: (() => void) | undefined
      const running = new Promise<void>((resolve) => (end = resolve))
      const outcomes = Array.from({ length: 116 }, () =>
        limiter.attempt('api_key', 'a', () => running).then(() => 'done', refusal),
      )
      expect(await outcomes.at(-1)).toBe('too_many_attempts, again in 10000')
      clock.ms += waitedMs
      end?.()
      expect(countEach(await Promise.all(outcomes))).toEqual(expected)
    },
  )
})

describe('the counter of an address', () => {
  const setUp = (isDown = false) => {
    const store = openSqlite(':memory:')
    const writes: string[] = []
    const addToCounter: typeof store.addToCounter = (...values) => {
      writes.push(values[0])
      return isDown ? Promise.reject(new Problem('store_unavailable')) : store.addToCounter(...values)
    }
    const limiter = new Limiter({ addToCounter }, () => 1_000_000)
    const take = (address = 'a') => limiter.take('api_key', address).then(() => 'taken', codeOfRefusal)
    return { limiter, writes, take }
  }
  const codeOfRefusal = ({ code }: Problem): string => code
  const { points } = LIMITS.api_key

  test('costs one write when it is full, and no more until one is given back (ASVS 2.4.1)', async () => {
    const { limiter, writes, take } = setUp()
    const taken = []
    for (let at = 0; at < points + 100; at += 1) taken.push(await take())
    expect(countEach(taken)).toEqual({ taken: points, too_many_attempts: 100 })
    expect(writes).toHaveLength(points + 1)
    for (const _ of [1, 2]) await limiter.giveBack('api_key', 'a')
    expect([await take(), await take(), await take('b')]).toEqual(['taken', 'too_many_attempts', 'taken'])
  })

  test('that a clock far ahead began blocks nobody once the clock is set back (8.2)', async () => {
    const store = openSqlite(':memory:')
    const clock = { ms: 10_000_000 }
    const [first, second] = [1, 2].map(() => new Limiter(store, () => clock.ms))
    const take = (limiter = first) => limiter?.take('api_key', 'a').then(() => 'taken', codeOfRefusal)
    for (let at = 0; at < points; at += 1) await take()
    expect([await take(), await take(second)]).toEqual(['too_many_attempts', 'too_many_attempts'])
    clock.ms -= 3_600_000
    for (const limiter of [first, second]) expect(await take(limiter)).toBe('taken')
    // It counts from then on, also for a process whose clock is a little behind.
    for (let at = 2; at < points; at += 1) await take()
    clock.ms -= 4000
    expect(await take(second)).toBe('too_many_attempts')
  })

  test('that the store cannot count allows nothing (ASVS 16.5.3)', async () => {
    const { take } = setUp(true)
    expect(await take()).toBe('store_unavailable')
  })
})
