import { expect, test } from 'vitest'
import { areRefusedBySafari, choicesCookieName, plainCookiePrefix } from '../../src/contract/cookie-name.ts'

test.each([
  ['http://localhost:3000', 'plimsoll-http-3000'],
  ['http://127.0.0.1:3000', 'plimsoll-http-3000'],
  ['http://localhost', 'plimsoll-http-80'],
  ['http://127.0.0.1', 'plimsoll-http-80'],
])('at %s the names begin with %s, for the port is not part of a cookie (RFC 6265 8.5)', (origin, prefix) => {
  expect(plainCookiePrefix(origin)).toBe(prefix)
  expect(choicesCookieName(origin)).toBe(`${prefix}-choices`)
})

test.each([
  'https://localhost:3000',
  'https://127.0.0.1',
  'https://plimsoll.example.com',
  'http://[::1]:3000',
  'http://127.0.0.2',
  'http://127.0.0.11:3000',
  'http://app.localhost:3000',
  'http://localhost.example',
  'http://localhost.:3000',
  'http://example/http://localhost',
])('at %s the cookies are Secure and have the prefix (RFC 6265bis 4.1.3)', (origin) => {
  expect(plainCookiePrefix(origin)).toBeUndefined()
  expect(choicesCookieName(origin)).toBe('__Host-plimsoll-choices')
})

test.each([
  ['http://[::1]:3000', true],
  ['http://app.localhost:3000', true],
  ['http://localhost:3000', false],
  ['http://127.0.0.1', false],
  ['https://localhost:3000', false],
])('that Safari stores no cookie of %s: %s (RFC 6265 5.4)', (origin, refuses) => {
  expect(areRefusedBySafari(origin)).toBe(refuses)
})
