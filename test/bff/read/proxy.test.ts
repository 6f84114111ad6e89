import { type Credential } from '../../../src/bff/session/grant.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { BUSINESS, SERVICE, startApp, STANDARD, signInUnproven } from '../../kit/app.ts'
import { failIn, onCall } from '../../kit/store-methods.ts'
import { unsent } from '../_answers.ts'
import { answerReads, answerTokens, signedIn, withBrowser } from '../_signed-in.ts'
import { throughAnother } from '../../kit/processes.ts'
import {
  ORGANIZATION_READ,
  ORGANIZATIONS_READ,
  serviceRead,
} from '../../../src/bff/service/forwarded-reads.ts'
import { writeOrganizationNote } from '../../../src/bff/limits/note.ts'
import { countInFlight } from '../../../src/bff/limits/admission.ts'
import { newPress } from '../../../src/bff/service/request.ts'
import { credentialRefusal, readService } from '../../../src/bff/read/service-read.ts'
import type { LedgerEntry } from '../../../src/store/store.ts'
import { createContext, START_MS } from '../_context.ts'

const PATH = `/organizations/${STANDARD}`

test('a read without a copy, which no person asked for, is 428 with the price (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  for (const asked of [undefined, '0', 'true']) {
    const sent = { headers: { 'X-Plimsoll-Spend': asked } }
    const { status, body, headers } = await browser.request('GET', '/api/rate_limit', sent)
    expect([status, body.code, headers.get('X-Plimsoll-Spent')]).toEqual([428, 'costs_a_request', '0'])
  }
  expect(fixture.paid()).toHaveLength(1)
})

test('a paid answer has the three headers and the quota that it leaves; a copy has neither (2.2, 8.4)', async () => {
  const { browser } = await signedIn({ serviceAheadMs: 7_200_000 })
  const { headers } = await browser.spend(PATH)
  expect(headers.get('X-RateLimit-Limit')).toBe('60')
  expect(JSON.parse(headers.get('X-Plimsoll-Quota') ?? '')).toEqual(await browser.quota())
  const copy = await browser.request('GET', `/api${PATH}`)
  expect([...copy.headers.keys()].filter((name) => /ratelimit|quota/.test(name))).toEqual([])
})

test('a sign-in for one organization neither reads another one nor gets its copy (5.3, attack 51)', async () => {
  const { fixture, browser } = await signedIn()
  const other = fixture.browser()
  await other.signIn(BUSINESS)
  const before = fixture.sent.length
  for (const ask of [browser.spend, browser.read])
    expect(await ask(`/organizations/${BUSINESS}`)).toMatchObject({
      status: 404,
      body: { fault: 'other_organization' },
    })
  expect((await browser.spend('/organizations/01001')).body.code).toBe('invalid_organization_id')
  expect(fixture.sent).toHaveLength(before)
})

test('the service gets no header or query (RFC 9700 4.13, attack 48)', async () => {
  const { fixture, browser } = await signedIn()
  const headers = {
    Authorization: 'Bearer mine',
    'X-Service-Api-Key': 'mine',
    'X-Forwarded-Host': 'evil.example',
    'X-HTTP-Method-Override': 'DELETE',
  }
  const before = fixture.sent.length
  const asked = { headers: { ...headers, 'X-Plimsoll-Spend': '1' } }
  expect((await browser.request('GET', `/api${PATH}?x=1`, asked)).status).toBe(400)
  expect(fixture.sent).toHaveLength(before)
  expect((await browser.request('GET', `/api${PATH}`, asked)).status).toBe(200)
  expect(fixture.sent).toHaveLength(before + 1)
  const last = fixture.sent.at(-1)
  expect([...(last?.headers.keys() ?? [])].toSorted()).toEqual(['accept', 'authorization'])
  expect(last?.headers.get('Authorization')).not.toContain('mine')
  expect(last?.path).toBe(PATH)
})

