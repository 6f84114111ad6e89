import { expect, test } from 'vitest'
import { areRefusedBySafari, choicesCookieName, plainCookiePrefix } from '../../src/contract/cookie-name.ts'
import { hostNameOf, isLoopbackName, parseHost } from '../../src/contract/host.ts'

test.each([
  ['localhost', { name: 'localhost' }],
  ['localhost:3000', { name: 'localhost', port: '3000' }],
  ['LocalHost.:80', { name: 'localhost', port: '80' }],
  ['Plimsoll.Example.COM', { name: 'plimsoll.example.com' }],
  ['plimsoll_1', { name: 'plimsoll_1' }],
  ['10.0.0.5:9464', { name: '10.0.0.5', port: '9464' }],
  ['[::1]', { name: '[::1]' }],
  ['[0:0::1]:4000', { name: '[::1]', port: '4000' }],
  ['[FD00::0:1]', { name: '[fd00::1]' }],
])('the host %j is read as %j (RFC 9110 7.2)', (text, host) => {
  expect(parseHost(text)).toEqual(host)
})

test.each([
  '',
  ' ',
  '.',
  'a..b',
  'localhost..',
  'localhost, localhost',
  'localhost,evil.example',
  'localhost evil.example',
  'localhost:',
  'localhost:port',
  'localhost:123456',
  'localhost/path',
  'user@localhost',
  'evil.example@localhost',
  'http://localhost',
  '[::1',
  '::1',
  '[1:2]',
  '[localhost]',
  '[::1].',
  'löcalhost',
  'local\u0000host',
])('%j is no host (RFC 9110 7.2)', (text) => {
  expect(parseHost(text)).toBeUndefined()
})

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.255.1.9', true],
  ['[::1]', true],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['evil127.0.0.1', false],
  ['evil.localhost.example', false],
  ['app.localhost', false],
  ['0.0.0.0', false],
  ['2130706433', false],
  ['0x7f.1', false],
  ['128.0.0.1', false],
  ['[::ffff:127.0.0.1]', false],
  ['[::]', false],
])('%s is a name of this machine: %s (RFC 6761 6.3)', (name, isOurs) => {
  expect(isLoopbackName(name)).toBe(isOurs)
})

test.each([
  ['plimsoll.internal.', 'plimsoll.internal'],
  ['10.0.0.5', '10.0.0.5'],
  ['::1', '[::1]'],
  ['fd00::0:5', '[fd00::5]'],
  ['[fd00::5]', '[fd00::5]'],
  ['plimsoll.internal:9464', undefined],
  ['[fd00::5]:9464', undefined],
  ['https://plimsoll.internal', undefined],
  ['*.internal', undefined],
  ['', undefined],
])('the address %j has the host name %s', (address, name) => {
  expect(hostNameOf(address)).toBe(name)
})

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
