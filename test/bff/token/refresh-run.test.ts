import { expect, test } from 'vitest'
import { IS_WHOLE } from '../../_extent.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { Person } from '../../kit/person.ts'
import { HOUR_MS, onToken, PATH, twoProcesses } from '../_refresh-processes.ts'
import { failIn, onCall } from '../../kit/store-methods.ts'
import { told } from '../_answers.ts'

type Processes = Awaited<ReturnType<typeof twoProcesses>>

/** Runs `work` with two processes an hour after the sign-in: the access token has expired. */
async function anHourLater(work: (made: Processes) => Promise<void>): Promise<void> {
  const made = await twoProcesses()
  try {
    made.one.advance(HOUR_MS)
    await made.during(() => work(made))
  } finally {
    await made.close()
  }
}

/** Each call has its own path, so that the calls share no read. There is no limit. */
const callsOf = (browser: Person, count: number) =>
  Array.from({ length: count }, async (_, at) => {
    const { status, body } = await browser.spend([PATH, '/organizations', '/rate_limit'][at % 3] ?? '')
    if (body.code === 'upstream_timeout') return `${status} ${body.code} retry in ${body.retry_in_ms}`
    return [status, body.code ?? 'ok'].join(' ')
  })

/** Acts like a person who is asked to try again later. */
async function pressUntilAnswered(browser: Person): Promise<string> {
  for (let presses = 0; presses < 5; presses += 1) {
    const [outcome = ''] = await Promise.all(callsOf(browser, 1))
    if (!outcome.startsWith('504 upstream_timeout')) return outcome
  }
  return 'no answer'
}

const outcomes = async (calls: Promise<string>[]) => [...new Set(await Promise.all(calls))].toSorted()

const ROUNDS = IS_WHOLE ? 10 : 3

test('100 calls in two processes send one refresh, each time (5.4.3, attack 53, attack 54, attack 55)', () =>
  anHourLater(async ({ one, browsers, refreshes, isSignedIn }) => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      expect(await outcomes(browsers.flatMap((browser) => callsOf(browser, 50)))).toEqual(['200 ok'])
      expect([refreshes(), await isSignedIn()]).toEqual([round, true])
      one.advance(HOUR_MS)
    }
  }))

test.each([14, 20, 40])('an endpoint of %d s gets one request, its tokens are kept (attack 56)', (seconds) =>
  anHourLater(async ({ one, browsers, refreshes, isSignedIn, atTokenEndpoint, pass }) => {
    atTokenEndpoint(async (through, deadlineMs) => {
      expect(deadlineMs).toBe(45_000)
      const answer = await through()
      await pass(seconds * 1000)
      return answer
    })
    const beganMs = one.now()
    const early = await outcomes(browsers.flatMap((browser) => callsOf(browser, 6)))
    expect(early).toEqual([seconds < 15 ? '200 ok' : '504 upstream_timeout retry in 5000'])
    expect(one.now() - beganMs).toBe(Math.min(seconds, 15) * 1000)
    expect(await outcomes(browsers.map(pressUntilAnswered))).toEqual(['200 ok'])
    expect([refreshes(), await isSignedIn()]).toEqual([1, true])
  }),
)

test('members that the document does not name cost no rotated token (2.1; RFC 6749 5.1)', () =>
  anHourLater(async ({ one, browsers: [browser], refreshes, atTokenEndpoint }) => {
    atTokenEndpoint(async (through) => {
      const tokens = (await (await through()).json()) as object
      return Response.json({ ...tokens, expires_in: null, id_token: 'x', scope: ['a'] })
    })
    for (const nth of [1, 2]) {
      expect([await told(browser.spend(PATH)), refreshes()]).toEqual(['200', nth])
      one.advance(HOUR_MS)
    }
  }))