test('the browser gets only the body and the three rate-limit headers of the service (8.4, attack 49)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.intercept(async (request, through) => {
    const response = await through(request)
    for (const name of ['Set-Cookie', 'Clear-Site-Data', 'Access-Control-Allow-Origin', 'Location', 'Server'])
      response.headers.set(name, 'evil')
    response.headers.set('Content-Type', 'text/html')
    return response
  })
  const { headers } = await browser.spend(PATH)
  expect([...headers.values()].join()).not.toContain('evil')
  expect(headers.get('Content-Type')).toBe('application/json')
  expect(headers.get('X-RateLimit-Limit')).toBe('60')
})

const lost = () => Promise.reject(Object.assign(new Error('a failure'), { code: 'ECONNRESET' }))
const oddities: [string, () => Response | Promise<never>, number, string][] = [
  ['is down', unsent, 502, 'upstream_down'],
  ['hangs', () => Promise.reject(new DOMException('late', 'TimeoutError')), 504, 'upstream_timeout'],
  ['answers HTML', () => new Response('<html>evil</html>'), 502, 'unexpected_reply'],
  ['answers nothing', () => new Response(null, { status: 204 }), 502, 'unexpected_reply'],
  ['answers half a JSON', () => new Response('{"name": "evil'), 502, 'unexpected_reply'],
  ['redirects', () => Response.redirect('https://evil.example/'), 502, 'unexpected_reply'],
  ['fails', () => new Response('evil', { status: 500 }), 502, 'upstream_failed'],
  ['does not know it', () => new Response('{}', { status: 404 }), 403, 'organization_refused'],
]
test.each(oddities)(
  'a service that %s has its own code, and the session and its copy stay (7)',
  async (_, reply, status, code) => {
    const { fixture, browser } = await signedIn()
    fixture.intercept(() => Promise.resolve(reply()))
    const answer = await browser.spend(PATH)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(JSON.stringify(answer.body)).not.toContain('evil')
    expect(fixture.paid()).toHaveLength(2)
    fixture.intercept(undefined)
    expect((await browser.read(PATH)).status).toBe(200)
    expect((await browser.spend(PATH)).status).toBe(200)
  },
)

test('ids beyond 2^53 are forwarded digit by digit (4.4)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.intercept(() => Promise.resolve(new Response('{"id": 90071992547409931}')))
  await browser.spend(PATH)
  const response = await browser.fetch(`/api${PATH}`, { headers: { 'X-CSRF': '1' } })
  expect(await response.text()).toBe('{"id": 90071992547409931}')
})

test('two sessions that read one path at once have each a request and a refresh of its own (5.3, 5.4)', async () => {
  const { fixture, browser } = await signedIn()
  const other = fixture.browser()
  await other.signIn(STANDARD, 'Ben')
  fixture.advance(3_600_000)
  const before = fixture.paid().length
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? through(request)
      : Promise.resolve(Response.json({ for: request.headers.get('Authorization') })),
  )
  const answers = await Promise.all([browser, other].map((one) => one.spend<{ for: string }>(PATH)))
  const bearers = fixture
    .paid()
    .slice(before)
    .map(({ headers }) => headers.get('Authorization'))
  expect(new Set(bearers).size).toBe(2)
  expect(answers.map(({ body }) => body.for)).toEqual(bearers)
  expect(answers.map(({ headers }) => headers.get('X-Plimsoll-Spent'))).toEqual(['1', '1'])
  expect((await browser.read<{ for: string }>(PATH)).body.for).toBe(bearers[0])
  const refreshes = fixture.tokenRequests().slice(2)
  expect(new Set(refreshes.map(({ body }) => new URLSearchParams(body).get('refresh_token'))).size).toBe(2)
})

test('an answer whose copy cannot be stored is given all the same, and its row counts as sent (8.3)', async () => {
  const { fixture, browser } = await signedIn({ sharedForMs: 1000 })
  failIn(fixture.store, 'writeCopy', new Problem('store_unavailable'))
  fixture.advance(1000)
  const { status, headers } = await browser.spend(PATH)
  expect([status, headers.get('X-Plimsoll-Spent')]).toEqual([200, '1'])
  const entries = await fixture.store.listEntries(STANDARD, { sinceMs: 0, most: 1 })
  expect(entries).toMatchObject([{ kind: 'api.read', outcome: 'reserved' }])
})

