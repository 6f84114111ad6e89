// Every route over real sockets: no body, a chunked one, an oversized chunked one, HEAD.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE } from '../../kit/sandbox.ts'
import { BUSINESS_ID, closeAll, openAll, type Sent, send } from '../_sockets.ts'

type Plane = 'bff' | 'sandbox' | 'control'
/** The statuses without, with a small and with an oversized body; one number if they are the same. */
type Statuses = number | readonly [none: number, small: number, oversized: number]
/** The statuses by method. Any other method answers 405 to each body. */
type Row = Partial<Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'else', Statuses>>

const READ_BY_BROWSER: Row = { GET: 200, HEAD: 200 }
/** Without a sign-in, a form goes back to the page, or shows the login. */
const SIGN_IN: Row = { ...READ_BY_BROWSER, POST: [303, 303, 413] }
const FORM: Row = { ...READ_BY_BROWSER, POST: [200, 200, 413] }
/** The API knows GET and HEAD, and reads no body; these addresses are requested with an API key. */
const API: Row = { GET: 200, HEAD: 200 }
const CONTROL: Row = { GET: 200, HEAD: 200 }
const FILE: Row = { ...CONTROL, else: 404 }
const MINT: Row = { POST: [400, 400, 413] }
const SIGNED_OUT: Row = { GET: 401 }

