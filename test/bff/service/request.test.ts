import { expect, test } from 'vitest'
import { mayHaveArrived, sendRequest } from '../../../src/bff/service/request.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { Settlement } from '../../../src/store/store.ts'
import { startApp, STANDARD } from '../../kit/app.ts'
import { type Person, randomState } from '../../kit/person.ts'
import { type FetchUpstream } from '../../kit/outgoing.ts'
import { createContext, START_MS } from '../_context.ts'

const PATH = `/organizations/${STANDARD}`

/** Sends one request to this upstream, and records how the ledger settles it. */
function sending(upstream: FetchUpstream) {
  const made = createContext(upstream)
  const { context } = made
  const settlements: Settlement[] = []
  const { settle } = context.store
  context.store.settle = (id, settlement, nowMs) => {
    settlements.push(settlement)
    return settle(id, settlement, nowMs)
  }
  const send = () =>
    sendRequest(context, {
      request: new Request('http://127.0.0.1:4000/organizations/1001'),
      organization: '1001',
      owner: 'browser a',
      kind: 'api.read',
      path: '/organizations/{id}',
      initiator: 'person',
    })
  return { ...made, send, settlements }
}

test('an answer has its time of sending, and one line in the log with path, status and duration (8.3)', async () => {
  const { send, clock, log, settlements } = sending(() => {
    clock.ms += 120
    return Promise.resolve(new Response('{"id":1}', { status: 404, headers: { 'X-One': '1' } }))
  })
  const { headers, ...answer } = await send()
  expect(answer).toEqual({
    status: 404,
    text: '{"id":1}',
    sentAtMs: START_MS,
    servedAtSeconds: START_MS / 1000,
  })
  expect(headers.get('X-One')).toBe('1')
  expect(settlements).toEqual([{ outcome: 'settled', status: 404 }])
  expect(log).toEqual([
    {
      level: 'info',
      event: 'upstream',
      kind: 'api.read',
      method: 'GET',
      path: '/organizations/{id}',
      organization: '1001',
      status: 404,
      took_ms: 120,
    },
  ])
})

test("the service's time of an answer is its Date, or else our estimate (RFC 9110 6.6.1)", async () => {
  const dates = [START_MS + 100_000, undefined]
  const { send, clock, context } = sending(() => {
    clock.ms += 200
    const date = dates.shift()
    return Promise.resolve(
      new Response('{}', date === undefined ? {} : { headers: { Date: new Date(date).toUTCString() } }),
    )
  })
  expect((await send()).servedAtSeconds).toBe(START_MS / 1000 + 100)
  expect(context.memory.clock).toEqual({ lowMs: 99_800, highMs: 100_999 })
  clock.ms += 700
  expect((await send()).servedAtSeconds).toBe(START_MS / 1000 + 100)
  clock.ms += 100
  expect((await send()).servedAtSeconds).toBe(START_MS / 1000 + 101)
})

async function startedState(browser: Person): Promise<string> {
  const state = randomState()
  await browser.startLogin(STANDARD, state)
  return state
}

const withCode = (code: string) => Object.assign(new Error('a failure'), { code })
const NOT_SENT = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPROTO',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'CERT_HAS_EXPIRED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]
const failures: [string, unknown, string, 'void' | 'uncertain'][] = [
  ...NOT_SENT.map((code) => [code, withCode(code), 'upstream_down', 'void'] as (typeof failures)[number]),
  [
    'a failed connection within another error',
    new Error('x', { cause: withCode('ECONNREFUSED') }),
    'upstream_down',
    'void',
  ],
  ['no room for the request', withCode('UPSTREAM_BUSY'), 'upstream_down', 'void'],
  ['no connection in time', withCode('UND_ERR_CONNECT_TIMEOUT'), 'upstream_timeout', 'void'],
  ['no answer in time', new DOMException('late', 'TimeoutError'), 'upstream_timeout', 'uncertain'],
  ['no headers in time', withCode('UND_ERR_HEADERS_TIMEOUT'), 'upstream_timeout', 'uncertain'],
  ['a closed connection', withCode('ECONNRESET'), 'upstream_down', 'uncertain'],
  ['a code with more before it', withCode('NOT_ECONNREFUSED'), 'upstream_down', 'uncertain'],
  ['a code with more after it', withCode('EPROTOTYPE'), 'upstream_down', 'uncertain'],
  ['a code of TLS with more before it', withCode('NO_ERR_TLS_X'), 'upstream_down', 'uncertain'],
  ['an answer that is too large', withCode('UND_ERR_RES_EXCEEDED_MAX_SIZE'), 'unexpected_reply', 'uncertain'],
  ['headers that are too large', withCode('UND_ERR_HEADERS_OVERFLOW'), 'unexpected_reply', 'uncertain'],
  ['a status that does not exist', withCode('HPE_INVALID_STATUS'), 'unexpected_reply', 'uncertain'],
  ['no HTTP', Object.assign(new Error('x'), { name: 'HTTPParserError' }), 'unexpected_reply', 'uncertain'],
  ['a code that is a number', Object.assign(new Error('x'), { code: 7 }), 'upstream_down', 'uncertain'],
  ['what is no error', { code: 'ECONNREFUSED' }, 'upstream_down', 'uncertain'],
  ['no reason at all', undefined, 'upstream_down', 'uncertain'],
]
test('a request that there was no room for can be tried again soon (RFC 9110 10.2.3)', async () => {
  const busy = Object.assign(withCode('UPSTREAM_BUSY'), { retryInMs: 2000 })
  await expect(sending(() => Promise.reject(busy)).send()).rejects.toMatchObject({ retryInMs: 2000 })
})

