import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { closeServer, type Fetch, LIMITS, listen } from '../../../src/serve/http/listener.ts'
import { closeAll, connectionsOf, dial, listenAnywhere } from '../_sockets.ts'

const settings = { portSetting: 'THE_PORT', hostSetting: 'THE_HOST' }
const answer = () => new Response('here')
afterEach(closeAll)
const open = (fetch: Fetch = answer, limits = LIMITS) => listenAnywhere(fetch, limits)

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n'

test('a body is an error at once if its connection is cut before the handler reads it', async () => {
  const ends: string[] = []
  const { server, port } = await open(async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    await request.text().then(
      () => ends.push('read'),
      () => ends.push('error'),
    )
    return answer()
  })
  const { socket } = dial(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab')
  server.once('request', () => socket.resetAndDestroy())
  await expect.poll(() => ends).toEqual(['error'])
})

test('connections that cannot be accepted, as without a free descriptor, do not end the server', async () => {
  const { server, port } = await open()
  for (let times = 0; times < 2; times += 1) server.emit('error', new Error('accept EMFILE'))
  expect(await dial(port, `${GET}Connection: close\r\n\r\n`).closed).toContain('here')
})

test('a header that is there twice is read as one (RFC 9110 5.3)', async () => {
  const { port } = await open(({ headers }) => new Response(headers.get('Authorization')))
  const twice = 'Host: a\r\nAuthorization: one\r\nAuthorization: two\r\nConnection: close\r\n\r\n'
  expect(await dial(port, `GET / HTTP/1.1\r\n${twice}`).closed).toContain('one, two')
})

test.each(['192.0.2.1', 'no-such-name.invalid', '1.2.3.4.5'])(
  'the host %s is not on this machine: the setting of the host is named, and its value is not',
  async (host) => {
    const opening = listen(answer, { port: 0, host, ...settings })
    await expect(opening).rejects.toThrow(
      /^THE_HOST is not an address of this machine \(E\w+\)\. Choose another one\.$/,
    )
  },
)

describe('a connection that takes too long is closed (attack 71)', () => {
  const SHORT = { headersMs: 200, requestMs: 400, silentMs: 600, keepAliveMs: 200, checkMs: 50 }
  const POST = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf'
  const read: Fetch = async (request) => new Response(await request.text())

  test.each([
    ['without a byte', '', /^HTTP\/1.1 408 /],
    ['with half of the headers', GET, /^HTTP\/1.1 408 /],
    ['with half of the body', POST, /^HTTP\/1.1 408 /],
    ['after an answer', `${GET}\r\n`, /^HTTP\/1.1 200 [^]*here$/],
  ])('%s', async (_, bytes, expected) => {
    const { port } = await open(bytes === POST ? read : answer, SHORT)
    expect(await dial(port, bytes).closed).toMatch(expected)
  })

  test('headers that come byte by byte end it after the same time', async () => {
    const { port } = await open(answer, SHORT)
    const { socket, closed } = dial(port, GET)
    const drip = setInterval(() => socket.write('x'), 20)
    expect(await closed).toMatch(/^HTTP\/1.1 408 /)
    clearInterval(drip)
  })

  test('an answer that does not come, or is not read, ends it', async () => {
    const endless = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536)) })
    const { server, port } = await open(
      (request) => (request.url.endsWith('/none') ? new Promise(() => {}) : new Response(endless)),
      SHORT,
    )
    const connected = () => connectionsOf(server)
    const unread = connect(port, '127.0.0.1').on('error', () => {})
    unread.write(`${GET}\r\n`)
    await expect.poll(connected).toBe(1)
    await expect.poll(connected).toBe(0)
    expect(await dial(port, 'GET /none HTTP/1.1\r\nHost: a\r\n\r\n').closed).toBe('')
  })

  test('a comment now and then keeps it open', async () => {
    const events = new ReadableStream({
      async start(to) {
        for (let sent = 0; sent < 10; sent += 1) {
          to.enqueue(new TextEncoder().encode(':\n\n'))
          await new Promise((resolve) => setTimeout(resolve, 150))
        }
        to.close()
      },
    })
    const { port } = await open(() => new Response(events), SHORT)
    const { closed } = dial(port, `${GET}Connection: close\r\n\r\n`)
    expect((await closed).match(/:\n\n/g)).toHaveLength(10)
  })
})

test('a request has under a minute, and an idle connection more, as a balancer expects (attack 71)', () => {
  const { headersMs, requestMs, silentMs, keepAliveMs, checkMs } = LIMITS
  for (const limit of [headersMs, requestMs]) expect(limit + checkMs).toBeLessThan(60_000)
  expect(keepAliveMs).toBeGreaterThan(60_000)
  expect([silentMs > 2 * 24_000, silentMs < 60_000]).toEqual([true, true])
})

