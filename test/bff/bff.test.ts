import { expect, test } from 'vitest'
import { ROUTES } from '../../src/bff/bff.ts'
import type { Measurement } from '../../src/bff/core/measurement.ts'
import { BFF } from '../../src/contract/api.ts'
import { Problem } from '../../src/contract/problem.ts'
import { WATCH } from '../../src/contract/watch.ts'
import { signInUnproven, startApp } from '../kit/app.ts'
import { answerReads, signedIn, withBrowser } from './_signed-in.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const every = Object.entries(ROUTES).flatMap(([route, taken]) =>
  METHODS.map((method) => ({ path: route.replace(/:\w+(\{.*\})?/, '1001'), method, taken })),
)

// The statuses that they answer otherwise are in test/serve/http/sockets.test.ts.
test.each(every)(
  '$method $path is answered only for our own page (RFC 9110 7.6, attack 38, attack 50)',
  async ({ path, method, taken }) => {
    const { fixture, browser } = withBrowser()
    for (const headers of [
      // An EventSource cannot send this header.
      ...(path === BFF.events ? [] : [{ 'X-CSRF': undefined }]),
      { 'Sec-Fetch-Site': 'cross-site' },
      // A script that asks with the secret of a link is no browser.
      ...(path === WATCH.quota && method in taken ? [] : [{ 'Sec-Fetch-Site': undefined }]),
    ])
      expect((await browser.request(method, path, { headers })).status).toBe(403)
    const { status, headers, body } = await browser.request(method, path)
    expect(status === 405).toBe(!(method in taken))
    expect(status).not.toBe(403)
    expect(body === undefined).toBe(method === 'HEAD' || status === 204)
    expect(headers.get('Allow')).toBe(status === 405 ? Object.keys(taken).join(', ') : null)
    expect(fixture.sent).toEqual([])
  },
)

test.each([
  '/bff',
  '/bff/nothing',
  '/api/',
  '/api/tokens',
  '/api/organizations/',
  '/api/organizations/1001/projects',
  '/api/organizations/..%2f..%2foauth2%2ftoken',
  '/api/organizations/1001%00',
  '/api/organizations/1e9',
  '/api//organizations',
])('%s is 404, and never the page (4)', async (path) => {
  const fixture = startApp({
    files: new Map([['/index.html', { body: new Uint8Array([1]), contentType: 'text/html' }]]),
  })
  const browser = fixture.browser()
  await browser.signIn()
  const before = fixture.sent.length
  const { status, body, headers } = await browser.spend(path.replace(/^\/api/, ''))
  const direct = await browser.request('GET', path)
  expect([status, body.code]).toEqual([404, 'not_found'])
  expect([direct.status, direct.body.code]).toEqual([404, 'not_found'])
  expect(headers.get('Content-Type')).toBe('application/problem+json')
  expect(fixture.sent).toHaveLength(before)
})

const SECURITY = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

test.each([
  ['/bff/session', {}, 200, 'application/json'],
  ['/bff/session', { 'X-CSRF': undefined }, 403, 'application/problem+json'],
  ['/bff/nothing', {}, 404, 'application/problem+json'],
])(
  'the answer to %s with %j forbids caches, frames and other origins (RFC 9111 5.2.2.5)',
  async (path, sent, status, type) => {
    const answer = await startApp().browser().request('GET', path, { headers: sent })
    expect(answer.status).toBe(status)
    expect(Object.fromEntries(answer.headers)).toEqual({
      ...SECURITY,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': type,
      vary: 'Sec-Fetch-Site, Origin',
    })
  },
)

test('the page forbids framing too, and is sent without a check of its origin (Fetch Metadata 2.3)', async () => {
  const files = new Map([['/index.html', { body: new Uint8Array([1]), contentType: 'text/html' }]])
  const headers = { 'X-CSRF': undefined, 'Sec-Fetch-Site': 'cross-site' }
  const answer = await startApp({ files }).browser().request('GET', '/callback', { headers })
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({ ...SECURITY, vary: 'Accept-Encoding' })
})

const document = (text: string) => ({ body: new TextEncoder().encode(text), contentType: 'text/html' })

test.each([
  ['/', 200],
  ['/guide/api', 404],
  ['/ledger/bff/session', 404],
])(
  '%s is under neither /bff nor /api, and is answered with a document: %d (RFC 9110 15.5.5)',
  async (path, expected) => {
    const documents = { get: () => document('the document'), styles: [], build: '20261128T0041-3f9a01c2' }
    const browser = startApp({ documents }).browser()
    const { status, body, headers } = await browser.request('GET', path)
    expect([status, body, headers.get('X-Plimsoll-Build')]).toEqual([expected, 'the document', null])
    // The page compares its own build with that of each other answer.
    for (const other of ['/bff/session', '/api/organizations', '/bff/nothing'])
      expect((await browser.request('GET', other)).headers.get('X-Plimsoll-Build')).toBe(documents.build)
  },
)

