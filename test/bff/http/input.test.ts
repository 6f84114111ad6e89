import { expect, test } from 'vitest'
import { LOGIN, parseBody } from '../../../src/bff/http/bodies.ts'
import { readJson, queryParameters } from '../../../src/bff/http/input.ts'
import { APP } from '../../kit/app.ts'

const problem = (code: string) => expect.objectContaining({ code })

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
    duplex: 'half',
  }
  return new Request('http://localhost:3000/bff/session', init)
}

/** A body that comes in pieces and counts how many of them were read. */
function dripping(pieces: number, piece: Uint8Array) {
  const taken = { pieces: 0, cancelled: false }
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    taken.pieces += 1
    if (taken.pieces > pieces) controller.close()
    else controller.enqueue(piece)
  }
  const cancel = () => void (taken.cancelled = true)
  return { stream: new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), taken }
}

const inPieces = (text: string) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of new TextEncoder().encode(text)) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })

test.each([
  ['application/json', true],
  ['Application/JSON', true],
  ['application/json;charset=utf-8', true],
  ['application/json ; x=y', true],
  ['text/plain', false],
  ['application/x-www-form-urlencoded', false],
  ['multipart/form-data; boundary=x', false],
  ['text/plain; application/json', false],
  ['application/json, text/plain', false],
  ['', false],
  [undefined, false],
])('%j is a media type of JSON: %s (RFC 8259 11, RFC 9110 15.5.16)', async (type, isJson) => {
  const request = post('{"code":"c"}', type === undefined ? {} : { 'Content-Type': type })
  if (type === undefined) request.headers.delete('Content-Type')
  const read = readJson(request).catch(({ code }) => code)
  expect(await read).toEqual(isJson ? { code: 'c' } : 'unsupported_media_type')
})

const READ = { pieces: 17, cancelled: true }
test.each([
  [{ 'Content-Length': String(2 * 1024 * 1024) }, { pieces: 0, cancelled: false }],
  [{}, READ],
  [{ 'Content-Length': '2' }, READ],
  [{ 'Content-Length': 'few' }, READ],
])('two megabytes with %j are refused, read: %j (RFC 9110 15.5.14)', async (...row) => {
  const { stream, taken } = dripping(2048, new Uint8Array(1024))
  await expect(readJson(post(stream, { ...row[0] }))).rejects.toEqual(problem('too_large'))
  expect(taken).toEqual(row[1])
})

test('a body of 16 384 bytes is read, one more is not (RFC 9110 15.5.14)', async () => {
  const text = JSON.stringify('x'.repeat(16_382))
  expect(await readJson(post(text))).toHaveLength(16_382)
  expect(await readJson(post(text, { 'Content-Length': '16384' }))).toHaveLength(16_382)
  await expect(readJson(post(`${text} `))).rejects.toEqual(problem('too_large'))
})

test.each([
  ['nothing', null],
  ['half an object', '{"code":'],
  ['two values', '{}{}'],
  ['a trailing comma', '{"code":"c",}'],
  ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ['an overlong letter', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
  ['half a letter', new Uint8Array([0x22, 0xe2, 0x98])],
])('%s is not JSON (RFC 8259 8.1)', async (_, body) => {
  const fault = 'body_not_json'
  await expect(readJson(post(body))).rejects.toMatchObject({ code: 'invalid_request', fault })
})

test.each([
  ['after a byte order mark', '\uFEFF"c"', 'c'],
  ['whose letter comes in pieces', inPieces('"☃"'), '☃'],
])('JSON %s is read whole (RFC 8259 8.1)', async (_, body, value) => {
  expect(await readJson(post(body))).toBe(value)
})

test('an incomplete body is an invalid request, and no internal error (RFC 9112 8)', async () => {
  const cause = new Error('socket hang up')
  const broken = new ReadableStream({ start: (controller) => controller.error(cause) })
  const problem = { code: 'invalid_request', fault: 'body_incomplete', cause }
  await expect(readJson(post(broken))).rejects.toMatchObject(problem)
})

test('eight thousand brackets are an invalid request, without a stack overflow (RFC 8259 9)', async () => {
  for (const deep of ['['.repeat(8000) + ']'.repeat(8000), '{"a":'.repeat(2000) + '1' + '}'.repeat(2000)]) {
    const body = await readJson(post(deep))
    expect(() => parseBody(LOGIN, body)).toThrow(problem('invalid_request'))
  }
})

const read = (query: string) => queryParameters(new Request(`${APP}/bff/ledger${query}`), ['next', 'kind'])

test.each([
  ['', {}],
  ['?', {}],
  ['?next=a', { next: 'a' }],
  ['?next=', { next: '' }],
  ['?kind=b%26c&next=%C3%A4+d', { kind: 'b&c', next: 'ä d' }],
])('%j has the parameters %j (RFC 3986 3.4)', (query, expected) => {
  expect(read(query)).toEqual(expected)
})

test.each([
  ['?other=1', 'unknown_parameter', ['next', 'kind']],
  ['?next=a&Next=b', 'unknown_parameter', ['next', 'kind']],
  ['?=a', 'unknown_parameter', ['next', 'kind']],
  ['?next=a&next=a', 'repeated_parameter', undefined],
  ['?next=a&kind=b&n%65xt=c', 'repeated_parameter', undefined],
])('%j is refused: %s (RFC 3986 3.4)', (query, fault, known) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ code: 'invalid_request', fault, known }))
})

test('a route without parameters takes none (RFC 3986 3.4)', () => {
  expect(queryParameters(new Request(`${APP}/bff/ledger/days`))).toEqual({})
  expect(() => queryParameters(new Request(`${APP}/bff/ledger/days?a`))).toThrow(
    expect.objectContaining({ code: 'invalid_request', fault: 'unknown_parameter', known: [] }),
  )
})
