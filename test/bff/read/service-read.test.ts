import { expect, test } from 'vitest'
import {
  ORGANIZATION_READ,
  ORGANIZATIONS_READ,
  serviceRead,
} from '../../../src/bff/service/forwarded-reads.ts'
import { changeOrganizationNote, changeTokenNote } from '../../../src/bff/limits/note.ts'
import { countInFlight } from '../../../src/bff/limits/admission.ts'
import { credentialRefusal, readService } from '../../../src/bff/read/service-read.ts'
import { type Credential, tokenOf } from '../../../src/bff/session/record.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { LedgerEntry } from '../../../src/store/store.ts'
import { startApp, STANDARD } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'

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
  const { reserve } = context.store
  context.store.reserve = (entry, admission) => {
    entries.push(entry)
    return reserve(entry, admission)
  }
  return { ...made, requests, entries }
}
const refusal = (status: number) => new Response('{}', { status })

test('a read asks for JSON, follows no redirect, and is recorded for its owner (5.4.1, 8.3)', async () => {
  const { context, requests, entries } = answering(Response.json({ id: 1 }))
  const credential = withToken('a-token')
  const read = await readService(context, holding(credential), ONE, { initiator: 'person' })
  expect(read).toMatchObject({ result: { text: '{"id":1}' }, spent: 1, rateHeaders: [] })
  await read.written
  const [request] = requests
  expect([request?.url, request?.redirect, [...(request?.headers ?? [])]]).toEqual([
    'http://127.0.0.1:4000/organizations/1001',
    'manual',
    [
      ['accept', 'application/json'],
      ['authorization', 'Bearer a-token'],
    ],
  ])
  expect(entries).toEqual([
    expect.objectContaining({
      token: tokenOf(credential),
      owner: 'browser a',
      organization: '1001',
      kind: 'api.read',
      path: '/organizations/{id}',
      initiator: 'person',
      method: 'GET',
    }),
  ])
  expect(await countInFlight(context, tokenOf(credential), 'read')).toBe(0)
})

test('the three headers are returned as sent, unless they are long, no text, or from a cache (8.4.2)', async () => {
  const headersOf = async (value: string, others: Record<string, string> = {}) => {
    const headers = {
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': value,
      'X-RateLimit-Reset': '7',
      'X-Other': '1',
      ...others,
    }
    const { context } = answering(Response.json({}, { headers }))
    return (await readService(context, holding(KEY), ALL, { initiator: 'person' })).rateHeaders
  }
  const others = [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Reset', '7'],
  ]
  for (const value of ['9'.repeat(65), '1\u00e9', '\u00e91', ''])
    expect(await headersOf(value)).toEqual(others)
  expect(await headersOf('9', { Age: '3' })).toEqual([])
  const longest = '9'.repeat(64)
  expect(await headersOf(longest)).toEqual([
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Remaining', longest],
    ['X-RateLimit-Reset', '7'],
  ])
})

test('a refused token is renewed once, and the read is repeated for the call, not the person (5.5)', async () => {
  const { context, requests, entries } = answering(refusal(401), Response.json({ id: 1 }))
  const first = withToken('first')
  const refused: Credential[] = []
  const renew = (credential: Credential) => {
    refused.push(credential)
    return Promise.resolve(withToken('second'))
  }
  const read = await readService(context, holding(first), ONE, { initiator: 'person', renew })
  expect(read).toMatchObject({ result: { text: '{"id":1}' }, spent: 2 })
  expect(refused).toEqual([first])
  expect(requests.map(({ headers }) => headers.get('Authorization'))).toEqual([
    'Bearer first',
    'Bearer second',
  ])
  expect(entries.map(({ initiator }) => initiator)).toEqual(['person', 'call'])
})

test.each([
  [401, 1, true],
  [500, 1, false],
  [440, 1, false],
  [440, 0, true],
])(
  'after a %i a token that is stale in %i ms is renewed: %s (5.4, 5.5)',
  async (status, staleInMs, isRenewed) => {
    const { context, requests } = answering(refusal(status), Response.json({}))
    const renew = () => Promise.resolve(withToken('second'))
    await readService(context, holding(withToken('first', staleInMs)), ONE, { initiator: 'person', renew })
    expect(requests).toHaveLength(isRenewed ? 2 : 1)
  },
)

test('an API key does not expire (5.1)', async () => {
  const { context, requests } = answering(refusal(440))
  const renew = () => Promise.resolve(KEY)
  const { result } = await readService(context, holding(KEY), ALL, { initiator: 'person', renew })
  expect([(result as Problem).code, requests.length]).toEqual(['credential_refused', 1])
})

test('the Problem of a refusal has its wait and its reasons (8.4.3)', async () => {
  const { context } = answering(new Response('{}', { status: 429, headers: { 'Retry-After': '7' } }))
  const { result, spent } = await readService(context, holding(KEY), ALL, { initiator: 'person' })
  expect(result).toMatchObject({
    code: 'rate_limited',
    retryInMs: 7000,
    reasons: [{ code: 'short_wait_asked' }],
  })
  expect(spent).toBe(1)
})

