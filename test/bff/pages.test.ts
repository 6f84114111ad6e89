import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type StaticFile, servePage } from '../../src/bff/pages.ts'

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

function file(text: string, contentType: string): StaticFile {
  const body = new TextEncoder().encode(text)
  return { body, gzipped: new Uint8Array(gzipSync(body)), contentType }
}

const FILES = new Map([
  ['/index.html', file('<!doctype html>the document', 'text/html; charset=utf-8')],
  ['/assets/index-8d1f.js', file('"a script"', 'text/javascript; charset=utf-8')],
  ['/mark.svg', file('<svg/>', 'image/svg+xml')],
])
const DOCUMENT = '<!doctype html>the document'

function get(path: string, init: RequestInit = {}): Response {
  return servePage(FILES, new Request(`http://localhost:3000${path}`, init))
}
const seen = async (response: Response) => [response.status, await response.text()]

test.each([
  '/',
  '/sessions',
  '/ledger',
  '/learnt',
  '/guide',
  '/callback',
  '/callback?code=c&state=s',
  '/organizations/1001',
  '/organizations/1001/',
])('%s is a page, and all pages are the one document (4.1, requirement 68, requirement 72)', async (path) => {
  const response = get(path)
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

test('an asset is cached for a year, since its name changes with it; another file is revalidated (RFC 8246)', () => {
  expect(get('/assets/index-8d1f.js').headers.get('Cache-Control')).toBe(
    'public, max-age=31536000, immutable',
  )
  expect(get('/mark.svg').headers.get('Cache-Control')).toBe('no-cache')
  expect(get('/mark.svg').headers.get('Content-Type')).toBe('image/svg+xml')
  expect(get('/mark.svg').status).toBe(200)
})

describe('an address that is no page', () => {
  test.each([
    '/nothing',
    '/index.html',
    '/organizations',
    '/sessions/1',
    '/organizations/0',
    '/organizations/abc',
    '/organizations/1001/projects',
    '/callback/',
    '/CALLBACK',
    '/assets',
    '/assets%2findex-8d1f.js',
    '//evil.example',
    '//evil.example/%2e%2e',
    '/%5c%5cevil.example',
    '/.git/config',
    '/..%2f..%2fetc%2fpasswd',
    '/%00',
    '/__proto__',
  ])('%s gets the document with 404, and no redirect (RFC 9110 15.5.5)', async (path) => {
    const response = get(path)
    expect(await seen(response)).toEqual([404, DOCUMENT])
    expect(response.headers.get('Cache-Control')).toBe('no-cache')
    expect(response.headers.get('Location')).toBeNull()
  })

  test.each(['/assets/gone-1234.js', '/assets/', '/assets/index-8d1f.js/x.css', '/assets/..%2findex.html'])(
    '%s is a plain 404, so that no cache stores the page as a script (RFC 9111 3)',
    async (path) => {
      const response = get(path)
      expect(await seen(response)).toEqual([404, 'Not found'])
      expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(response.headers.get('Content-Security-Policy')).toBe(CSP)
    },
  )
})

test.each(['/%2e%2e/', '/assets/%2e%2e/', '/assets/../../..', '/./'])(
  '%s is the first page (RFC 3986 5.2.4)',
  async (path) => {
    expect(await seen(get(path))).toEqual([200, DOCUMENT])
  },
)

test.each(['/', '/nothing', '/assets/index-8d1f.js', '/assets/gone.js'])(
  'HEAD %s has the headers of GET and no body (RFC 9110 9.3.2)',
  async (path) => {
    const [asked, got] = [get(path, { method: 'HEAD' }), get(path)]
    expect(await seen(asked)).toEqual([got.status, ''])
    for (const name of ['content-length', 'cache-control', 'content-security-policy'])
      expect(asked.headers.get(name)).toBe(got.headers.get(name))
  },
)

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s is not allowed (RFC 9110 15.5.6)',
  async (method) => {
    for (const path of ['/', '/assets/index-8d1f.js', '/nothing']) {
      const response = get(path, { method })
      expect(await seen(response)).toEqual([405, ''])
      expect(response.headers.get('Allow')).toBe('GET, HEAD')
      expect(response.headers.get('Content-Security-Policy')).toBe(CSP)
    }
  },
)

test('a callback by POST is refused, with a text on how to begin again (4.1, RFC 9700 4.12)', async () => {
  const response = get('/callback?code=a&state=b', { method: 'POST', body: 'answer=permit' })
  const [status, text] = await seen(response)
  expect([status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  expect(text).toMatch(/not signed in.*begin again/)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
})

test.each([
  ['gzip', true],
  ['br, GZIP;q=0.8', true],
  ['br;q=1, gzip; q=0.001', true],
  ['gzip;q=0', false],
  ['gzip ; q=0.000, br', false],
  ['br, deflate', false],
  ['', false],
])('to Accept-Encoding: %s it answers zipped: %s (RFC 9110 12.5.3)', async (accepted, zipped) => {
  const response = get('/assets/index-8d1f.js', { headers: { 'Accept-Encoding': accepted } })
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(response.headers.get('Content-Encoding')).toBe(zipped ? 'gzip' : null)
  expect(response.headers.get('Content-Length')).toBe(String(bytes.length))
  expect(new TextDecoder().decode(zipped ? gunzipSync(bytes) : bytes)).toBe('"a script"')
})

test('a file without a zipped copy is sent as it is (RFC 9110 12.5.3)', () => {
  const files = new Map([['/a.txt', { body: new Uint8Array([97]), contentType: 'text/plain' }]])
  const request = new Request('http://localhost:3000/a.txt', { headers: { 'Accept-Encoding': 'gzip' } })
  expect(servePage(files, request).headers.get('Content-Encoding')).toBeNull()
})

test('without a build every address is a plain 404 (RFC 9110 15.5.5)', async () => {
  const response = servePage(new Map(), new Request('http://localhost:3000/'))
  expect(await seen(response)).toEqual([404, 'Not found'])
})