test('the tokens are stored when the process is drained, and when all callers have gone (5.4.3, attack 57)', () =>
  anHourLater(async ({ one, browsers, refreshes, atTokenEndpoint, pass }) => {
    atTokenEndpoint(async (through) => {
      const answer = await through()
      await pass(10_000)
      return answer
    })
    void browsers[0].spend(PATH)
    await pass(1000)
    await one.bff.drain()
    expect((await browsers[1].spend(PATH)).status).toBe(200)
    expect(refreshes()).toBe(1)
  }))

test('a token that is still good is used after two seconds; new ones are stored when they come (5.4)', () =>
  anHourLater(async ({ one, browsers, refreshes, atTokenEndpoint, pass }) => {
    one.advance(-20_000)
    atTokenEndpoint(async (through) => {
      await pass(10_000)
      return through()
    })
    const beganMs = one.now()
    expect((await browsers[0].spend(PATH)).status).toBe(200)
    expect([one.now() - beganMs, one.paid().at(-1)?.headers.get('Authorization')]).toEqual([
      2000,
      one.paid()[0]?.headers.get('Authorization'),
    ])
    await pass(10_000)
    one.advance(20_000)
    expect([(await browsers[0].spend(PATH)).status, refreshes()]).toEqual([200, 1])
  }))

/** Lets the first process send its refresh, which then takes as long as `after` does. */
async function sendFirst(
  { one, browsers }: Processes,
  answer: (through: () => Promise<Response>) => Promise<Response>,
): Promise<{ first: ReturnType<Person['spend']> }> {
  let isSent = () => {}
  const sent = new Promise<void>((resolve) => void (isSent = resolve))
  onToken(one, (through) => {
    isSent()
    return answer(through)
  })
  const first = browsers[0].spend(PATH)
  await sent
  return { first }
}

test('after a commit whose answer was lost the next press of the process refreshes at once (5.4.3)', () =>
  anHourLater(async ({ one, stores: [store], browsers: [browser], refreshes, isSignedIn }) => {
    let isLeased = false
    onCall(store, 'changeNote', (name) => void (isLeased ||= name.startsWith('refresh ')))
    const { transaction } = store
    store.transaction = async (work) => {
      const result = await transaction(work)
      if (!isLeased) return result
      store.transaction = transaction
      throw new Problem('store_unavailable')
    }
    expect(await told(browser.spend(PATH))).toBe('503 store_unavailable')
    const beganMs = one.now()
    expect(await told(browser.spend(PATH))).toBe('200')
    expect(one.now() - beganMs).toBeLessThan(1000)
    expect([refreshes(), await isSignedIn()]).toEqual([1, true])
  }))

const never = () => new Promise<never>(() => {})
const INVALID_GRANT = () => Response.json({ error: 'invalid_grant' }, { status: 400 })

test.each<[string, (through: () => Promise<Response>) => Promise<Response>, string]>([
  ['before its refresh arrives is replaced, and the old token is good', never, '200 ok'],
  ['with the new token causes one new sign-in', (through) => through().then(never), '401 access_withdrawn'],
])('a process that dies %s (5.4.3; RFC 9700 4.14.2, attack 58)', (_, answer, outcome) =>
  anHourLater(async (made) => {
    await sendFirst(made, answer)
    made.stores[0].die()
    const [, other] = made.browsers
    expect(await pressUntilAnswered(other)).toBe(outcome)
    expect(made.refreshes()).toBe(2)
    expect((await other.session()).body.signed_in).toBe(outcome === '200 ok')
  }),
)

test.each([
  ['expired, and was told so', 0, '504 upstream_timeout'],
  ['good, and was read with it', 20_000, '200'],
])('no refresh is sent for a press whose token was %s (5.4, C8)', (_, leftMs, outcome) =>
  anHourLater(async (made) => {
    made.one.advance(-leftMs)
    await sendFirst(made, never)
    made.stores[0].die()
    const [, other] = made.browsers
    expect(await told(other.spend(PATH))).toBe(outcome)
    // The lease of the dead process ends meanwhile.
    await made.pass(75_000)
    expect(made.refreshes()).toBe(1)
    expect([await told(other.spend(PATH)), made.refreshes()]).toEqual(['200', 2])
  }),
)

