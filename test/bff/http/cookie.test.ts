import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cookie, cookieNames, isOwnCookie, readCookies } from '../../../src/bff/http/cookie.ts'
import { BUSINESS, startApp, STANDARD } from '../../kit/app.ts'
import { Person } from '../../kit/person.ts'
import { signedIn } from '../_signed-in.ts'

const HTTPS = cookieNames('https://plimsoll.example.com')
const SESSION_COOKIE = HTTPS.session

function read(...lines: string[]): [string, string][] {
  const headers = new Headers()
  for (const line of lines) headers.append('Cookie', line)
  return [...readCookies(new Request('http://localhost:3000/', { headers }))]
}

test('a cookie lives for whole seconds (RFC 6265 5.2.2)', () => {
  expect(cookie(HTTPS, SESSION_COOKIE, 'value', 600.9)).toContain('; Max-Age=600;')
})

test.each([
  [[`${SESSION_COOKIE}=ours; ${SESSION_COOKIE}=planted`]],
  [[`${SESSION_COOKIE}=same; a=1; ${SESSION_COOKIE}=same`]],
  [[`${SESSION_COOKIE}=1;${SESSION_COOKIE} =2;${SESSION_COOKIE}=3`]],
  [[`${SESSION_COOKIE}=ours`, `${SESSION_COOKIE}=planted`]],
])('of two cookies of one name neither is read: %j (RFC 6265 8.6, attack 19)', (lines) => {
  expect(read(...lines).filter(([name]) => name !== 'a')).toEqual([])
})

test.each([
  '__host-plimsoll',
  '__Host-Http-plimsoll2',
  '"__Host-Http-plimsoll"',
  '\u00a0__Host-Http-plimsoll',
])('%j is not our session, since a sibling host may set it (RFC 6265bis 4.1.3)', (name) => {
  expect(read(`${name}=planted; a=1`).map(([read]) => read)).toEqual([name, 'a'])
  expect(read(`${name}=planted; ${SESSION_COOKIE}=ours`)).toContainEqual([SESSION_COOKIE, 'ours'])
})

const parsed: [string, Record<string, string>][] = [
  ['', {}],
  [';;; ;', {}],
  ['no-equals-sign; a=1', { a: '1' }],
  ['=no name', { '': 'no name' }],
  [' \t a\t =  1 \t; b=2', { a: '1', b: '2' }],
  ['__proto__=1', { ['__proto__']: '1' }],
  ['a=%zz; b=\u00ff', { a: '%zz', b: '\u00ff' }],
  ['a=1; __Host-Http-plimsoll=x.y-z_=; b=', { a: '1', [SESSION_COOKIE]: 'x.y-z_=', b: '' }],
]
test.each(parsed)('a Cookie header %j is read as %j (RFC 6265 4.2.1, 5.4)', (header, cookies) => {
  expect(read(header)).toEqual(Object.entries(cookies))
})

test('no header makes it fail, and a name is given once at most (RFC 6265 5.4)', () => {
  const letters = fc.constantFrom('a', SESSION_COOKIE, '=', ';', ' ', '\t', '"', ',', '\u00a0', '\u00ff')
  fc.assert(
    fc.property(fc.string({ unit: letters }), (header) => {
      const names = read(header).map(([name]) => name)
      expect(new Set(names).size).toBe(names.length)
    }),
  )
})

test.each([
  ['http://localhost:3000', 'plimsoll-http-3000', false],
  ['http://127.0.0.1:8080', 'plimsoll-http-8080', false],
  ['https://localhost:3000', '__Host-Http-plimsoll', true],
  ['http://[::1]:3000', '__Host-Http-plimsoll', true],
  ['http://app.localhost:3000', '__Host-Http-plimsoll', true],
  ['https://plimsoll.example.com', '__Host-Http-plimsoll', true],
])('at %s the server’s cookies begin with %s, and are Secure: %s (6265bis 4.1.3)', (url, name, secure) => {
  const names = cookieNames(url)
  expect(names).toMatchObject({ session: name, areSecure: secure })
  for (const other of [names.login, names.browser]) {
    expect(other.startsWith(`${name}-`)).toBe(true)
    expect(isOwnCookie(names, other)).toBe(true)
  }
  // The page writes what a person chose, and it stays after a sign-out.
  expect(isOwnCookie(names, names.choices)).toBe(false)
})

test('the cookies of an app on another port are not ours, though their names begin alike (RFC 6265 8.5)', () => {
  const at80 = cookieNames('http://localhost')
  const names = ['plimsoll-http-80', 'plimsoll-http-80-of-x', 'plimsoll-http-8080', 'plimsoll-http-8080-of-x']
  expect(names.map((name) => isOwnCookie(at80, name))).toEqual([true, true, false, false])
})

const ATTRIBUTES = ['HttpOnly', 'SameSite=Strict']
test.each([
  ['http://localhost:3000', 'plimsoll-http-3000', ATTRIBUTES],
  ['https://plimsoll.example.com', '__Host-Http-plimsoll', ['Secure', ...ATTRIBUTES]],
])('at %s all cookies of a browser begin with %s and have %j (RFC 6265bis 4.1.3, 5.6)', async (...row) => {
  const [publicUrl, prefix, attributes] = row
  const fixture = startApp({ publicUrl })
  const lines: string[] = []
  const browser = new Person({
    ...fixture,
    bff: {
      async fetch(...asked) {
        const answer = await fixture.bff.fetch(...asked)
        lines.push(...answer.headers.getSetCookie())
        return answer
      },
    },
  })
  await browser.signIn(STANDARD)
  await browser.signIn(BUSINESS, 'Cleo')
  await browser.signOut()
  expect([...browser.cookies]).toEqual([])
  const kinds = new Set(lines.map((line) => line.replace(/=.*$/, '').replace(/(-login)-[\w-]+$/, '$1')))
  expect([...kinds].toSorted()).toEqual(['', '-browser', '-login'].map((kind) => prefix + kind))
  const maxAge = expect.stringMatching(/^Max-Age=\d+$/)
  for (const line of lines) expect(line.split('; ').slice(1)).toEqual(['Path=/', maxAge, ...attributes])
})

test.each([
  ['https://localhost:3000', 'http://localhost:3000'],
  ['https://plimsoll.example.com', 'http://localhost'],
  ['http://localhost:3000', 'https://localhost:3000'],
  ['http://localhost:3000', 'http://localhost:3001'],
])('an app at %s takes no cookie of an open session at %s (RFC 6265 8.5, attack 19)', async (own, other) => {
  const { fixture, browser } = await signedIn({ publicUrl: own })
  const [names, others] = [cookieNames(own), cookieNames(other)]
  const value = browser.cookies.get(names.session) ?? ''
  const planted = fixture.browser()
  planted.cookies.set(others.session, value)
  expect((await planted.session()).body).toMatchObject({ signed_in: false })
  // Neither read nor removed: it is of another app.
  await planted.signOut()
  expect(planted.cookies.get(others.session)).toBe(value)
  planted.cookies.set(names.session, value)
  expect((await planted.session()).body).toMatchObject({ signed_in: true })
})
