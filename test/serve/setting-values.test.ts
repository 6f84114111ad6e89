import { expect, test } from 'vitest'
import { oneOf, parseHeaderName, parseHost, parseOrigin, portUpTo } from '../../src/serve/setting-values.ts'

test('a port has its own upper bound', () => {
  expect(portUpTo(10)('10')).toBe(10)
  for (const text of ['11', '0', '-1', '1.0', '0x1', '']) expect(() => portUpTo(10)(text)).toThrow('1 to 10')
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
  expect(() => parseHeaderName(name)).toThrow('free for it')
})
