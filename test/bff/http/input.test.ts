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
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        taken.pieces += 1
        if (taken.pieces > pieces) controller.close()
        else controller.enqueue(piece)
      },
      cancel: () => {
        taken.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, taken }
}

test.each([
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json ; x=y',
])('%s is JSON (RFC 8259 11)', async (type) => {
  expect(await readJson(post('{"code":"c"}', { 'Content-Type': type }))).toEqual({ code: 'c' })
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain; application/json',
  'application/json, text/plain',
  '',
])('%j is no media type of JSON, and is refused (RFC 9110 15.5.16)', async (type) => {
  await expect(readJson(post('{"code":"c"}', { 'Content-Type': type }))).rejects.toEqual(
    problem('unsupported_media_type'),
  )
})

test('no Content-Type is refused too (RFC 9110 15.5.16)', async () => {
  const bare = new Request('http://localhost:3000/', { method: 'POST', body: new Uint8Array([123, 125]) })
  await expect(readJson(bare)).rejects.toEqual(problem('unsupported_media_type'))
})

test('two megabytes by their Content-Length are refused unread (RFC 9110 15.5.14)', async () => {
  const { stream, taken } = dripping(2048, new Uint8Array(1024))
  const length = { 'Content-Length': String(2 * 1024 * 1024) }
  await expect(readJson(post(stream, length))).rejects.toEqual(problem('too_large'))
  expect(taken.pieces).toBe(0)
})

test.each([{}, { 'Content-Length': '2' }, { 'Content-Length': 'few' }])(
  'two megabytes without a length are refused after sixteen kilobytes: %j (RFC 9110 15.5.14)',
  async (headers) => {
    const { stream, taken } = dripping(2048, new Uint8Array(1024))
    await expect(readJson(post(stream, headers))).rejects.toEqual(problem('too_large'))
    expect(taken).toEqual({ pieces: 17, cancelled: true })
  },
)

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
  await expect(readJson(post(body))).rejects.toMatchObject({
    code: 'invalid_request',
    fault: 'body_not_json',
  })
})

test('a byte order mark is ignored (RFC 8259 8.1)', async () => {
  expect(await readJson(post('\uFEFF{"code":"c"}'))).toEqual({ code: 'c' })
})

test('a character that is split between two chunks is read whole (RFC 8259 8.1)', async () => {
  const torn = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of new TextEncoder().encode('"☃"')) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  expect(await readJson(post(torn))).toBe('☃')
})

test('an incomplete body is an invalid request, and no internal error (RFC 9112 8)', async () => {
  const cause = new Error('socket hang up')
  const broken = new ReadableStream({ start: (controller) => controller.error(cause) })
  await expect(readJson(post(broken))).rejects.toMatchObject({
    code: 'invalid_request',
    fault: 'body_incomplete',
    cause,
  })
})

test('eight thousand brackets are an invalid request, without a stack overflow (RFC 8259 9)', async () => {
  const deep = await readJson(post('['.repeat(8000) + ']'.repeat(8000)))
  expect(() => parseBody(LOGIN, deep)).toThrow(problem('invalid_request'))
  const object = await readJson(post('{"a":'.repeat(2000) + '1' + '}'.repeat(2000)))
  expect(() => parseBody(LOGIN, object)).toThrow(problem('invalid_request'))
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
