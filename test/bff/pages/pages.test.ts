import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  type Documents,
  type Facts,
  factsOf,
  type StaticFile,
  servePage,
} from '../../../src/bff/pages/pages.ts'
import type { Context } from '../../../src/bff/core/context.ts'
import type { View } from '../../../src/contract/boot.ts'
import type { QuotaSnapshot } from '../../../src/contract/quota.ts'
import type { SignedIn, SignedOut } from '../../../src/contract/session.ts'
import { openStored } from '../../kit/stored-session.ts'
import { COOKIES } from '../../kit/config.ts'
import { createContext } from '../_context.ts'

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

function file(text: string, contentType: string): StaticFile {
  const body = new TextEncoder().encode(text)
  const encoded = { br: new Uint8Array(brotliCompressSync(body)), gzip: new Uint8Array(gzipSync(body)) }
  return { body, encoded, contentType }
}

const FILES = new Map([
  ['/index.html', file('<!doctype html>the document', 'text/html; charset=utf-8')],
  ['/assets/index-8d1f.js', file('"a script"', 'text/javascript; charset=utf-8')],
  ['/mark.svg', file('<svg/>', 'image/svg+xml')],
])
const DOCUMENT = '<!doctype html>the document'

const STRANGER = { signed_in: false } as SignedOut
const NOTHING: Facts = {
  ofPerson: async () => undefined,
  ofStranger: async () => STRANGER,
  now: () => 7,
  onFault: () => {},
}
const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  servePage({ files: FILES, cookies: COOKIES }, new Request(`http://localhost:3000${path}`, init), NOTHING)
const seen = async (response: Response) => [response.status, await response.text()]

test.each([
  '/',
  '/sessions',
  '/ledger',
  '/guide',
  '/callback',
  '/callback?code=c&state=s',
  '/organizations/1001',
  '/organizations/1001/',
])('%s is a page, and all pages are the one document (4.1)', async (path) => {
  const response = await get(path)
  expect(await seen(response)).toEqual([200, DOCUMENT])
  expect(Object.fromEntries(response.headers)).toEqual({
    // The address of a callback holds the code (RFC 9700 4.2.4).
    'cache-control': path.startsWith('/callback') ? 'no-store' : 'no-cache',
    'content-length': String(DOCUMENT.length),
    'content-security-policy': CSP,
    'content-type': 'text/html; charset=utf-8',
    vary: 'Accept-Encoding',
  })
})

