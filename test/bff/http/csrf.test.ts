import { expect, test } from 'vitest'
import { ROUTES } from '../../../src/bff/bff.ts'
import { SESSION_COOKIE } from '../../kit/config.ts'
import { assertSameOrigin } from '../../../src/bff/http/input.ts'
import type { Problem } from '../../../src/contract/problem.ts'
import { startApp, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { told } from '../_answers.ts'
import { withBrowser } from '../_signed-in.ts'

const OURS = 'http://localhost:3000'
const TOKENS = ['1', '0', '', '1, 1', undefined]
// Two words are none, so that a second header does not make another origin ours.
const ODD_SITES = ['Same-Origin', 'sideways', 'cross-site, same-origin', '', undefined]
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', ...ODD_SITES]
const ORIGINS = [
  OURS,
  'http://localhost:3000.evil.example',
  'http://localhost:30000',
  'https://localhost:3000',
  'http://127.0.0.1:3000',
  'http://evil.example',
  `${OURS}/`,
  `${OURS}, http://evil.example`,
  'null',
  '',
  undefined,
]

/** None of them stands in for Origin. */
const OTHERS = { Referer: `${OURS}/`, Host: 'localhost:3000', 'X-Forwarded-Host': 'localhost:3000' }

/** @returns the fault; `undefined` if the request passes */
function faultOf(sent: Record<string, string | undefined>, isStream = false): unknown {
  const headers = new Headers(OTHERS)
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) headers.set(name, value)
  try {
    assertSameOrigin(new Request(`${OURS}/bff/session`, { method: 'POST', headers }), OURS, isStream)
    return undefined
  } catch (error) {
    const { code, fault } = error as Problem
    return code === 'forged_request' ? fault : error
  }
}

const passing = (token: string | undefined, isStream = false) =>
  SITES.flatMap((site) =>
    ORIGINS.map((origin) => ({ 'X-CSRF': token, 'Sec-Fetch-Site': site, Origin: origin }))
      .filter((sent) => faultOf(sent, isStream) === undefined)
      .map(({ Origin }) => [site, Origin]),
  )

test('of all that a browser may send only that of our origin passes (Fetch Metadata 2.3, RFC 6454 7)', () => {
  expect(passing('1')).toEqual([
    ...ORIGINS.map((origin) => ['same-origin', origin]),
    ...ODD_SITES.map((site) => [site, OURS]),
  ])
  expect(faultOf({ 'X-CSRF': '1' })).toBe('not_same_origin')
})

test.each(TOKENS)('a stream passes with X-CSRF: %j too, and no other request (HTML 9.2)', (token) => {
  expect(passing(token, true)).toEqual(passing('1'))
  if (token === '1') return
  expect(passing(token)).toEqual([])
  expect(faultOf({ 'X-CSRF': token })).toBe('csrf_header_missing')
})

