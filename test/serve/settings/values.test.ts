import { expect, test } from 'vitest'
import {
  isLoopback,
  numberUpTo,
  oneOf,
  parseHeaderName,
  parseHost,
  parseOrigin,
  portUpTo,
} from '../../../src/serve/settings/values.ts'

test('a port has its own upper bound', () => {
  expect(portUpTo(10)('10')).toBe(10)
  for (const text of ['11', '0', '-1', '1.0', '0x1', '']) expect(() => portUpTo(10)(text)).toThrow('1 to 10')
})

test('a number begins at 0', () => {
  expect([numberUpTo(10)('0'), numberUpTo(10)('10')]).toEqual([0, 10])
  for (const text of ['11', '-1', '1.5', '']) expect(() => numberUpTo(10)(text)).toThrow('from 0 to 10')
})

test.each([
  ['http://localhost:3000', true],
  ['http://app.localhost', true],
  ['https://127.8.9.1', true],
  ['http://[::1]:80', true],
  ['https://localhost.example', false],
  ['https://128.0.0.1', false],
])('%s is an address of this machine: %s (RFC 6761 6.3)', (url, expected) => {
  expect(isLoopback(url)).toBe(expected)
})

test('a word is taken in its own spelling only', () => {
  expect(oneOf('a', 'b')('b')).toBe('b')
  expect(() => oneOf('a', 'b')('B')).toThrow('one of a, b')
})

test('an origin loses its slash and has no path', () => {
  expect(parseOrigin('https://app.example:443/')).toBe('https://app.example')
  expect(() => parseOrigin('https://app.example/x')).toThrow('without a path')
})

test('a host is a name or an address', () => {
  expect(parseHost('::1')).toBe('::1')
  expect(() => parseHost('a/b')).toThrow('address or a name')
})

test.each(['X-Key', 'api_key'])('%s can carry the API key (5.1.5)', (name) => {
  expect(parseHeaderName(name)).toBe(name)
})

test.each(['Authorization', 'content-type', 'X Key', ''])('%j cannot carry the API key (5.1.5)', (name) => {
  expect(() => parseHeaderName(name)).toThrow('free for the key')
})