test.each([
  ...['events', 'ledger', 'ledger/days', 'ledger/browsers', 'months', 'readings'].map((path) => [
    'GET',
    path,
  ]),
  ['POST', 'readings'],
  ['DELETE', 'readings/an-id'],
  ['GET', 'evidence'],
  ['POST', 'evidence/token_refresh_counts'],
  ['DELETE', 'evidence/month_zones'],
  ['POST', 'pairing'],
  ['PUT', 'pairing'],
  ['POST', 'pairing/claim'],
  ['POST', 'pairing/session'],
])('a parameter that %s /bff/%s does not know is refused (RFC 9110 4.2.2)', async (method = '', path) => {
  const { browser } = await signedIn()
  const json = method === 'POST' ? { json: { count: 1 } } : {}
  const { status, body } = await browser.request(method, `/bff/${path}?limit=10`, json)
  expect([status, body.code, body.fault]).toEqual([400, 'invalid_request', 'unknown_parameter'])
})

test.each([
  ['POST', 'pairing', undefined],
  ['POST', 'watch-links', { name: 'Kitchen' }],
  ['GET', 'watch-links', undefined],
  ['POST', 'readings', { count: 1 }],
  ['DELETE', 'readings/an-id', undefined],
  ['POST', 'evidence/token_refresh_counts', { value: 'no' }],
  ['DELETE', 'evidence/month_zones', undefined],
])(
  'a session that the service has not confirmed may not %s /bff/%s (L20, L38, 5.3)',
  async (method, path, json) => {
    const browser = await signInUnproven(startApp())
    const answer = await browser.request(method, `/bff/${path}`, json && { json })
    expect(answer).toMatchObject({ status: 403, body: { code: 'not_confirmed' } })
  },
)

test('a page that cannot be served is an internal error too, with the headers against framing (RFC 9457)', async () => {
  const documents = {
    get: () => {
      throw new TypeError('canary of an error')
    },
    styles: [],
  }
  const { status, headers, body } = await startApp({ documents }).browser().request('GET', '/')
  expect([status, body.code]).toEqual([500, 'unknown'])
  expect(JSON.stringify(body)).not.toContain('canary')
  expect(Object.fromEntries(headers)).toMatchObject({ ...SECURITY, 'cache-control': 'no-store' })
})

test.each([
  [30, 30],
  [-30, 0],
])('a request during which our clock moves by %d ms took %d ms (8.3)', async (ms, expected) => {
  const measured: Measurement[] = []
  const { fixture, browser } = await signedIn({ measure: (one) => measured.push(one) })
  fixture.intercept((request, through) => {
    fixture.advance(ms)
    return through(request)
  })
  await browser.spend('/rate_limit')
  expect(measured.at(-1)).toMatchObject({ what: 'request', route: '/api/rate_limit', tookMs: expected })
})

test('all lines of one request have its id, which is the support id of its problem (ASVS 16.2.1)', async () => {
  const { fixture, browser } = await signedIn()
  const lines = fixture.log.splice(0)
  expect(lines.map(({ event, kind }) => kind ?? event)).toEqual(['token.code', 'api.read', 'sign_in'])
  expect(new Set(lines.map(({ request_id }) => request_id)).size).toBe(1)
  expect(lines[0]?.request_id).toMatch(/^[\w-]{12}$/)
  fixture.advance(3_600_000)
  answerReads(fixture, () => new Response('{}', { status: 500 }))
  const { body } = await browser.spend('/rate_limit')
  expect(fixture.log.map(({ event, kind }) => kind ?? event)).toEqual([
    'token.refresh',
    'rate_limit',
    'problem',
  ])
  expect(fixture.log.map(({ request_id }) => request_id)).toEqual(Array(3).fill(body.support_id))
  expect(fixture.log.at(-1)?.support_id).toBe(body.support_id)
  expect(body.support_id).not.toBe(lines[0]?.request_id)
})

test.each([
  [0, '429 429'],
  [1, '401 429'],
])('with %d trusted proxies addresses behind them answer %s (RFC 7239 7.1)', async (trustProxy, expected) => {
  const fixture = startApp({ trustProxy })
  const browser = fixture.browser('10.0.0.1')
  const guess = async (forwarded: string) => {
    const headers = { Cookie: 'plimsoll-http-3000=name.key', 'X-Forwarded-For': forwarded }
    return (await browser.request('GET', '/bff/quota', { headers })).status
  }
  for (let at = 0; at < 100; at += 1) await guess(`${at}.0.0.1, 192.0.2.1`)
  expect([await guess('192.0.2.2'), await guess('9.9.9.9, 192.0.2.1')].join(' ')).toBe(expected)
})

test('a failing store gives 503 and keeps cookies; the session works later (RFC 9110 15.6.4, attack 72)', async () => {
  const { fixture, browser } = await signedIn()
  const cookies = new Map(browser.cookies)
  const works = { ...fixture.store }
  const fails = () => Promise.reject(new Problem('store_unavailable'))
  for (const method of Object.keys(works)) Object.assign(fixture.store, { [method]: fails })
  const before = fixture.sent.length
  for (const path of [
    '/bff/session',
    '/bff/quota',
    '/bff/events',
    '/bff/sessions',
    '/api/organizations/1001',
    '/api/rate_limit',
  ]) {
    const { status, body, headers } = await browser.request('GET', path, {
      headers: { 'X-Plimsoll-Spend': '1' },
    })
    expect([path, status, body.code]).toEqual([path, 503, 'store_unavailable'])
    expect([headers.get('Retry-After'), headers.getSetCookie()]).toEqual(['2', []])
  }
  expect([fixture.sent.length, browser.cookies]).toEqual([before, cookies])
  Object.assign(fixture.store, works)
  expect((await browser.spend('/organizations/1001')).status).toBe(200)
})