test('a suspicion of the month stops a repetition, and neither a person nor a sign-in (8.3)', async () => {
  const monthPause = { code: 'month_suspected', reasons: [], untilMs: START_MS + 60_000 } as const
  const codes = async (initiator: 'person' | 'sign_in') => {
    const { context } = answering(refusal(401), Response.json({}))
    const credential = withToken('first')
    await changeOrganizationNote(context, '1001', () => ({ limits: {}, monthPause }))
    const renew = () => Promise.resolve(withToken('second'))
    const { result, spent } = await readService(context, holding(credential), ONE, { initiator, renew })
    return [(result as Problem).code, spent]
  }
  expect(await codes('person')).toEqual(['month_suspected', 1])
  expect(await codes('sign_in')).toEqual(['month_suspected', 1])
})

test('a request known to be over the limit is not sent (8.2)', async () => {
  const { context } = answering()
  const pause = { code: 'rate_limited', reasons: [], untilMs: START_MS + 7000 } as const
  await changeTokenNote(context, tokenOf(KEY), () => ({ gauges: {}, pauses: { read: pause } }))
  const { result, ...others } = await readService(context, holding(KEY), ALL, { initiator: 'person' })
  expect(result).toMatchObject({ code: 'rate_limited', retryInMs: 7000 })
  expect(others).toMatchObject({ spent: 0, rateHeaders: [] })
})

test('without a way to renew it a refused token is a problem (5.5)', async () => {
  const { context } = answering(refusal(401))
  const { result, spent } = await readService(context, holding(withToken('first')), ONE, {
    initiator: 'sign_in',
  })
  expect([(result as Problem).code, spent]).toEqual(['credential_refused', 1])
})

test.each([
  ['a connection that breaks', 'ECONNRESET', 1],
  ['no connection', 'ECONNREFUSED', 0],
])('after %s (%s) the price is %i, and nothing is in flight (8.3)', async (_, code, spent) => {
  const { context } = answering(Object.assign(new Error('a failure'), { code }))
  const read = await readService(context, holding(KEY), ALL, { initiator: 'person' })
  expect([(read.result as Problem).code, read.spent]).toEqual(['upstream_down', spent])
  expect(await countInFlight(context, tokenOf(KEY), 'read')).toBe(0)
})

test('a request that could not be recorded costs nothing (8.3)', async () => {
  const { context } = answering()
  context.store.reserve = () => Promise.reject(new Problem('store_unavailable'))
  const read = await readService(context, holding(KEY), ALL, { initiator: 'person' })
  expect([(read.result as Problem).code, read.spent]).toEqual(['store_unavailable', 0])
})

test('a defect of our own is no result (7)', async () => {
  const { context } = answering()
  context.store.reserve = () => Promise.reject(new TypeError('a defect'))
  await expect(readService(context, holding(KEY), ALL, { initiator: 'person' })).rejects.toThrow(TypeError)
})

test('each read has one credential, in its header and nowhere else (5.1.5, 5.4.1)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  await browser.spend('/rate_limit')
  const keyed = fixture.browser()
  await keyed.request('POST', '/bff/session', { json: { api_key: fixture.seed.api_keys[0]?.value } })
  const sentWith = fixture
    .paid()
    .map(({ headers }) => [headers.has('Authorization'), headers.has('X-Service-Api-Key')])
  expect(sentWith).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ])
})

test('the header of the API key is the configured one (5.1.5)', async () => {
  const fixture = startApp({ apiKeyHeader: 'X-Other-Key' })
  await fixture.browser().request('POST', '/bff/session', { json: { api_key: 'a-key-of-another-header' } })
  expect(fixture.sent[0]?.headers.get('X-Other-Key')).toBe('a-key-of-another-header')
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

test('an API key that is refused later is a problem, and is not sent again (5.5)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.request('POST', '/bff/session', { json: { api_key: fixture.seed.api_keys[0]?.value } })
  fixture.intercept(() => Promise.resolve(new Response('{}', { status: 401 })))
  const { status, body } = await browser.spend('/organizations')
  expect([status, body.code]).toEqual([401, 'credential_refused'])
  expect(fixture.sent).toHaveLength(2)
})

test('it counts as under way until what its answer reports is stored, however long that takes (8.2)', async () => {
  const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '1', 'X-RateLimit-Reset': '0' }
  const { context } = answering(Response.json({ id: 1 }, { headers }))
  const { changeNote } = context.store
  const inFlight: number[] = []
  context.store.changeNote = async (name, change, ...others) => {
    // A database on another machine takes this long.
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (name === 'token name-of-a-key') inFlight.push(await countInFlight(context, 'name-of-a-key', 'read'))
    return changeNote(name, change, ...others)
  }
  const { written } = await readService(context, holding(KEY), ALL, { initiator: 'person' })
  await written
  expect(inFlight).toEqual([1])
  expect(await countInFlight(context, 'name-of-a-key', 'read')).toBe(0)
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