test('an asset, whose name changes with it, is kept for a year; others are revalidated (RFC 8246, RFC 9111 5.2.2.4)', async () => {
  expect((await get('/assets/index-8d1f.js')).headers.get('Cache-Control')).toBe(
    'public, max-age=31536000, immutable',
  )
  expect((await get('/mark.svg')).headers.get('Cache-Control')).toBe('no-cache')
  expect((await get('/mark.svg')).headers.get('Content-Type')).toBe('image/svg+xml')
  expect((await get('/mark.svg')).status).toBe(200)
  expect((await get('/mark.svg')).headers.get('ETag')).toMatch(/^"/)
})

describe('an entity tag', () => {
  const TAG = /^"[\w-]+"$/
  const script = (headers: Record<string, string> = {}, method = 'GET') =>
    get('/assets/index-8d1f.js', { method, headers })
  const tagOf = async (headers?: Record<string, string>) => (await script(headers)).headers.get('ETag') ?? ''

  test('is another one for each encoding of a file, and no document has one (RFC 9110 8.8.3.3)', async () => {
    const tags = [await tagOf(), await tagOf({ 'Accept-Encoding': 'br' })]
    tags.push(await tagOf({ 'Accept-Encoding': 'gzip' }))
    for (const tag of tags) expect(tag).toMatch(TAG)
    expect(new Set(tags).size).toBe(3)
    for (const path of ['/', '/nothing', '/assets/gone.js'])
      expect((await get(path, { headers: { 'If-None-Match': '*' } })).headers.get('ETag')).toBeNull()
  })

  test.each(['GET', 'HEAD'])(
    '%s with it is 304 without a body, and what a cache needs (RFC 9110 15.4.5)',
    async (method) => {
      const encoding = { 'Accept-Encoding': 'br' }
      const ETag = await tagOf(encoding)
      for (const known of [ETag, `W/${ETag}`, `"other", ${ETag}`, '*']) {
        const response = await script({ ...encoding, 'If-None-Match': known }, method)
        expect(await seen(response)).toEqual([304, ''])
        expect(Object.fromEntries(response.headers)).toEqual({
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': CSP,
          etag: ETag,
          vary: 'Accept-Encoding',
        })
      }
    },
  )

  test('the tag of another encoding gets the file, and a wrong method is refused (RFC 9110 13.2.1)', async () => {
    const ETag = await tagOf({ 'Accept-Encoding': 'br' })
    expect(await seen(await script({ 'If-None-Match': ETag }))).toEqual([200, '"a script"'])
    expect((await script({ 'If-None-Match': '*' }, 'POST')).status).toBe(405)
  })
})

describe('an address that is no page', () => {
  test.each([
    '/nothing',
    '/index.html',
    '/organizations/',
    '/sessions/1',
    '/organizations/0',
    '/organizations/1001/projects',
    '/CALLBACK',
    '/assets',
    '/assets%2findex-8d1f.js',
    '//evil.example',
    '//evil.example/%2e%2e',
    '/..%2f..%2fetc%2fpasswd',
    '/__proto__',
  ])('%s gets the document with 404, and no redirect (RFC 9110 15.5.5)', async (path) => {
    const response = await get(path)
    expect(await seen(response)).toEqual([404, DOCUMENT])
    expect(response.headers.get('Cache-Control')).toBe('no-cache')
    expect(response.headers.get('Location')).toBeNull()
  })

  test.each(['/assets/gone-1234.js', '/assets/', '/assets/index-8d1f.js/x.css', '/assets/..%2findex.html'])(
    '%s is a plain 404, so that no cache stores the page as a script (RFC 9111 3)',
    async (path) => {
      const response = await get(path)
      expect(await seen(response)).toEqual([404, 'Not found'])
      expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(response.headers.get('Content-Security-Policy')).toBe(CSP)
    },
  )
})

test.each(['/', '/nothing', '/assets/index-8d1f.js', '/assets/gone.js'])(
  'HEAD %s has the headers of GET and no body (RFC 9110 9.3.2)',
  async (path) => {
    const [asked, got] = [await get(path, { method: 'HEAD' }), await get(path)]
    expect(await seen(asked)).toEqual([got.status, ''])
    for (const name of ['content-length', 'cache-control', 'content-security-policy'])
      expect(asked.headers.get(name)).toBe(got.headers.get(name))
  },
)

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s is not allowed (RFC 9110 15.5.6)',
  async (method) => {
    for (const path of ['/', '/assets/index-8d1f.js', '/nothing']) {
      const response = await get(path, { method })
      expect(await seen(response)).toEqual([405, ''])
      expect(response.headers.get('Allow')).toBe('GET, HEAD')
      expect(response.headers.get('Content-Security-Policy')).toBe(CSP)
    }
  },
)

const decode = { br: brotliDecompressSync, gzip: gunzipSync }

test.each([
  ['gzip', 'gzip'],
  ['br;q=0, gzip; q=0.001', 'gzip'],
  ['gzip, br', 'br'],
  ['gzip;q=0', null],
  ['', null],
] as const)('to Accept-Encoding: %s it answers %s (RFC 9110 12.5.3)', async (accepted, encoding) => {
  for (const path of ['/assets/index-8d1f.js', '/']) {
    const response = await get(path, { headers: { 'Accept-Encoding': accepted } })
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(response.headers.get('Content-Encoding')).toBe(encoding)
    expect(response.headers.get('Content-Length')).toBe(String(bytes.length))
    const text = new TextDecoder().decode(encoding === null ? bytes : decode[encoding](bytes))
    expect(text).toBe(path === '/' ? DOCUMENT : '"a script"')
  }
})

