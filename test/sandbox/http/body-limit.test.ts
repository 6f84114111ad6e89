import { expect, test } from 'vitest'
import { bodyLimit } from '../../../src/sandbox/http/body-limit.ts'
import { LARGEST_BODY_BYTES } from '../../../src/sandbox/http/form.ts'
import { createRouter } from '../../../src/sandbox/http/router.ts'
import { open } from '../../kit/sandbox.ts'

const MEGABYTE = 1024 * 1024
const answer = createRouter({
  routes: {},
  otherwise: [
    bodyLimit(10, (error, { Connection = 'keep-alive' }) => new Error(`${error}, connection: ${Connection}`)),
    (c) => c.body(`read: ${c.req.text()}`),
  ],
  onError: ({ message }, c) => c.body(message, 400),
})

const send = async (body: BodyInit | null, headers: Record<string, string> = {}, method = 'POST') =>
  (
    await answer(new Request('http://localhost/', { method, body, headers, duplex: 'half' } as RequestInit))
  ).text()
const stream = (...sizes: number[]) =>
  new ReadableStream({
    pull(controller) {
      const size = sizes.shift()
      if (size === undefined) controller.close()
      else controller.enqueue(new Uint8Array(size).fill(120))
    },
  })

test('a body up to the limit is read, in any number of pieces', async () => {
  expect(await send('x'.repeat(10))).toBe('read: xxxxxxxxxx')
  expect(await send(stream(5, 0, 5))).toBe('read: xxxxxxxxxx')
  expect(await send(null)).toBe('read: ')
  expect(await send(null, {}, 'DELETE')).toBe('read: ')
})

test('a larger body is refused, and read to its end up to a megabyte more', async () => {
  const refused = 'too_large, connection: keep-alive'
  expect(await send('x'.repeat(11))).toBe(refused)
  expect(await send(stream(5, 6))).toBe(refused)
  expect(await send(stream(10, MEGABYTE))).toBe(refused)
})

test('an even larger body is not read to its end, and the connection is closed (RFC 9112 9.3)', async () => {
  const refused = 'too_large, connection: close'
  expect(await send(stream(10, MEGABYTE, 1))).toBe(refused)
  expect(await send('x', { 'Content-Length': String(MEGABYTE + 10) })).toBe(refused)
})

test('a body that breaks off is refused', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  expect(await send(broken)).toBe('incomplete, connection: close')
})

test('the media type is compared without case and character set (RFC 9110 8.3.1)', async () => {
  const { post } = open()
  for (const type of [
    'application/x-www-form-urlencoded; charset=UTF-8',
    'Application/X-WWW-Form-URLEncoded',
  ])
    expect((await post('/projects', { person_id: 'ada' }, { 'Content-Type': type })).status).toBe(303)
  for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded2'])
    expect((await post('/projects', { person_id: 'ada' }, { 'Content-Type': type })).status).toBe(415)
})

test('a form of 16 kB is read, a larger one is refused as a page (RFC 9110 15.5.14)', async () => {
  const { post } = open()
  const fields = (bytes: number) => 'person_id=ada&x='.padEnd(bytes, 'x')
  expect((await post('/projects', fields(LARGEST_BODY_BYTES))).status).toBe(303)
  const refused = await post('/projects', fields(LARGEST_BODY_BYTES + 1))
  expect([refused.status, refused.headers.get('Content-Type')]).toEqual([413, 'text/html; charset=UTF-8'])
})

test.each([
  ['of another site', { Origin: 'https://evil.example' }, 403],
  ['of the same host on another port', { Origin: 'http://127.0.0.1:4001' }, 403],
  ['of no address', { Origin: 'evil' }, 403],
  ['of another site by Sec-Fetch-Site', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['of the sandbox', { Origin: 'http://127.0.0.1:4000' }, 303],
  ['of the sandbox behind TLS', { Origin: 'https://127.0.0.1:4000' }, 303],
  ['of a page without referrer', { Origin: 'null' }, 303],
  ['of no browser', {}, 303],
])('a sign-in from a page %s: %o answers %i (RFC 6749 10.12)', async (_, headers, status) => {
  const { post, sandbox } = open()
  const answer = await post('/projects', { person_id: 'ada' }, headers)
  expect(answer.status).toBe(status)
  expect(Object.keys(sandbox.snapshot().sign_ins)).toHaveLength(status === 303 ? 1 : 0)
})