test('the session ends while the answer to an earlier press is looked up: there is none of it any more (5)', async () => {
  const { fixture, browser } = await signedIn({ sharedForMs: 1000 })
  expect((await browser.spend(PATH)).status).toBe(200)
  const leaver = throughAnother(browser, fixture)
  const { transaction } = fixture.store
  fixture.store.transaction = async (work) => {
    fixture.store.transaction = transaction
    await leaver.signOut()
    return transaction(work)
  }
  const { status, body, headers } = await browser.spend(PATH)
  expect([status, body.code, headers.get('X-Plimsoll-Spent')]).toEqual([401, 'signed_out', '0'])
})

test('a copy has its age in whole seconds, and none below zero where our clock was set back (RFC 9111 5.1)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(12_999)
  expect((await browser.read(PATH)).headers.get('Age')).toBe('12')
  fixture.advance(-60_000)
  expect((await browser.read(PATH)).headers.get('Age')).toBe('0')
})

test('the second of two identical reads at one time is free, and its answer is of this moment (8.3)', async () => {
  const { browser } = await signedIn()
  const answers = await Promise.all([browser.spend(PATH), browser.spend(PATH)])
  const costs = ['X-Plimsoll-Spent', 'Age', 'X-RateLimit-Limit'] as const
  const seen = answers.map(({ headers }) => costs.map((name) => headers.get(name)))
  // Either may be the first to reach a store behind a socket.
  const [asked, shared] = [
    ['1', null, '60'],
    ['0', '0', null],
  ]
  expect(seen).toEqual(expect.arrayContaining([asked, shared]))
})

test.each([
  [403, 'organization_refused', false],
  [500, 'upstream_failed', true],
] as const)(
  'a later proof that the service answers with %d is %s, and the session goes on: %s (5.3)',
  async (status, code, signed_in) => {
    const fixture = startApp()
    const browser = await signInUnproven(fixture)
    fixture.intercept(() => Promise.resolve(Response.json({}, { status })))
    const { body, headers } = await browser.spend('/organizations')
    expect([body.code, headers.get('X-Plimsoll-Spent')]).toEqual([code, '1'])
    expect((await browser.session()).body.signed_in).toBe(signed_in)
  },
)

test('a success of another path than its own record leaves a sign-in without its proof (5.3)', async () => {
  const fixture = startApp()
  const browser = await signInUnproven(fixture)
  fixture.intercept((request, through) => through(request))
  const addReading = () => browser.request('POST', '/bff/readings', { json: { count: 1 } })
  for (const [path, expected] of [
    ['/organizations', 403],
    ['/rate_limit', 403],
    [PATH, 201],
  ] as const) {
    expect((await browser.spend(path)).status).toBe(200)
    expect([path, (await addReading()).status]).toEqual([path, expected])
  }
})

async function toProve() {
  const fixture = startApp()
  const browser = await signInUnproven(fixture)
  fixture.intercept(undefined)
  return { fixture, browser }
}

test('a process that is killed after it has stored a proof leaves the session confirmed (5.3, 8.3)', async () => {
  const { fixture, browser } = await toProve()
  const { transaction } = fixture.store
  let isKilled = false
  fixture.store.transaction = (work) => (isKilled ? new Promise(() => {}) : transaction(work))
  onCall(fixture.store, 'settle', () => (isKilled = true))
  await browser.spend(PATH)
  fixture.store.transaction = transaction
  expect((await browser.session()).body).not.toHaveProperty('confirmed')
  expect((await browser.quota()).month).toMatchObject({ low: 1, high: 3 })
})

