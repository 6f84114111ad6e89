import { expect, test } from 'vitest'
import { bodyLimit } from '../../../src/sandbox/http/body-limit.ts'
import { createRouter } from '../../../src/sandbox/http/router.ts'

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