const ROUTES: Record<Plane, Record<string, Row>> = {
  bff: {
    '/bff/session': { GET: 200, POST: [400, 400, 413], DELETE: 204 },
    '/bff/sessions': { GET: 401, DELETE: 401 },
    '/bff/sessions/:id': { POST: 401, DELETE: 401 },
    '/bff/login': { POST: [400, 400, 413] },
    '/bff/login/started': { POST: [400, 400, 413] },
    '/bff/quota': SIGNED_OUT,
    '/bff/ledger': SIGNED_OUT,
    '/bff/ledger/days': SIGNED_OUT,
    '/bff/ledger/browsers': SIGNED_OUT,
    '/bff/browser': { PUT: 401 },
    '/bff/months': SIGNED_OUT,
    '/bff/events': SIGNED_OUT,
    '/bff/readings': { GET: 401, POST: 401 },
    '/bff/readings/:id': { DELETE: 401 },
    '/bff/evidence': SIGNED_OUT,
    '/bff/evidence/:id': { POST: 401, DELETE: 401 },
    '/bff/pairing': { POST: 401, PUT: 401 },
    '/bff/pairing/claim': { POST: [400, 400, 413] },
    '/bff/pairing/session': { POST: [400, 400, 413] },
    '/bff/watch-links': { GET: 401, POST: 401 },
    '/bff/watch-links/:id': { DELETE: 401 },
    '/watch/session/:id': { GET: 401, POST: [400, 400, 413] },
    '/watch/quota': { ...SIGNED_OUT, HEAD: 401 },
    '/watch/quota/:id': SIGNED_OUT,
    '/watch/days/:id': SIGNED_OUT,
    '/watch/events/:id': SIGNED_OUT,
    '/api/organizations': SIGNED_OUT,
    '/api/organizations/:id{[0-9]+}': SIGNED_OUT,
    '/api/rate_limit': SIGNED_OUT,
  },
  sandbox: {
    '/': READ_BY_BROWSER,
    '/projects': SIGN_IN,
    '/plan': SIGN_IN,
    '/settings': SIGN_IN,
    '/settings/api-keys': SIGN_IN,
    '/settings/api-keys/add': FORM,
    '/settings/api-keys/:handle': FORM,
    '/settings/applications': SIGN_IN,
    '/settings/applications/add': FORM,
    '/settings/applications/:handle': FORM,
    '/oauth2/login': { ...SIGN_IN, GET: 400, HEAD: 400 },
    '/oauth2/permission': { POST: [400, 400, 413] },
    '/style.css': READ_BY_BROWSER,
    '/mark.svg': READ_BY_BROWSER,
    '/openapi.json': READ_BY_BROWSER,
    '/healthz': READ_BY_BROWSER,
    '/oauth2/token': { POST: [401, 401, 413] },
    '/oauth2/revoke': { POST: [401, 401, 413] },
    '/.well-known/oauth-authorization-server': READ_BY_BROWSER,
    '/organizations': API,
    '/organizations/:id': API,
    '/rate_limit': API,
    '/_choice/echo': { else: [200, 200, 413], GET: 405, HEAD: 405 },
  },
  control: {
    '/profile': { ...CONTROL, PATCH: [400, 400, 413] },
    '/clock': { ...CONTROL, POST: [400, 400, 413] },
    '/ledger': { ...CONTROL, DELETE: 204 },
    '/verify': MINT,
    '/faults': { ...CONTROL, ...MINT, DELETE: 204 },
    '/limits': { ...CONTROL, PUT: [400, 400, 413] },
    '/usage': { ...CONTROL, PATCH: [400, 400, 413] },
    '/presets': { ...CONTROL, POST: [400, 400, 413] },
    '/plans': { PATCH: [400, 400, 413] },
    '/tokens': { ...CONTROL, ...MINT },
    '/codes': MINT,
    '/worlds': MINT,
    '/api-keys': MINT,
    '/applications': MINT,
    '/snapshot': CONTROL,
    // These two take more than the oversized body of this test.
    '/restore': { POST: 400 },
    '/seed': { POST: 400 },
    '/reset': { POST: [204, 400, 413] },
    '/': { ...CONTROL, POST: 415 },
    '/style.css': FILE,
    '/mark.svg': FILE,
    '/openapi.json': FILE,
    '/healthz': FILE,
  },
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const BODIES: readonly (readonly number[] | undefined)[] = [undefined, [2], [1, 9000, 9000]]

let opened: Awaited<ReturnType<typeof openAll>>
beforeAll(async () => {
  opened = await openAll()
})
afterAll(closeAll)

const headersOf = (plane: Plane, path: string): Record<string, string> =>
  ({
    bff: { 'X-CSRF': '1', 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' },
    sandbox: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(/^\/(organizations|rate_limit|_choice)/.test(path) && { 'X-Service-Api-Key': opened.apiKey }),
    },
    control: { 'Content-Type': 'application/json' },
  })[plane]

/** Sends every method with every body. @returns statuses by method, and the ends of the connections */
async function askAll(plane: Plane, path: string) {
  const found: Record<string, number[]> = {}
  const afterwards = new Set<string>()
  const headBodies = new Set<boolean>()
  for (const method of METHODS)
    for (const chunks of BODIES) {
      const sent: Sent = {
        method,
        path: path.replace(/:\w+(\{.*\})?/, String(BUSINESS_ID)),
        headers: headersOf(plane, path),
      }
      const { status, hasBody, after } = await send(opened.ports[plane], {
        ...sent,
        ...(chunks && { chunks }),
      })
      ;(found[method] ??= []).push(status)
      afterwards.add(after)
      if (method === 'HEAD') headBodies.add(hasBody)
    }
  return { found, afterwards, headBodies }
}

describe.each(['bff', 'sandbox', 'control'] as const)('%s', (plane) => {
  test('every route has a row in the table of this test, and every row a route', () => {
    expect(Object.keys(ROUTES[plane]).toSorted()).toEqual([...opened.paths[plane]].toSorted())
  })

  test.each(Object.keys(ROUTES[plane]))(
    '%s answers every method and body, and the connection stays usable',
    async (path) => {
      const row = ROUTES[plane][path] ?? {}
      const { found, afterwards, headBodies } = await askAll(plane, path)
      const expected = METHODS.map((method) => {
        const statuses = row[method] ?? (method === 'GET' || method === 'HEAD' ? 405 : (row.else ?? 405))
        return [method, typeof statuses === 'number' ? [statuses, statuses, statuses] : [...statuses]]
      })
      expect(found).toEqual(Object.fromEntries(expected))
      expect([...afterwards, ...headBodies]).toEqual(['usable', false])
    },
  )
})

test('an address that there is not answers 404 to a DELETE with an API key, and not 500 (7)', async () => {
  const headers = { 'X-Service-Api-Key': opened.apiKey }
  for (const chunks of BODIES) {
    const sent = { method: 'DELETE', path: '/nothing', headers, ...(chunks && { chunks }) }
    expect(await send(opened.ports.sandbox, sent)).toMatchObject({ status: 404, after: 'usable' })
  }
})

test.each([
  ['sandbox', 'POST', '/oauth2/token', 413],
  ['control', 'POST', '/restore', 413],
  ['bff', 'POST', '/bff/login', 413],
] as const)(
  'a body of 100 MB is not waited for: %s %s %s is answered and closed (RFC 9112 9.3)',
  async (plane, method, path, status) => {
    const headers = { ...headersOf(plane, path), 'Content-Length': '100000000' }
    const answered = await send(opened.ports[plane], { method, path, headers })
    expect(answered).toMatchObject({ status, after: 'closed' })
  },
)

test.each(['reset', 'lost', 'truncate'])(
  'the injected fault %s breaks the connection of a GET, and of a form that is short or comes in chunks',
  async (kind) => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const requests: Sent[] = [
      { method: 'GET', path: '/organizations', headers: { 'X-Service-Api-Key': opened.apiKey } },
      { method: 'POST', path: '/oauth2/token', headers: { ...form, 'Content-Length': '0' } },
      { method: 'POST', path: '/oauth2/token', headers: form, chunks: [5] },
    ]
    for (const request of requests) {
      await fetch(`http://127.0.0.1:${opened.ports.control}/faults`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ operation: 'any', kind }),
      })
      expect(await send(opened.ports.sandbox, request)).toMatchObject({ after: 'broken' })
    }
  },
)