test('a proof that cannot be stored leaves the requests with the session that sent them (5.3, 8.3)', async () => {
  const { fixture, browser } = await toProve()
  failIn(fixture.store, 'writeSession', new Problem('store_unavailable'))
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await browser.quota()).month).toMatchObject({ low: 0, high: 3 })
})

test('an API key is sent for any organization, since no answer is sure to name its own (4.4, 5.1)', async () => {
  const { fixture, browser } = withBrowser()
  fixture.intercept(() => Promise.resolve(Response.json({ id: 2002 })))
  await browser.request('POST', '/bff/session', { json: { api_key: 'a-key-of-a-test' } })
  expect((await browser.spend(`/organizations/${BUSINESS}`)).status).toBe(200)
})

test('the session ends during a read: its answer is that of a session that has ended (5)', async () => {
  const { fixture, browser } = await signedIn()
  const leaver = throughAnother(browser, fixture)
  fixture.intercept(async (request, through) => {
    await leaver.signOut()
    return through(request)
  })
  const { status, body, headers } = await browser.spend(PATH)
  expect([status, body.code, headers.get('X-Plimsoll-Spent')]).toEqual([401, 'signed_out', '1'])
})

test('a read that would not be sent refreshes no token: the minute is looked at first (5.4, 8.2)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(3_530_000)
  const reset = String(fixture.now() / 1000 + 60)
  const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': reset }
  fixture.intercept(() => Promise.resolve(Response.json({ id: 1 }, { headers })))
  await browser.spend(PATH)
  const before = fixture.sent.length
  fixture.advance(45_000)
  expect((await browser.spend(PATH)).body.code).toBe('rate_limited')
  expect(fixture.sent).toHaveLength(before)
})

test('a 401 of a used-up month refreshes no token, however slowly its answer is stored (5.5, 8.3)', async () => {
  const { fixture, browser } = await signedIn({ choices: { monthly: 'status_401' } })
  const headers = { Authorization: fixture.paid()[0]?.headers.get('Authorization') ?? '' }
  for (let sent = 1; sent < 100; sent += 1) {
    if (sent % 50 === 0) fixture.advance(61_000)
    await fixture.sandbox.fetch(new Request(SERVICE + PATH, { headers }))
  }
  await browser.request('POST', '/bff/readings', { json: { count: 98 } })
  fixture.advance(61_000)
  const { transaction } = fixture.store
  fixture.store.transaction = async (work) => {
    const done = await transaction(work)
    await delay(200)
    return done
  }
  expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
  expect(fixture.tokenRequests()).toHaveLength(1)
})

test('an answer that was paid for is given while the store stands still (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  const { transaction } = fixture.store
  fixture.store.transaction = async (work) => {
    fixture.store.transaction = () => new Promise<never>(() => {})
    return transaction(work)
  }
  const { status, headers } = await browser.spend(PATH)
  expect([status, headers.get('X-Plimsoll-Spent')]).toEqual([200, '1'])
})

test('an answer says how many reads and token requests were sent for it (5.4, 8.3)', async () => {
  const { fixture, browser } = await signedIn()
  const costs = ({ headers }: { headers: Headers }) =>
    ['X-Plimsoll-Spent', 'X-Plimsoll-Refreshed'].map((name) => headers.get(name))
  expect(costs(await browser.spend(PATH))).toEqual(['1', null])
  fixture.advance(3_600_000)
  const together = await Promise.all([browser.spend(PATH), browser.spend('/rate_limit')])
  // One of the two has sent the refresh, and the other shares it.
  expect(together.map(costs)).toContainEqual(['1', '1'])
  expect(together.map(costs)).toContainEqual(['1', null])
  let refused = false
  fixture.intercept((request, through) => {
    if (refused || request.url.includes('/oauth2/')) return through(request)
    refused = true
    return Promise.resolve(new Response('{}', { status: 401 }))
  })
  expect(costs(await browser.spend(PATH))).toEqual(['2', '1'])
  fixture.advance(3_600_000)
  answerTokens(fixture, () => new Response('', { status: 500 }))
  expect(costs(await browser.spend(PATH))).toEqual(['0', '1'])
  fixture.advance(3_600_000)
  fixture.intercept(unsent)
  expect(costs(await browser.spend(PATH))).toEqual(['0', null])
  fixture.advance(60_000)
  for (const [fail, expected] of [
    [unsent, ['0', '1']],
    [lost, ['1', null]],
  ] as const) {
    fixture.intercept((request, through) => (request.url.includes('/oauth2/') ? through(request) : fail()))
    expect(costs(await browser.spend(PATH))).toEqual(expected)
  }
})

