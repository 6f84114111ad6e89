import { expect, test } from 'vitest'
import { begin, finish, finishOf, mayHaveArrived, send as sendRow } from '../../../src/bff/service/request.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { Settlement } from '../../../src/store/store.ts'
import { startApp, STANDARD } from '../../kit/app.ts'
import { type Person, randomState } from '../../kit/person.ts'
import type { FetchUpstream } from '../../kit/outgoing.ts'
import { FAR_MS } from '../../kit/stores.ts'
import type { Context, Within } from '../../../src/bff/core/context.ts'
import type { Measurement } from '../../../src/bff/core/measurement.ts'
import { createContext, START_MS } from '../_context.ts'
import { onCall, replaceIn } from '../../kit/store-methods.ts'
import { readMonth } from '../../../src/bff/limits/month.ts'
import { RESERVATION, reserve } from '../_reservation.ts'

const PATH = `/organizations/${STANDARD}`

/** Sends one request to this upstream, and records how the ledger settles it. */
function sending(upstream: FetchUpstream) {
  const made = createContext(upstream)
  const measured: Measurement[] = []
  const context: Context = { ...made.context, measure: (one) => measured.push(one) }
  const settlements: Settlement[] = []
  onCall(context.store, 'settle', (_, settlement) => settlements.push(settlement))
  const send = async () => {
    const row = await reserve(context, { ...RESERVATION, owner: 'browser a' })
    const answer = await sendRow(context, row, new Request('http://127.0.0.1:4000/organizations/1001'))
    await finishOf(context, row, answer)(async () => {})
    if (answer instanceof Problem) throw answer
    return answer
  }
  return { ...made, context, send, settlements, measured }
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
const unsent = (cause: Error) => Object.assign(new Error('x', { cause }), { isUnsent: true })
const failures: [string, unknown, string, 'void' | 'uncertain'][] = [
  ['no connection', unsent(withCode('ECONNREFUSED')), 'upstream_down', 'void'],
  ['no connection in time', unsent(withCode('UND_ERR_CONNECT_TIMEOUT')), 'upstream_timeout', 'void'],
  ['no room for the request', unsent(withCode('UPSTREAM_BUSY')), 'upstream_down', 'void'],
  ['an alert of TLS', withCode('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'upstream_down', 'uncertain'],
  ['a fault of the protocol', withCode('EPROTO'), 'upstream_down', 'uncertain'],
  ['a refusal that nobody marked', withCode('ECONNREFUSED'), 'upstream_down', 'uncertain'],
  ['no answer in time', new DOMException('late', 'TimeoutError'), 'upstream_timeout', 'uncertain'],
  ['no headers in time', withCode('UND_ERR_HEADERS_TIMEOUT'), 'upstream_timeout', 'uncertain'],
  ['a closed connection', withCode('ECONNRESET'), 'upstream_down', 'uncertain'],
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
    const { send, settlements, log, measured } = sending(() => Promise.reject(cause))
    const problem = await send().catch((error: unknown) => error as Problem)
    expect(problem).toMatchObject({ code, cause })
    expect(settlements).toEqual([{ outcome }])
    const line = { event: 'upstream', kind: 'api.read', path: '/organizations/{id}', took_ms: 0 }
    expect(log).toMatchObject([{ ...line, level: 'warn', code }])
    expect(log[0]).not.toHaveProperty('status')
    expect(measured).toEqual([{ what: 'upstream', kind: 'api.read', result: code, tookMs: 0 }])
    expect(mayHaveArrived(problem as Problem)).toBe(outcome === 'uncertain')
  },
)

test('an answer that breaks off may have been counted (8.3)', async () => {
  const { send, settlements } = sending(() => {
    const response = new Response('{}')
    response.text = () => Promise.reject(withCode('UND_ERR_SOCKET'))
    return Promise.resolve(response)
  })
  await expect(send()).rejects.toMatchObject({ code: 'upstream_down' })
  expect(settlements).toEqual([{ outcome: 'uncertain' }])
})

test('the service got each request that the ledger has, and no other (8.3)', async () => {
  const fixture = startApp()
  const organizations = new Set([STANDARD])
  onCall(fixture.store, 'addEntry', (entry) => organizations.add(entry.organization))
  onCall(fixture.store, 'attribute', (_, organization) => organizations.add(organization))
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

test('ids sort by time, and two of one instant differ (8.3)', async () => {
  const { context, clock } = createContext()
  const ids = [(await reserve(context)).id]
  for (let ms = 0; ms < 40; ms += 1) {
    ids.push((await reserve(context)).id)
    clock.ms += 1
  }
  expect(ids.slice(1).toSorted()).toEqual(ids.slice(1))
  expect(new Set(ids).size).toBe(41)
})

/** A context whose store fails to settle this many times, and the waits between. */
function failing(times: number) {
  const made = createContext()
  const waits: number[] = []
  let failures = 0
  replaceIn(made.context.store, 'settle', (settleNow) => (...settlement) => {
    failures += 1
    if (failures > times) return settleNow(...settlement)
    return Promise.reject(new Problem('store_unavailable', { cause: new Error('disk full') }))
  })
  const wait = async (ms: number) => void (ms === 150 ? await made.context.wait(1000) : waits.push(ms))
  return { ...made, context: { ...made.context, wait }, waits }
}
const SUCCESS = {
  status: 200,
  text: '{"id":1}',
  headers: { get: () => null },
  sentAtMs: START_MS,
  servedAtSeconds: 0,
}

test('a settlement is written again where the store failed, with all that belongs to it (8.3)', async () => {
  const { context, log, waits } = failing(6)
  const row = await reserve(context)
  const written = finish(context, row, SUCCESS, async ({ store }) => {
    await store.changeNote('a note', (known) => Number(known ?? 0) + 1, FAR_MS)
    return 'written'
  })
  expect(await written).toBe('written')
  expect(await readMonth(context, '1001', START_MS)).toMatchObject({ low: 1, high: 1 })
  expect(await context.store.readNotes(['a note'])).toEqual([1])
  expect(log).toEqual([])
  expect(waits.reduce((sum, ms) => sum + ms)).toBeGreaterThan(10_000)
})

test('a settlement that cannot be written at all is logged, and the request counts as sent (8.3)', async () => {
  const { context, log } = failing(7)
  const row = await reserve(context)
  expect(await finish(context, row, SUCCESS, async () => 'written')).toBeUndefined()
  expect(await readMonth(context, '1001', START_MS)).toMatchObject({ low: 0, high: 1 })
  expect(log).toEqual([expect.objectContaining({ level: 'warn', event: 'ledger' })])
})

test('what refuses a request, or is there instead of it, leaves no row and nothing else (8.3)', async () => {
  const { context } = createContext()
  const write = ({ store }: Within) => store.changeNote('a note', () => 1, FAR_MS)
  const refused = begin(context, RESERVATION, async (inside): Promise<object> => {
    await write(inside)
    throw new Problem('rate_limited')
  })
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await context.store.readNotes(['a note'])).toEqual([undefined])
  expect(await begin(context, RESERVATION, async () => ({ instead: 7 }))).toEqual({ instead: 7 })
  expect(await context.store.countByKind('1001', 0)).toEqual([])
})