test('a holder that has lost its lease stores its tokens, which the next one finds in time (5.4.3)', () =>
  anHourLater(async (made) => {
    const { first } = await sendFirst(made, async (through) => {
      const answer = await through()
      await loss
      await made.pass(500)
      return answer
    })
    const loss = made.stores[0].loseLease(made.one.now())
    expect(await pressUntilAnswered(made.browsers[1])).toBe('200 ok')
    await first
    expect(await pressUntilAnswered(made.browsers[0])).toBe('200 ok')
    expect([made.refreshes(), await made.isSignedIn()]).toEqual([1, true])
  }))

test.each([
  ['refused while that one waits for its answer', INVALID_GRANT, 8000],
  ['refused after that one has got its answer', INVALID_GRANT, 0],
  ['not answered after that one has got its answer', () => new Response('', { status: 503 }), 0],
])('a holder that lost its lease and is %s gets its tokens (5.4.3, attack 61)', (_, answer, takesMs) =>
  anHourLater(async (made) => {
    const { two, stores, browsers, refreshes, isSignedIn, pass } = made
    let reached = () => {}
    const isReached = new Promise<void>((resolve) => void (reached = resolve))
    const { first } = await sendFirst(made, async () => {
      await isReached
      await pass(4000)
      return answer()
    })
    onToken(two, async (through) => {
      const tokens = await through()
      reached()
      await pass(takesMs)
      return tokens
    })
    await stores[0].loseLease(made.one.now())
    expect(await pressUntilAnswered(browsers[1])).toBe('200 ok')
    expect(['200', '504']).toContain(String((await first).status))
    expect(await pressUntilAnswered(browsers[0])).toBe('200 ok')
    expect([refreshes(), await isSignedIn()]).toEqual([2, true])
  }),
)

test('a database that stores no session for a moment loses no tokens: one line says so (5.4.4, attack 59)', () =>
  anHourLater(async ({ one, two, stores, browsers, refreshes, isSignedIn, pass }) => {
    const before = stores.map(({ transaction }) => transaction)
    const cause = new Error('disk full')
    for (const store of stores) failIn(store, 'changeGrant', new Problem('store_unavailable', { cause }))
    const presses = browsers.map((browser) => browser.spend(PATH))
    await pass(4000)
    for (const [nth, store] of stores.entries()) store.transaction = before[nth] ?? store.transaction
    expect((await Promise.all(presses)).map(({ status }) => status)).toEqual([200, 200])
    expect([refreshes(), await isSignedIn()]).toEqual([1, true])
    const problems = [one, two].flatMap(({ log }) => log.filter(({ event }) => event === 'problem'))
    const said = expect.stringContaining('disk full')
    expect(problems).toMatchObject([{ level: 'error', code: 'store_unavailable', cause: said }])
  }))

const broken = (code: string) => () => Promise.reject(Object.assign(new Error('broken'), { code }))
const answers =
  (status: number, body: unknown = '', headers: HeadersInit = {}) =>
  async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
const INVALID_CLIENT = answers(401, { error: 'invalid_client' })
const RETRY_AFTER = { 'Retry-After': '3600' }