test('a token that a press has just got is refused: it is not replaced once more (5.4, 8.3)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(3_600_000)
  answerReads(fixture, () => new Response('{}', { status: 401 }))
  const before = fixture.sent.length
  const { body, headers } = await browser.spend(PATH)
  expect([body.code, headers.get('X-Plimsoll-Spent')]).toEqual(['credential_refused', '1'])
  expect(fixture.sent.slice(before).map(({ path }) => path)).toEqual(['/oauth2/token', PATH])
  fixture.intercept(undefined)
  expect((await browser.spend(PATH)).status).toBe(200)
})

test.each([
  [97, [2, 0]],
  [99, [2, 0]],
  [96, [2]],
])(
  'a refresh that may count is admitted with its read, of %i of 100 used as the one try: %j are sent (8.3)',
  async (count, sends) => {
    const { fixture, browser } = await signedIn()
    await browser.request('POST', '/bff/readings', { json: { count } })
    fixture.advance(3_600_000)
    for (const sent of sends) {
      const before = fixture.sent.length
      expect((await browser.spend(PATH)).status).toBe(sent === 0 ? 429 : 200)
      expect(fixture.sent.length - before).toBe(sent)
      fixture.advance(6000)
    }
  },
)

const KEY: Credential = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' }
const withToken = (accessToken: string, staleInMs = 1): Credential => ({
  method: 'oauth',
  organizationId: '1001',
  tokens: { accessToken, staleAtMs: START_MS + staleInMs, expiresAtMs: START_MS + 60_000 },
})
const holding = (credential: Credential) => ({
  id: 'a session',
  owner: 'browser a',
  record: { credential, proven: true },
})
const ONE = serviceRead(ORGANIZATION_READ, '1001')
const ALL = serviceRead(ORGANIZATIONS_READ)

const reading = (
  credential: Credential,
  read = credential.method === 'api_key' ? ALL : ONE,
  initiator: 'person' | 'sign_in' = 'person',
) => ({ holder: holding(credential), read, press: newPress(), initiator })

/** The service gives these answers in turn, or throws them if they are Errors, and then none. */
function answering(...answers: (Response | Error)[]) {
  const requests: Request[] = []
  const entries: LedgerEntry[] = []
  const made = createContext((request) => {
    requests.push(request)
    const answer = answers[requests.length - 1] ?? new Error('no further request is expected')
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  })
  const { context } = made
  onCall(context.store, 'addEntry', (entry) => entries.push(entry))
  return { ...made, requests, entries }
}
const refusal = (status: number) => new Response('{}', { status })

test('the three headers are returned as sent, unless they are no number, or from a cache (8.4.2)', async () => {
  const headersOf = async (value: string, others: Record<string, string> = {}) => {
    const headers = {
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': value,
      'X-RateLimit-Reset': '7',
      'X-Other': '1',
      ...others,
    }
    const { context } = answering(Response.json({}, { headers }))
    return (await readService(context, reading(KEY))).rateHeaders
  }
  const others = [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Reset', '7'],
  ]
  for (const value of ['9'.repeat(21), '1\u00e9', '\u00e91', '', '<b>1</b>', '1, 2'])
    expect(await headersOf(value)).toEqual(others)
  expect(await headersOf('9', { Age: '3' })).toEqual([])
  const longest = '9'.repeat(20)
  expect(await headersOf(longest)).toEqual([
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Remaining', longest],
    ['X-RateLimit-Reset', '7'],
  ])
})