describe('documents for what the page will show first', () => {
  /** Has what it is drawn from as its text. */
  const documents: Documents = {
    get: (view) => file(JSON.stringify(view), 'text/html; charset=utf-8'),
    styles: ["'sha256-one'", "'sha256-two'"],
  }
  const open = (path: string, headers: Record<string, string>, facts: Partial<Facts> = {}, of = documents) =>
    servePage(
      { files: FILES, cookies: COOKIES, documents: of },
      new Request(`http://localhost:3000${path}`, { headers }),
      { ...NOTHING, ...facts },
    )
  const viewOf = async (...of: Parameters<typeof open>) => (await (await open(...of)).json()) as View
  const SESSION = 'plimsoll-http-3000=name.key'
  const CHOICES = 'plimsoll-http-3000-choices=v1.ja.dark.Asia%2FTokyo.-'
  const COOKIE = { Cookie: SESSION }
  const OPENED = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' }

  test.each([
    ['/', {}, 'frame'],
    ['/', { 'Sec-Fetch-Site': 'none' }, 'sign-in'],
    ['/', { 'Sec-Fetch-Site': 'same-origin' }, 'sign-in'],
    // The browser may still have a session.
    ['/', { 'Sec-Fetch-Site': 'cross-site' }, 'frame'],
    ['/', COOKIE, 'person'],
    ['/', { ...COOKIE, 'Sec-Fetch-Site': 'cross-site' }, 'person'],
    ['/', { Cookie: 'plimsoll-http-3000-browser=b', 'Sec-Fetch-Site': 'none' }, 'sign-in'],
    ['/', { Cookie: 'other=plimsoll-http-3000=a', 'Sec-Fetch-Site': 'none' }, 'sign-in'],
    ['/organizations/1001', COOKIE, 'person'],
    ['/organizations/1001/', { 'Sec-Fetch-Site': 'none' }, 'sign-in'],
    ['/ledger', COOKIE, 'person'],
    ['/guide', COOKIE, 'frame'],
    ['/callback', { 'Sec-Fetch-Site': 'none' }, 'frame'],
    ['/pair', COOKIE, 'frame'],
    ['/watch/0123456789abcdef', COOKIE, 'frame'],
    ['/nothing', COOKIE, 'frame'],
  ])('%s with %j shows %s (4.1, RFC 6265bis 8.8.2)', async (path, headers, kind) => {
    const view = await viewOf(path, headers)
    expect(view.kind).toBe(kind)
    expect([view.quota, view.nowMs]).toEqual([undefined, undefined])
    expect(view.session).toEqual(kind === 'sign-in' ? STRANGER : undefined)
  })

  test('it is drawn for the languages of the browser and the choices of its cookie (RFC 9110 12.5.4)', async () => {
    const headers = { 'Sec-Fetch-Site': 'none', 'Accept-Language': 'fr, en-GB;q=0.5, ja;q=0.7' }
    expect(await viewOf('/organizations/1001', { ...headers, Cookie: CHOICES })).toEqual({
      kind: 'sign-in',
      path: '/organizations/1001',
      languages: ['fr', 'ja', 'en-gb'],
      // A document for everybody depends on no zone.
      choices: { language: 'ja', theme: 'dark' },
      session: STRANGER,
    })
    expect((await viewOf('/ledger', headers)).path).toBe('/')
  })

  test('where the browser has more to show than the server knows, nothing is drawn (D8)', async () => {
    const Cookie = 'plimsoll-http-3000-choices=v1.-.-.Asia%2FTokyo.own'
    expect(await viewOf('/', { 'Sec-Fetch-Site': 'none', Cookie })).toMatchObject({
      kind: 'frame',
      session: STRANGER,
    })
  })

  test('caches know its variants, and the policy allows only its styles (RFC 9110 12.5.5, CSP 3 6.7.3.3)', async () => {
    const { headers } = await open('/', {})
    expect(headers.get('Vary')).toBe('Accept-Encoding, Accept-Language, Cookie, Sec-Fetch-Site')
    expect(headers.get('Content-Security-Policy')).toBe(
      CSP.replace("style-src 'self'", "style-src 'self' 'sha256-one' 'sha256-two'"),
    )
    expect(headers.get('Cache-Control')).toBe('no-cache')
  })

  test('another method is refused, also at the callback (RFC 9110 15.5.6, RFC 9700 4.12)', async () => {
    for (const [path, method] of [
      ['/callback?code=a&state=b', 'POST'],
      ['/', 'PUT'],
    ]) {
      const request = new Request(`http://localhost:3000${path}`, { method: method ?? '' })
      const response = await servePage({ files: FILES, cookies: COOKIES, documents }, request, NOTHING)
      expect(response.headers.get('Allow')).toBe('GET, HEAD')
      expect(await seen(response)).toEqual([405, ''])
    }
  })

  test('a file depends on nothing but the encoding, and what is no file under /assets is no document', async () => {
    expect((await open('/mark.svg', COOKIE)).headers.get('Vary')).toBe('Accept-Encoding')
    expect(await seen(await open('/assets/none.js', COOKIE))).toEqual([404, 'Not found'])
    expect((await seen(await open('/nothing', {})))[0]).toBe(404)
  })

  test('a document that cannot be drawn is that of everybody, and the fault is told', async () => {
    const faults: unknown[] = []
    const fault = new Error('no such component')
    const broken: Documents = {
      ...documents,
      get(view) {
        if (view.kind === 'page') throw fault
        return documents.get(view)
      },
    }
    const facts = { ofPerson: async () => PERSON, onFault: (error: unknown) => faults.push(error) }
    const headers = { ...OPENED, Cookie: `${SESSION}; ${CHOICES}` }
    const view = await viewOf('/', headers, facts, broken)
    expect([view.kind, view.session, view.quota, ...faults]).toEqual(['frame', undefined, undefined, fault])
  })

  const PERSON = {
    session: { signed_in: true, id: 'i' } as SignedIn,
    quota: { version: 3 } as QuotaSnapshot,
  }

  test.each([
    ['/', CHOICES, 'page'],
    ['/organizations/1001', CHOICES, 'page'],
    ['/ledger', CHOICES, 'person'],
    // Its dates would be of another zone.
    ['/', 'other=1', 'person'],
  ])(
    '%s of a person with %s has what is known, as %s, and no cache stores it (RFC 9111 5.2.2.5)',
    async (path, cookie, kind) => {
      const response = await open(
        path,
        { ...OPENED, Cookie: `${SESSION}; ${cookie}` },
        { ofPerson: async () => PERSON },
      )
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(await response.json()).toMatchObject({ kind, path, nowMs: 7, ...PERSON })
    },
  )

  test.each([
    ['/', COOKIE],
    ['/', { ...COOKIE, 'Sec-Fetch-Dest': 'empty' }],
    ['/', OPENED],
    ['/guide', { ...COOKIE, ...OPENED }],
    ['/callback', { ...COOKIE, ...OPENED }],
  ])('for %s with %j nothing of a person is read (Fetch Metadata 2.1)', async (path, headers) => {
    let reads = 0
    const ofPerson = async () => {
      reads += 1
      return PERSON
    }
    const response = await open(path, headers, { ofPerson })
    expect([((await response.json()) as View).quota, reads]).toEqual([undefined, 0])
    expect(response.headers.get('Cache-Control')).not.toBe(path === '/callback' ? 'no-cache' : 'no-store')
  })
})

