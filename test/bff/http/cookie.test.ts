import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cookie, expiredCookie, readCookies, SESSION_COOKIE } from '../../../src/bff/http/cookie.ts'

function read(...lines: string[]): [string, string][] {
  const headers = new Headers()
  for (const line of lines) headers.append('Cookie', line)
  return [...readCookies(new Request('http://localhost:3000/', { headers }))]
}

test('cookies are read by name, with every character of a value (RFC 6265 4.2.1)', () => {
  expect(read('a=1; __Host-Http-plimsoll=x.y-z_=; b=')).toEqual([
    ['a', '1'],
    [SESSION_COOKIE, 'x.y-z_='],
    ['b', ''],
  ])
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
])('%j is not our session, since a sibling host may set it (RFC 6265bis 4.1.3, requirement 33)', (name) => {
  expect(read(`${name}=planted; a=1`).map(([read]) => read)).toEqual([name, 'a'])
  expect(read(`${name}=planted; ${SESSION_COOKIE}=ours`)).toContainEqual([SESSION_COOKIE, 'ours'])
})

test.each([
  ['', []],
  [';;; ;', []],
  ['no-equals-sign; a=1', [['a', '1']]],
  ['=no name', [['', 'no name']]],
  [
    ' \t a\t =  1 \t; b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  ['__proto__=1', [['__proto__', '1']]],
  [
    'a=%zz; b=\u00ff',
    [
      ['a', '%zz'],
      ['b', '\u00ff'],
    ],
  ],
])('a Cookie header %j is read as %j (RFC 6265 5.4)', (header, cookies) => {
  expect(read(header)).toEqual(cookies)
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

test('a cookie has the __Host- attributes and no Domain (RFC 6265bis 4.1.3.2, requirement 29, requirement 30, requirement 31, requirement 32)', () => {
  expect(cookie('__Host-Http-plimsoll', 'value', 600.9)).toBe(
    '__Host-Http-plimsoll=value; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Strict',
  )
})

test('a cookie is removed under the attributes that it was set with (RFC 6265 5.3)', () => {
  expect(expiredCookie('__Host-Http-plimsoll')).toBe(
    '__Host-Http-plimsoll=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict',
  )
})