test.each<[string, () => Promise<Response>]>([
  ['429 with Retry-After: 3600', answers(429, '', RETRY_AFTER)],
  ['500', answers(500, 'oops')],
  ['503 with Retry-After: 3600', answers(503, '', RETRY_AFTER)],
  ['a reset', broken('ECONNRESET')],
  ['no answer', broken('UND_ERR_HEADERS_TIMEOUT')],
  ['a page under 200', answers(200, '<h1>Maintenance</h1>')],
  ['{} under 200', answers(200, {})],
  ['server_error', answers(400, { error: 'server_error' })],
  ['a bare 400', answers(400)],
  ['a bare 401', answers(401)],
  ['invalid_client', INVALID_CLIENT],
])('two minutes of trouble sign nobody out; then all works: %s (7, attack 60)', async (trouble, answer) => {
  const { one, two, browsers, atTokenEndpoint, refreshes, isSignedIn, close } = await twoProcesses()
  one.advance(HOUR_MS)
  atTokenEndpoint(answer)
  const codes = new Set<string>()
  for (let seconds = 0; seconds < 120; seconds += 3) {
    one.advance(3000)
    const { body } = await (seconds % 2 === 0 ? browsers[0] : browsers[1]).spend(PATH)
    codes.add(body.code)
    expect(body.retry_in_ms).toBeLessThanOrEqual(30_000)
  }
  expect([...codes]).toEqual([
    trouble === 'a bare 401' || trouble === 'invalid_client' ? 'client_rejected' : 'refresh_failed',
  ])
  // There are forty, and later ones are further apart.
  expect(refreshes()).toBeLessThanOrEqual(20)
  expect([one.paid().length, two.paid().length]).toEqual([1, 0])
  one.intercept(undefined)
  two.intercept(undefined)
  one.advance(40_000)
  expect([(await browsers[1].spend(PATH)).status, await isSignedIn()]).toEqual([200, true])
  await close()
})

test('an answer that is lost after the rotation ends in one clean sign-in (RFC 9700 4.14.2, attack 64)', () =>
  anHourLater(async ({ one, browsers, atTokenEndpoint, isSignedIn }) => {
    atTokenEndpoint((through) => through().then(broken('ECONNRESET')))
    expect((await browsers[0].spend(PATH)).body.code).toBe('refresh_failed')
    expect(await isSignedIn()).toBe(true)
    one.intercept(undefined)
    one.advance(2000)
    expect(await told(browsers[0].spend(PATH))).toBe('401 access_withdrawn')
    expect(await isSignedIn()).toBe(false)
  }))

test.each([
  ['withdrawn', INVALID_GRANT, '401 access_withdrawn', 'info access_withdrawn'],
  ['refused to the app', INVALID_CLIENT, '502 client_rejected', 'error client_rejected'],
  ['not answered', answers(503, '', { 'Retry-After': '25' }), '503 refresh_failed', 'warn upstream_failed'],
] as const)('a refresh that is %s is one end for all (RFC 6749 5.2, attack 62, attack 63)', (...row) =>
  anHourLater(async ({ one, browsers, refreshes, isSignedIn, atTokenEndpoint, pass }) => {
    const [, answer, outcome, logged] = row
    atTokenEndpoint(async () => {
      await pass(2000)
      return answer()
    })
    expect(await outcomes(browsers.flatMap((browser) => callsOf(browser, 5)))).toEqual([outcome])
    const isOpen = !outcome.startsWith('401')
    expect([refreshes(), await isSignedIn()]).toEqual([1, isOpen])
    const [level, code] = logged.split(' ')
    const cause = expect.stringContaining('answered the refresh with')
    const how = isOpen ? { event: 'problem', kind: 'token.refresh', cause } : { event: 'session_ended' }
    expect(one.log).toContainEqual(expect.objectContaining({ level, code, ...how }))
    expect(one.log.filter(({ event }) => event === 'session_ended')).toHaveLength(isOpen ? 0 : 1)
  }),
)

test('a holder that has lost its lease and fails does not delay the one that has it (5.4.3)', () =>
  anHourLater(async (made) => {
    const { two, stores, browsers, refreshes, pass } = made
    let fail = () => {}
    const hasFailed = new Promise<void>((resolve) => void (fail = resolve))
    const { first } = await sendFirst(made, async () => {
      await hasFailed
      return new Response('', { status: 503 })
    })
    onToken(two, async (through) => {
      const tokens = await through()
      fail()
      await first
      await pass(1000)
      expect(await stores[0].refreshNote()).toMatchObject({ value: { failures: 0, lease: {} } })
      return tokens
    })
    await stores[0].loseLease(made.one.now())
    expect(await pressUntilAnswered(browsers[1])).toBe('200 ok')
    expect(refreshes()).toBe(2)
  }))