test.each([
  ['headers of 64 kB', `${GET}X-Long: ${'x'.repeat(65_536)}\r\n\r\n`, 431],
  ['what is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', 400],
])('%s are refused, and the connection is closed (RFC 6585 5)', async (_, bytes, status) => {
  const { port } = await open()
  expect(await dial(port, bytes).closed).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

describe('a stop', () => {
  test('finishes the request that runs, and closes its connection with the answer (RFC 9112 9.6)', async () => {
    let finish: (response: Response) => void = () => {}
    const { server, port } = await open(() => new Promise((resolve) => (finish = resolve)))
    const { closed } = dial(port, `${GET}\r\n`)
    await expect.poll(() => finish.length).toBe(1)
    const stopped = closeServer(server, 20_000)
    await expect.poll(() => server.listening).toBe(false)
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
    finish(new Response('late'))
    expect(await closed).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*connection: close\r\n[^]*late$/i)
    await stopped
  })

  test('answers a request that comes a moment later, on a new connection and on one that was used', async () => {
    const { server, port } = await open()
    const used = dial(port, `${GET}\r\n`)
    await expect.poll(used.text).toMatch(/here$/)
    const stopped = closeServer(server, 60_000)
    // It may still wait in the queue of the listening socket.
    const fresh = dial(port, '')
    await expect.poll(() => server.listening).toBe(false)
    for (const { socket } of [used, fresh]) socket.write(`${GET}\r\n`)
    for (const { closed } of [used, fresh]) expect(await closed).toMatch(/connection: close\r\n[^]*here$/i)
    await stopped
  })

  test('waits a moment for a connection without a request, whatever it has sent', async () => {
    const { server, port } = await open()
    const silent = dial(port, '')
    const half = dial(port, GET)
    const answered = dial(port, `${GET}\r\n`)
    const halfSecond = dial(port, `${GET}\r\n${GET}`)
    await expect.poll(() => answered.text() + halfSecond.text()).toMatch(/here[^]*here/)
    await closeServer(server, 60_000)
    for (const { closed } of [silent, half, answered, halfSecond]) await closed
  })

  test('cuts what runs longer than the limit', async () => {
    const { server, port } = await open(() => new Promise(() => {}))
    const { closed } = dial(port, `${GET}\r\n`)
    const connected = () => connectionsOf(server)
    await expect.poll(connected).toBe(1)
    await closeServer(server, 100)
    expect(await closed).toBe('')
  })
})

const HEAD = 'Host: a\r\nContent-Type: text/plain\r\n'
/** A server that reads the preceding message as shorter would take this as a request. */
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'

test.each([
  [
    'a length beside chunks',
    `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'chunks beside a length',
    `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  ],
  ['two lengths', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 0\r\nContent-Length: 5\r\n\r\n`],
  ['a list of lengths', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 0, 5\r\n\r\n`],
  ['a length with a sign', `POST / HTTP/1.1\r\n${HEAD}Content-Length: +5\r\n\r\n`],
  ['a length below zero', `POST / HTTP/1.1\r\n${HEAD}Content-Length: -1\r\n\r\n`],
  ['a coding that is none', `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  [
    'chunked before another coding',
    `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`,
  ],
  ['a blank before the colon', `POST / HTTP/1.1\r\n${HEAD}Content-Length : 5\r\n\r\nhello`],
  ['a folded line', `GET / HTTP/1.1\r\n${HEAD}X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n`],
  ['line ends without CR', `GET / HTTP/1.1\nHost: a\n\n`],
  ['a CR alone', `GET / HTTP/1.1\r\n${HEAD}X-A: b\rTransfer-Encoding: chunked\r\n\r\n`],
  ['a NUL in a value', `GET / HTTP/1.1\r\n${HEAD}X-A: b\0c\r\n\r\n`],
  ['a NUL in the path', `GET /\0 HTTP/1.1\r\n${HEAD}\r\n`],
  [
    'a chunk whose size is no number',
    `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nz\r\n\r\n`,
  ],
  [
    'a chunk with a folded size',
    `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n1\n\r\na\r\n0\r\n\r\n`,
  ],
])(
  'a message with %s is refused, and nothing after it is read (RFC 9112 6.3, attack 47)',
  async (_, bytes) => {
    const asked: string[] = []
    const { port } = await open(async (request) => {
      asked.push(request.url)
      return new Response(await request.text())
    })
    const text = await dial(port, bytes + SMUGGLED).closed
    expect(text).toMatch(/^HTTP\/1\.1 (400|413) /)
    expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
    expect(asked.filter((url) => url.endsWith('/smuggled'))).toEqual([])
  },
)

test('endless chunk extensions are refused; an answer names no software (RFC 9112 7.1.1)', async () => {
  const { port } = await open(async (request) => new Response(await request.text()))
  const bytes = `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(65_536)}\r\na\r\n0\r\n\r\n`
  expect(await dial(port, bytes).closed).toMatch(/^HTTP\/1\.1 (400|413) /)
  const good = await dial(port, `${GET}Connection: close\r\n\r\n`).closed
  expect(good).toMatch(/^HTTP\/1\.1 200 /)
  expect(good).not.toMatch(/\r\n(server|via|x-powered-by):|node|hono/i)
})