/** The headers of a press in a session with an API key. */
async function press(): Promise<Record<string, string>> {
  const headers = headersOf('bff', '/')
  const response = await fetch(`http://127.0.0.1:${opened.ports.bff}/bff/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ api_key: opened.apiKey }),
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { ...headers, Cookie: cookies.join('; '), 'X-Plimsoll-Spend': '1' }
}

const ELSEWHERE = [
  '/api/organizations/..%2f..%2foauth2/token',
  '/api/organizations/../../oauth2/token',
  '/api/organizations/%2e%2e/%2e%2e/oauth2/token',
  '/api/organizations/%252e%252e%252foauth2',
  '/api/organizations/..;/oauth2/token',
  '/api/organizations/2002;x=1',
  '/api/organizations/2002%2f..%2f1001',
  '/api/organizations/2002%00',
  '/api/organizations/2002%0d%0aX-A:%20b',
  '/api/organizations\\2002\\..',
  '/api\\..\\oauth2\\token',
  '//evil.example/api/organizations',
  '/api/organizations/@evil.example',
  '/api/organizations/http://evil.example/',
  '/api/organizations/[::1]',
  '/api/organizations/2130706433:80',
  '/api/rate_limit/../../oauth2/token',
  '/api//rate_limit',
  '/API/rate_limit',
  '/api/rate_limit%2f',
  'evil.example:80',
  '@evil.example/',
]

test.each(ELSEWHERE)(
  'the path %s reaches nothing of the service (RFC 3986 5.2.4, attack 44)',
  async (path) => {
    const headers = await press()
    const before = opened.asked.length
    const { status } = await send(opened.ports.bff, { method: 'GET', path, headers })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(opened.asked.slice(before)).toEqual([])
  },
)

test.each(['http://evil.example', 'http://evil.example:81', 'http://user@evil.example'])(
  'a request line with the address %s reaches no other host (RFC 9112 3.2.2, attack 45)',
  async (origin) => {
    const headers = await press()
    const before = opened.asked.length
    for (const path of ['/api/rate_limit', '/oauth2/token', '/api/organizations/../../oauth2/token'])
      await send(opened.ports.bff, { method: 'GET', path: origin + path, headers })
    expect(new Set(opened.asked.slice(before))).toEqual(new Set([`GET ${BASE}/rate_limit`]))
  },
)

test.each(['TRACE', 'CONNECT', 'PROPFIND', 'get', 'DEBUG'])(
  '%s is no method of any route, and its headers do not come back (RFC 9110 9.3.8)',
  async (method) => {
    const headers = { ...(await press()), 'X-Canary': 'canary' }
    const before = opened.asked.length
    for (const path of [...opened.paths.bff.filter((one) => !one.includes(':')), '/'])
      expect([path, await statusOf(method, path, headers)]).toEqual([
        path,
        expect.stringMatching(/^(400|403|405|0)$/),
      ])
    expect(opened.asked).toHaveLength(before)
  },
)

const statusOf = async (method: string, path: string, headers: Record<string, string>) =>
  String((await send(opened.ports.bff, { method, path, headers })).status)
