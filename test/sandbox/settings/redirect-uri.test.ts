import { describe, expect, test } from 'vitest'
import {
  isUnprotected,
  LONGEST_REDIRECT_URI,
  readRedirectUris,
} from '../../../src/sandbox/settings/redirect-uri.ts'

const DEFAULT = { redirscheme: 'https_or_loopback', redircount: 'one' } as const
const isTaken = (uri: string, choices: Parameters<typeof readRedirectUris>[1] = DEFAULT) =>
  'uris' in readRedirectUris(uri, choices)

test.each([
  'https://app.example/callback',
  'https://app.example',
  'https://app.example:8443/a?b=c&d=%20e',
  'HTTPS://App.Example/Callback',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://127.8.9.1:1/',
  'http://[::1]:3000/callback',
  `https://a.example/${'x'.repeat(LONGEST_REDIRECT_URI - 18)}`,
])('%s can be registered, and is not changed (check 38, check 39, RFC 6749 3.1.2)', (uri) => {
  expect(readRedirectUris(` ${uri}\n`, DEFAULT)).toEqual({ uris: [uri] })
})

test.each([
  '',
  ' \r\n ',
  '/callback',
  'callback',
  '//app.example/callback',
  '?code',
  'app.example/callback',
  'https:callback',
  'https:/callback',
  'https://',
  'https://?x',
  'https://:443/',
])('the relative or unfinished %j cannot be registered (S23, check 38, RFC 6749 3.1.2)', (uri) => {
  expect(isTaken(uri)).toBe(false)
})

test.each(['https://app.example/callback#', 'https://app.example/#top', 'https://app.example#/?a=b'])(
  '%s has a fragment and cannot be registered (S23, check 38, RFC 6749 3.1.2)',
  (uri) => {
    expect(readRedirectUris(uri, DEFAULT)).toEqual({ error: expect.stringContaining('fragment') })
  },
)

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://app.example/',
  'com.example.app:/callback',
  'https://user@app.example/',
  'https://user:secret@app.example/',
  'https://good.example\\@evil.example/',
  'https://app.example/ b',
  'https://app.example/\u0000',
  'https://app.example/%zz',
  'https://app.example/ä',
  'https://app.example/"><script>',
  "https://a;script-src'/",
  'https://a,b/',
  'https://a*b/',
  `https://a.example/${'x'.repeat(LONGEST_REDIRECT_URI)}`,
])('%j cannot be registered (check 38, RFC 3986 2)', (uri) => {
  expect(isTaken(uri)).toBe(false)
})

const ANYWHERE = 'http://app.example/callback'
const HERE = 'http://localhost:3000/callback'
test.each([
  ['https_or_loopback', { anywhere: false, here: true }],
  ['any_http', { anywhere: true, here: true }],
  ['https_only', { anywhere: false, here: false }],
] as const)(
  'with %s, http is accepted %o (U16, check 39, RFC 9700 2.6)',
  (redirscheme, { anywhere, here }) => {
    const choices = { ...DEFAULT, redirscheme }
    expect([isTaken(ANYWHERE, choices), isTaken(HERE, choices)]).toEqual([anywhere, here])
    expect(isTaken('https://app.example/callback', choices)).toBe(true)
  },
)

test.each(['http://localhost.evil.example/', 'http://127.0.0.1.evil.example/', 'http://0.0.0.0/'])(
  '%s is not this machine (check 39, RFC 8252 7.3)',
  (uri) => {
    expect(isTaken(uri)).toBe(false)
  },
)

describe('how many an application may have', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `https://app.example/${at}`).join('\r\n')

  test('is one, in the singular of the document (U17, 5.2)', () => {
    expect([isTaken(lines(1)), isTaken(lines(2))]).toEqual([true, false])
  })

  test('is several if chosen, each checked and none repeated (U17, 5.2)', () => {
    const choices = { ...DEFAULT, redircount: 'several' } as const
    expect(readRedirectUris(lines(2), choices)).toEqual({
      uris: ['https://app.example/0', 'https://app.example/1'],
    })
    expect([isTaken(lines(10), choices), isTaken(lines(11), choices)]).toEqual([true, false])
    expect(isTaken(`${lines(2)}\n${ANYWHERE}`, choices)).toBe(false)
    expect(isTaken(`${lines(1)}\n${lines(1)}`, choices)).toBe(false)
  })
})

test('http gets a warning, and https does not (check 39, RFC 9700 2.6)', () => {
  expect([HERE, 'HTTP://localhost', 'https://app.example'].map(isUnprotected)).toEqual([true, true, false])
})
