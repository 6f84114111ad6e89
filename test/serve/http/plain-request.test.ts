import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { inboundOf, isPlain } from '../../../src/serve/http/plain-request.ts'

const incoming = (more: object = {}, headers: object = {}) =>
  ({
    method: 'GET',
    url: '/bff/session',
    headers: { host: 'localhost:3000', ...headers },
    ...more,
  }) as IncomingMessage

test.each(['/', '/bff/session', '/assets/a-b_c.1.js', '/bff/ledger?before=a%20b&x=1', '/a.b/c?'])(
  'GET %s is plain, and its address is the same however it is parsed (RFC 3986 6)',
  (url) => {
    expect([isPlain(incoming({ url })), isPlain(incoming({ method: 'HEAD', url }))]).toEqual([true, true])
    const parsed = new URL(inboundOf(incoming({ url })).url)
    expect(parsed.pathname + (url.includes('?') ? parsed.search || '?' : '')).toBe(url)
  },
)

test.each([
  ['another method', { method: 'POST' }, {}],
  ['a length', {}, { 'content-length': '0' }],
  ['a body in chunks', {}, { 'transfer-encoding': 'chunked' }],
  ['no host', {}, { host: undefined }],
  ['a host that is none', {}, { host: 'a b' }],
  ['a host that a parser changes', {}, { host: 'LOCALHOST:80' }],
  ['a host that no parser takes', {}, { host: '1.2.3.999' }],
  ['an address with its scheme', { url: 'http://localhost:3000/' }, {}],
  ['no path', { url: '*' }, {}],
  ['dots that lead up', { url: '/assets/../bff' }, {}],
  ['a dot alone', { url: '/./bff' }, {}],
  ['two slashes', { url: '//example.com/' }, {}],
  ['two slashes later', { url: '/a//b' }, {}],
  ['an escape in its path', { url: '/bff/se%73sion' }, {}],
  ['a backslash', { url: '/a\\b' }, {}],
  ['a fragment', { url: '/#a' }, {}],
  ['a letter that is not ASCII', { url: '/é' }, {}],
])('a request with %s is not plain (RFC 9112 3.2)', (_, more, headers) => {
  expect(isPlain(incoming(more, headers))).toBe(false)
})

test.each([
  ['up to the limit', 'POST', { 'content-length': '10' }, true],
  ['of no byte', 'POST', { 'content-length': '0' }, true],
  ['beyond the limit', 'POST', { 'content-length': '11' }, false],
  ['of unknown length', 'POST', {}, false],
  ['in chunks', 'POST', { 'transfer-encoding': 'chunked' }, false],
  ['of a GET', 'GET', { 'content-length': '1' }, false],
  ['of a PUT', 'PUT', { 'content-length': '1' }, false],
])('if short bodies are plain, a body %s is or is not: %s', (_, method, headers, expected) => {
  expect(isPlain(incoming({ method }, headers), 10)).toBe(expected)
})

const withBody = (stream: Readable) =>
  inboundOf(Object.assign(stream, incoming({ method: 'POST' }, { 'content-length': '4' })))

test('the pieces of a short body are one, and it is read when it is asked for', async () => {
  const pieces = []
  for await (const piece of withBody(Readable.from([Buffer.from('ab'), Buffer.from('cd')])).body ?? [])
    pieces.push(Buffer.from(piece).toString())
  expect(pieces).toEqual(['abcd'])
})

test('a short body that breaks off is an error', async () => {
  const stream = new Readable({ read: () => {} })
  const { body } = withBody(stream)
  setImmediate(() => stream.destroy(new Error('gone')))
  await expect(body?.[Symbol.asyncIterator]().next()).rejects.toThrow('gone')
})