/** Requests that the page of another site can cause: the method, and what a browser adds to it. */
const FOREIGN: [string, string, Record<string, string | undefined>][] = [
  ['a link', 'GET', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }],
  ['a typed address', 'GET', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }],
  ['an image', 'GET', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'image' }],
  ['a script element', 'GET', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'script' }],
  ['a frame', 'GET', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' }],
  ['a prefetch', 'GET', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Purpose': 'prefetch' }],
  ['a HEAD', 'HEAD', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a preflight', 'OPTIONS', { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'DELETE' }],
  ['a preflight of an opaque origin', 'OPTIONS', { Origin: 'null', 'Access-Control-Request-Method': 'POST' }],
  ['a form', 'POST', { 'Sec-Fetch-Site': 'cross-site', 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['a form of a sibling host', 'POST', { 'Sec-Fetch-Site': 'same-site', Origin: 'http://www.localhost' }],
  ['a form of text', 'POST', { 'Content-Type': 'text/plain', Origin: 'null' }],
  ['a form of an old browser', 'POST', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ['a form of another method', 'POST', { 'X-HTTP-Method-Override': 'DELETE', Origin: `${OURS}.evil` }],
  ['a script with our header', 'DELETE', { 'X-CSRF': '1', 'Sec-Fetch-Site': 'cross-site', Origin: OURS }],
  ['a script with our header in an old browser', 'DELETE', { 'X-CSRF': '1', Origin: `${OURS}.evil` }],
  ['a script without any origin', 'DELETE', { 'X-CSRF': '1' }],
]
const PATHS = Object.keys(ROUTES).map((path) => path.replace(/:\w+\{.*\}/, STANDARD))
const PAGE = new TextEncoder().encode('<!doctype html>the page')
const FILES = new Map([['/index.html', { body: PAGE, contentType: 'text/html; charset=utf-8' }]])

/** Signed in, with another sign-in in progress and the address that the service sent the browser back to. */
async function signedIn() {
  const { fixture, browser } = withBrowser({ files: FILES })
  await browser.signIn()
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  const sentBefore = fixture.sent.length
  return { fixture, browser, back, isUntouched: () => fixture.sent.length === sentBefore }
}

const without = { 'X-CSRF': undefined, 'Sec-Fetch-Site': undefined }

const accessOf = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

test.each(FOREIGN)(
  '%s changes nothing, and its site learns nothing (attack 2, attack 28, attack 37, attack 42)',
  async (_what, method, sent) => {
    const { fixture, browser, back, isUntouched } = await signedIn()
    const cookies = new Map(browser.cookies)
    const seenBy = async (one: Person, path: string) => {
      const { status, headers, body } = await one.request(method, path, { headers: { ...without, ...sent } })
      return { status, headers: new Headers(headers), body: { ...body, support_id: 'another for each' } }
    }
    for (const path of [...PATHS.map((one) => `${one}?_method=DELETE`), '/', '/callback', '/nothing']) {
      const answer = await seenBy(browser, path)
      expect(answer).toEqual(await seenBy(fixture.browser(), path))
      expect([answer.headers.getSetCookie(), accessOf(answer.headers)]).toEqual([[], []])
      if (!path.includes('?')) continue
      expect([path, answer.status]).toEqual([path, 403])
      expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
      expect(answer.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'/)
    }
    expect(isUntouched()).toBe(true)
    expect(browser.cookies).toEqual(cookies)
    expect((await browser.session()).body.signed_in).toBe(true)
    expect(await told(browser.finishLogin(back))).toBe('201')
  },
)

test('neither Host nor a proxy header changes our own addresses (RFC 9700 4.1.3, attack 22)', async () => {
  const evil = 'evil.example'
  const headers = {
    Host: evil,
    'X-Forwarded-Host': evil,
    'X-Forwarded-Proto': 'https',
    Forwarded: `host=${evil};proto=https`,
    'X-Original-URL': '/evil',
    'X-Rewrite-URL': '/evil',
  }
  const { fixture, browser } = withBrowser()
  const { body } = await browser.request('GET', '/bff/session', { headers })
  expect(body).toMatchObject({ authorize: { redirect_uri: `${OURS}/callback` } })
  expect(JSON.stringify(body)).not.toContain('evil')
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  const { code, state } = Object.fromEntries(back.searchParams)
  await browser.request('POST', '/bff/session', { json: { code, state }, headers })
  const sent = new URLSearchParams(fixture.tokenRequests()[0]?.body)
  expect(sent.getAll('redirect_uri')).toEqual([`${OURS}/callback`])
})

test.each([
  ['POST', {}, 405],
  ['HEAD', {}, 200],
  ['OPTIONS', {}, 405],
  ['DELETE', {}, 405],
  ['GET', { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Site': 'cross-site' }, 200],
  ['GET', { 'Sec-Purpose': 'prefetch' }, 200],
] as const)('the callback by %s with %j uses nothing up (attack 23)', async (method, headers, status) => {
  const { browser, back, isUntouched } = await signedIn()
  const sent = { headers: { ...without, ...headers } }
  const answer = await browser.request(method, back.pathname + back.search, sent)
  expect(answer.status).toBe(status)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  })
  expect(isUntouched()).toBe(true)
  expect((await browser.finishLogin(back)).status).toBe(201)
})

const EVERY_PATH = [
  ...PATHS,
  '/',
  '/callback',
  '/nothing',
  '/assets/none.js',
  '/bff/nothing',
  '/api/%2e%2e/x',
]
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']
const EVIL = [
  'http://evil.example',
  `${OURS}.evil.example`,
  'http://localhost:30000',
  'null',
  'http://sub.localhost:3000',
]
test.each(EVIL)('no https answer gives %s access or a frame (RFC 6797 7.2, attack 39)', async (Origin) => {
  const browser = startApp({ files: FILES, publicUrl: 'https://plimsoll.example' }).browser()
  await browser.signIn()
  const asked = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-csrf' }
  for (const method of METHODS)
    for (const path of EVERY_PATH) {
      const { headers } = await browser.request(method, path, { headers: { Origin, ...asked } })
      expect(accessOf(headers)).toEqual([])
      expect({ method, path, ...Object.fromEntries(headers) }).toMatchObject({
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
      })
    }
})

test('only our own cookie names a session (OWASP session management, attack 18)', async () => {
  const { fixture, browser } = await signedIn()
  const value = browser.cookies.get(SESSION_COOKIE) ?? ''
  expect(value).not.toBe('')
  const elsewhere: [string, Record<string, string>][] = [
    [`?${SESSION_COOKIE}=${value}`, {}],
    [`?session=${value}`, {}],
    [`#${value}`, {}],
    ['', { Authorization: `Bearer ${value}` }],
    ['', { [SESSION_COOKIE]: value }],
    ['', { Cookie: `plimsoll=${value}; __Secure-plimsoll=${value}` }],
    ['', { Cookie: `${SESSION_COOKIE.toUpperCase()}=${value}` }],
    ['', { Cookie: `${SESSION_COOKIE}=${value}; ${SESSION_COOKIE}=${value}` }],
  ]
  for (const [query, headers] of elsewhere)
    expect((await fixture.browser().request('GET', `/bff/quota${query}`, { headers })).status).toBe(401)
  const planted = fixture.browser()
  planted.cookies.set(SESSION_COOKIE, 'a-name-of-an-attacker.a-key')
  await planted.signIn()
  expect(planted.cookies.get(SESSION_COOKIE)).not.toMatch(/attacker|a-key/)
})