test('an answer that is nested 400,000 deep is not parsed, and is unexpected (attack 71)', async () => {
  const { context } = answering(new Response('['.repeat(400_000)))
  const { result } = await readService(context, reading(KEY))
  expect(result).toMatchObject({ code: 'unexpected_reply' })
})

test.each([
  ['a token that is stale in a millisecond', withToken('first', 1), 1],
  ['a token that is stale', withToken('first', 0), 2],
  ['an API key', KEY, 1],
])('after a 440 %s is renewed only where it may have expired (5.1, 5.4)', async (_, credential, sent) => {
  const { context, requests } = answering(refusal(440), Response.json({}))
  await readService(context, reading(credential), () => Promise.resolve(withToken('second')))
  expect(requests).toHaveLength(sent)
})

test('a suspicion of the month stops a repetition, and neither a person nor a sign-in (8.3)', async () => {
  const monthPause = { code: 'month_suspected', reasons: [], untilMs: START_MS + 60_000 } as const
  const codes = async (initiator: 'person' | 'sign_in') => {
    const { context } = answering(refusal(401), Response.json({}))
    const credential = withToken('first')
    await writeOrganizationNote(context, '1001', { limits: {}, months: {}, monthPause })
    const renew = () => Promise.resolve(withToken('second'))
    const { result, spent } = await readService(context, reading(credential, ONE, initiator), renew)
    return [(result as Problem).code, spent]
  }
  expect(await codes('person')).toEqual(['month_suspected', 1])
  expect(await codes('sign_in')).toEqual(['month_suspected', 1])
})

test('the header of the API key is the configured one (5.1.5)', async () => {
  const fixture = startApp({ apiKeyHeader: 'X-Other-Key' })
  await fixture.browser().request('POST', '/bff/session', { json: { api_key: 'a-key-of-another-header' } })
  expect([...(fixture.sent[0]?.headers ?? [])]).toEqual([
    ['accept', 'application/json'],
    ['x-other-key', 'a-key-of-another-header'],
  ])
})

test('the path of {base_url} is part of every address (0)', async () => {
  const fixture = startApp({ serviceUrl: 'http://127.0.0.1:4000/a/b' })
  fixture.intercept(() =>
    Promise.resolve(
      Response.json({ access_token: 't', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r' }),
    ),
  )
  await fixture.browser().signIn()
  expect(fixture.sent.map(({ path }) => path)).toEqual([
    '/a/b/oauth2/token',
    `/a/b/organizations/${STANDARD}`,
  ])
})

test('it counts as under way until what its answer reports is stored, however long that takes (8.2)', async () => {
  const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '1', 'X-RateLimit-Reset': '0' }
  const { context } = answering(Response.json({ id: 1 }, { headers }))
  const inFlight: number[] = []
  const { transaction } = context.store
  let transactions = 0
  context.store.transaction = async (work) => {
    transactions += 1
    // A database on another machine takes this long.
    await delay(20)
    if (transactions === 2) inFlight.push(...(await countInFlight(context, ['name-of-a-key'])))
    return transaction(work)
  }
  await readService(context, reading(KEY))
  inFlight.push(...(await countInFlight(context, ['name-of-a-key'])))
  expect([transactions, inFlight]).toEqual([2, [1, 0]])
})

test.each([
  ['credential_refused', 'key_rejected', 'organization_refused'],
  ['organization_refused', 'key_rejected', 'organization_refused'],
  ['upstream_failed', undefined, undefined],
] as const)(
  'a first read that ends in %s refuses a key as %s, a token as %s (5.3, attack 12)',
  (code, key, token) => {
    const result = new Problem(code)
    expect(credentialRefusal(KEY, result)?.code).toBe(key)
    expect(credentialRefusal(withToken('at'), result)?.code).toBe(token)
    expect(credentialRefusal(KEY, { text: '{}' })).toBeUndefined()
  },
)