test.each(failures)(
  '%s: its Problem, its entry in the ledger and its line in the log (8.3; RFC 9110 9.2.2)',
  async (_, cause, code, outcome) => {
    const { send, settlements, log } = sending(() => Promise.reject(cause))
    const problem = await send().catch((error: unknown) => error as Problem)
    expect(problem).toMatchObject({ code, cause })
    expect(settlements).toEqual([{ outcome }])
    const line = { event: 'upstream', kind: 'api.read', path: '/organizations/{id}', took_ms: 0 }
    expect(log).toMatchObject([{ ...line, level: 'warn', code }])
    expect(log[0]).not.toHaveProperty('status')
    expect(mayHaveArrived(problem as Problem)).toBe(outcome === 'uncertain')
  },
)

test('a Problem of our own reports no request as arrived (8.3)', () => {
  expect(mayHaveArrived(new Problem('store_unavailable'))).toBe(false)
})

test('an answer that breaks off may have been counted (8.3)', async () => {
  const { send, settlements } = sending(() => {
    const response = new Response('{}')
    response.text = () => Promise.reject(withCode('UND_ERR_SOCKET'))
    return Promise.resolve(response)
  })
  await expect(send()).rejects.toMatchObject({ code: 'upstream_down' })
  expect(settlements).toEqual([{ outcome: 'uncertain' }])
})

test('every request is recorded before it is sent (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  const { reserve } = fixture.store
  const order: string[] = []
  fixture.store.reserve = async (entry, admission) => {
    await reserve(entry, admission)
    order.push(`recorded ${entry.kind} ${entry.path}`)
  }
  fixture.intercept((request, through) => {
    order.push(`sent ${new URL(request.url).pathname}`)
    return through(request)
  })
  fixture.advance(3_600_000)
  await browser.spend(PATH)
  expect(order).toEqual([
    'recorded token.refresh /oauth2/token',
    'sent /oauth2/token',
    'recorded api.read /organizations/{id}',
    `sent ${PATH}`,
  ])
})

test('the service got each request that the ledger has, and no other (8.3)', async () => {
  const fixture = startApp()
  const organizations = new Set([STANDARD])
  const { reserve, attribute } = fixture.store
  fixture.store.reserve = (entry, admission) => {
    organizations.add(entry.organization)
    return reserve(entry, admission)
  }
  fixture.store.attribute = (unproven, organization, atMs) => {
    organizations.add(organization)
    return attribute(unproven, organization, atMs)
  }
  const [browser, other] = [fixture.browser(), fixture.browser()]
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  await browser.finishLogin(back)
  const wrongCode = new URL(back)
  wrongCode.searchParams.set('code', 'a-code-that-is-none')
  wrongCode.searchParams.set('state', await startedState(other))
  await other.finishLogin(wrongCode)
  for (const api_key of [fixture.seed.api_keys[0]?.value, 'no-key'])
    await other.request('POST', '/bff/session', { json: { api_key } })
  await Promise.all(Array.from({ length: 10 }, () => browser.spend(PATH)))
  fixture.advance(3_600_000)
  await Promise.all([browser.spend(PATH), browser.spend('/rate_limit')])
  for (let press = 0; press < 70; press += 1) await browser.spend(PATH)
  for (const path of ['session', 'quota', 'ledger', 'ledger/days', 'months', 'sessions'])
    await browser.request('GET', `/bff/${path}`)
  await browser.signOut()
  const ledgers = await Promise.all(
    [...organizations].map((name) => fixture.store.listEntries(name, { sinceMs: 0, most: 1000 })),
  )
  const rows = ledgers.flatMap((rows = []) => rows.map((row) => `${row.method} ${row.path} ${row.status}`))
  const arrived = fixture.sandbox.control
    .requestLog()
    .filter(({ path }) => !['/oauth2/login', '/oauth2/permission'].includes(path))
    .map(({ method, path, status }) => `${method} ${path.replace(STANDARD, '{id}')} ${status}`)
  expect(new Set(arrived).size).toBe(6)
  expect(rows.toSorted()).toEqual(arrived.toSorted())
})

test('a request that cannot be recorded is not sent (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.store.reserve = () => Promise.reject(new Problem('store_unavailable'))
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([503, 'store_unavailable'])
  expect(fixture.paid()).toHaveLength(1)
})

test('an answer is not lost because it cannot be settled (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.store.settle = () => Promise.reject(new Problem('store_unavailable'))
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await browser.quota()).month).toMatchObject({ low: 1, high: 3 })
})

test('no row of the ledger contains a token or a body (8.3)', async () => {
  const fixture = startApp()
  const rows: unknown[] = []
  const { reserve } = fixture.store
  fixture.store.reserve = (entry, admission) => {
    rows.push(entry)
    return reserve(entry, admission)
  }
  const browser = fixture.browser()
  await browser.signIn()
  const bearer = fixture.sent[1]?.headers.get('Authorization')?.slice('Bearer '.length) ?? ''
  expect(rows).toHaveLength(2)
  expect(bearer.length).toBeGreaterThan(20)
  expect(JSON.stringify(rows)).not.toContain(bearer)
})
