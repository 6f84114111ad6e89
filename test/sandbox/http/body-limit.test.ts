import { expect, test } from 'vitest'
import { open } from '../../kit/sandbox.ts'

const LARGEST_BODY_BYTES = 16 * 1024

/** In pieces, without a Content-Length. */
const stream = (...sizes: number[]) =>
  new ReadableStream({
    pull(controller) {
      const size = sizes.shift()
      if (size === undefined) controller.close()
      else controller.enqueue(new Uint8Array(size).fill(120))
    },
  })

test('a body is read in any number of pieces, and one that is too large is refused', async () => {
  const { send, key } = open({ choices: { resources: 'echo' } })
  const post = (body: BodyInit) =>
    send('/_choice/echo', { method: 'POST', headers: key(2002), body, duplex: 'half' } as RequestInit)
  expect(await (await post(stream(5, 0, 5))).json()).toMatchObject({ echo: 'xxxxxxxxxx' })
  expect((await post(stream(LARGEST_BODY_BYTES))).status).toBe(200)
  const refused = await post(stream(LARGEST_BODY_BYTES, 1))
  expect([refused.status, refused.headers.get('Connection')]).toEqual([413, null])
  const huge = await post(stream(LARGEST_BODY_BYTES, 1024 * 1024, 1))
  expect([huge.status, huge.headers.get('Connection')]).toEqual([413, 'close'])
})

test('a body that breaks off is refused', async () => {
  const { send, key } = open({ choices: { resources: 'echo' } })
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  const init = { method: 'POST', headers: key(2002), body, duplex: 'half' } as RequestInit
  expect((await send('/_choice/echo', init)).status).toBe(400)
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