async function signedIn(context: Context): Promise<Request> {
  const credential = { method: 'api_key', apiKey: 'a key', name: 'name-of-a-key' } as const
  const { cookie } = await openStored(context, { credential, proven: true })
  return new Request('http://localhost:3000/', { headers: { Cookie: cookie } })
}

test('a document is drawn from the session and its quota, and nothing is sent (8.3)', async () => {
  const { context } = createContext()
  const known = await factsOf(context, await signedIn(context)).ofPerson()
  expect(known?.session).toMatchObject({ signed_in: true, method: 'api_key', ends_in: 2_592_000 })
  expect(known?.quota).toMatchObject({ version: 0, month: { low: 0, high: 0 } })
  expect(JSON.stringify(known)).not.toContain('a key')
})

test('a cookie of no session is a guess: nothing is known, and nothing is logged (RFC 9110 15.5.2)', async () => {
  const { context, log } = createContext()
  const request = new Request('http://localhost:3000/', {
    headers: { Cookie: (await signedIn(context)).headers.get('Cookie')?.replace('=', '=x') ?? '' },
  })
  expect(await factsOf(context, request).ofPerson()).toBeUndefined()
  expect(log).toEqual([])
})

test('a store that does not answer holds a document up for a moment only', async () => {
  const { context } = createContext()
  const request = await signedIn(context)
  const store = Object.create(context.store, { readSession: { value: () => new Promise(() => {}) } })
  expect(await factsOf({ ...context, store }, request).ofPerson()).toBeUndefined()
})

test('a fault of the program is logged with the id of the request', async () => {
  const { context, log } = createContext()
  const request = await signedIn(context)
  context.store.readSession = () => Promise.reject(new Error('no such column'))
  expect(await factsOf(context, request).ofPerson()).toBeUndefined()
  expect(log).toMatchObject([{ event: 'problem', level: 'error', support_id: 'request-id-1' }])
  expect(String(log[0]?.['cause'])).toContain('no such column')
})
