import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createSilentServer,
  type Server,
  type Socket,
} from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import type { UpstreamAnswer } from '../../../src/bff/core/context.ts'
import { createUpstream } from '../../../src/bff/service/upstream.ts'
import { selfSigned } from '../../kit/certificate.ts'
import { PATIENCE_MS } from '../../kit/until.ts'
import { ConcurrencyLimit } from '../../../src/bff/limiter/concurrency-limit.ts'

const DEADLINE_MS = 250

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  for (const close of opened.splice(0)) await close()
})

/** @returns its port on this machine. The server and its connections end after the test */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

function openUpstream(options: Parameters<typeof createUpstream>[0]) {
  const upstream = createUpstream(options)
  opened.push(upstream.close)
  return upstream
}

/** A service on a port of this machine, and an upstream to it. */
async function open(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  deadlineMs = PATIENCE_MS,
) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    listener(request, response)
  })
  const upstream = openUpstream({ deadlineMs })
  const base = `http://127.0.0.1:${await listen(server)}`
  const send = (path = '/organizations', init: RequestInit = {}) =>
    upstream.send(new Request(base + path, { redirect: 'manual', ...init }))
  const connections = () => promisify(server.getConnections.bind(server))()
  return { send, seen, connections }
}

/** The error, with the names and codes that distinguish failures, and whether nothing was sent. */
async function failureOf(answer: Promise<UpstreamAnswer>) {
  const error = await answer.then(
    ({ status }) => new Error(`answered ${status}`),
    (thrown: Error) => thrown,
  )
  const codesOf = (at: unknown): string[] =>
    at instanceof Error ? [at.name, String((at as { code?: unknown }).code), ...codesOf(at.cause)] : []
  return {
    error,
    codes: codesOf(error).join(' '),
    isUnsent: (error as { isUnsent?: true }).isUnsent ?? false,
  }
}

const hang = (response: ServerResponse, head: string) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.write(head)
}

test('method, path, headers and body arrive as they were given, and no header is added (RFC 9110 9)', async () => {
  const bodies: string[] = []
  const { send, seen } = await open(async (request, response) => {
    bodies.push(await text(request))
    response.setHeader('X-RateLimit-Remaining', '7')
    response.setHeader('Set-Cookie', ['a=1', 'b=2'])
    response.writeHead(201).end('{"name":"Zoë ☃"}')
  })
  const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' }
  const response = await send('/oauth2/token?a=%20b', { method: 'POST', headers, body: '{"code":"é"}' })
  expect([seen[0]?.method, seen[0]?.url, bodies]).toEqual(['POST', '/oauth2/token?a=%20b', ['{"code":"é"}']])
  const { host: _, ...sent } = seen[0]?.headers ?? {}
  expect(sent).toEqual({
    authorization: 'Bearer t',
    connection: 'keep-alive',
    'content-length': '13',
    'content-type': 'application/json',
  })
  expect([response.status, JSON.parse(await response.text())]).toEqual([201, { name: 'Zoë ☃' }])
  expect(response.headers.get('X-RateLimit-Remaining')).toBe('7')
  expect(response.headers.get('Set-Cookie')).toBe('a=1, b=2')
  expect(response.headers.get('Retry-After')).toBeNull()
})

test.each([204, 205, 301, 302, 303, 304, 307, 308, 404, 429, 500, 503])(
  'a %d is an answer with or without a body, and is not followed (RFC 9110 15, attack 46)',
  async (status) => {
    const { send, seen } = await open((_, response) => {
      response.writeHead(status, { Location: '/elsewhere' }).end('{}')
    })
    const response = await send('/organizations', { redirect: 'follow' })
    expect([response.status, response.headers.get('Location')]).toEqual([status, '/elsewhere'])
    expect(await response.text()).toBe(status < 300 || status === 304 ? '' : '{}')
    expect(seen).toHaveLength(1)
  },
)

test('a status above 599 does not exist and is not HTTP (RFC 9110 15)', async () => {
  const statuses = [599, 600]
  const { send } = await open((_, response) => response.writeHead(statuses.shift() ?? 200).end('{}'))
  expect((await send()).status).toBe(599)
  const { error, codes } = await failureOf(send())
  expect(codes).toContain('HPE_INVALID_STATUS')
  expect(error.message).toBe('the status is 600')
})

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nContent-Length: 9\r\n\r\n'

test.each([
  ['a 100', [CONTINUE]],
  ['a 103', [HINTS]],
  ['several', ['HTTP/1.1 100\r\n\r\n', HINTS + CONTINUE, 'HTTP/1.1 102 Processing\r\n\r\n']],
])('%s before an answer is passed over, together or apart (RFC 9110 15.2)', async (_, interim) => {
  let isTogether = true
  const { send, seen } = await open(async ({ socket }, response) => {
    if (isTogether) socket.cork()
    for (const one of interim) {
      socket.write(one)
      if (!isTogether) await delay(10)
    }
    response.writeHead(201, { 'X-Request': String(seen.length) }).end(`"${CONTINUE}"`)
    socket.uncork()
  })
  for (const sent of [1, 2, 3, 4]) {
    const { status, headers, text } = await send('/', sent > 2 ? { method: 'POST', body: 'a=1' } : {})
    expect([status, headers.get('X-Request'), await text()]).toEqual([201, String(sent), `"${CONTINUE}"`])
    expect(headers.get('Link')).toBeNull()
    isTogether = false
  }
})

test('a connection that is not made in time has sent nothing (RFC 9110 9.2.2)', async () => {
  // The request waits for an answer to its TLS handshake.
  const port = await listen(createSilentServer())
  const upstream = openUpstream({ connectMs: DEADLINE_MS, deadlineMs: PATIENCE_MS })
  const { codes, isUnsent } = await failureOf(upstream.send(new Request(`https://127.0.0.1:${port}/`)))
  expect(codes).toContain('UND_ERR_CONNECT_TIMEOUT')
  expect(isUnsent).toBe(true)
})

test('a request without an answer ends at the deadline (7)', async () => {
  const { send, seen } = await open(() => {}, DEADLINE_MS)
  expect((await failureOf(send())).error).toMatchObject({
    name: 'TimeoutError',
    message: 'no answer in time',
  })
  expect(seen).toHaveLength(1)
})

test('an answer in slow pieces ends at the deadline, however often a piece comes (7)', async () => {
  const { send, connections } = await open((_, response) => {
    hang(response, '[')
    const drip = setInterval(() => response.write(' '), DEADLINE_MS / 10)
    response.on('close', () => clearInterval(drip))
  }, DEADLINE_MS)
  expect((await failureOf(send())).codes).toMatch(/TIMEOUT/i)
  await expect.poll(connections).toBe(0)
})

test.each([
  ['declares', { 'Content-Length': String(1_048_577) }],
  ['does not declare', {}],
])(
  'an answer of more than a mebibyte that %s its length is not read to its end (RFC 9110 15.5.14)',
  async (_, headers) => {
    let written = 0
    const { send } = await open((_, response) => {
      response.writeHead(200, headers)
      const piece = Buffer.alloc(65_536, ' ')
      const more = () => {
        while (!response.destroyed && written < 64 * 1_048_576) {
          written += piece.length
          if (!response.write(piece)) {
            response.once('drain', more)
            return
          }
        }
        response.end()
      }
      more()
    })
    expect((await failureOf(send())).codes).toContain('UND_ERR_RES_EXCEEDED_MAX_SIZE')
    expect(written).toBeLessThan(64 * 1_048_576)
  },
)

test('an answer of a mebibyte is read, and a GET has no header of a body (RFC 9110 8.6)', async () => {
  const { send, seen } = await open((_, response) => response.end(' '.repeat(1_048_576)))
  expect(await (await send()).text()).toHaveLength(1_048_576)
  expect(Object.keys(seen[0]?.headers ?? {}).toSorted()).toEqual(['connection', 'host'])
})

test('headers without end are an error (RFC 9110 5.4)', async () => {
  const { send } = await open((_, response) => response.setHeader('X-Long', 'x'.repeat(1_048_576)).end('{}'))
  expect((await failureOf(send())).codes).toContain('UND_ERR_HEADERS_OVERFLOW')
})

test('an answer that is not HTTP has its own error (RFC 9112 2.2)', async () => {
  const { send } = await open(({ socket }) => socket.end('SSH-2.0-OpenSSH\r\n'))
  expect((await failureOf(send())).codes).toContain('HTTPParserError')
})

test.each(['127.0.0.1', 'localhost', 'no-name.invalid'])(
  'without a listener at %s nothing was sent (RFC 9110 9.2.2)',
  async (host) => {
    const port = await listen(createSilentServer())
    await opened.pop()?.()
    const { send } = openUpstream({ deadlineMs: PATIENCE_MS })
    const { codes, isUnsent } = await failureOf(send(new Request(`http://${host}:${port}/`)))
    expect(codes).toMatch(/^NoConnection NO_CONNECTION .*(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT)/)
    expect(isUnsent).toBe(true)
  },
)

test.each(['GET', 'POST'])(
  'a %s is sent once, also when the service closes the connection (RFC 9110 9.2.2)',
  async (method) => {
    const { send, seen } = await open(({ socket }) => socket.resetAndDestroy())
    const init = method === 'POST' ? { method, body: 'a=1' } : {}
    const { codes, isUnsent } = await failureOf(send('/oauth2/token', init))
    expect(codes).toMatch(/ECONNRESET|UND_ERR_SOCKET/)
    expect(isUnsent).toBe(false)
    // This is long enough for a second try to arrive.
    await delay(100)
    expect(seen).toHaveLength(1)
  },
)

test.each(['resetAndDestroy', 'destroy'] as const)(
  'an answer that ends early by %s is an error, and is not requested again (RFC 9112 8)',
  async (way) => {
    const { send, seen } = await open(({ socket }, response) => {
      hang(response, '{"half":')
      setTimeout(() => socket[way](), 20)
    })
    expect((await failureOf(send())).codes).toMatch(/ECONNRESET|UND_ERR_SOCKET|UND_ERR_ABORTED/)
    await delay(100)
    expect(seen).toHaveLength(1)
  },
)

test('a reused connection closed during a request loses only that request (RFC 9112 9.3.1)', async () => {
  let answered = 0
  const { send, seen } = await open(({ socket }, response) => {
    answered += 1
    if (answered === 2) socket.resetAndDestroy()
    else response.end('{}')
  })
  await (await send()).text()
  // The connection is free a moment after its answer.
  await delay(50)
  expect((await failureOf(send())).codes).toMatch(/ECONNRESET|UND_ERR_SOCKET/)
  expect((await send()).status).toBe(200)
  expect(seen).toHaveLength(3)
  expect(seen[1]?.socket === seen[0]?.socket).toBe(true)
})

test('after close no request waits, and nothing more is sent (RFC 9112 9.6)', async () => {
  const { send, seen, connections } = await open(() => {})
  const waiting = failureOf(send())
  await expect.poll(() => seen.length).toBe(1)
  await opened.shift()?.()
  expect((await waiting).codes).toContain('UND_ERR_DESTROYED')
  await failureOf(send())
  expect(seen).toHaveLength(1)
  await expect.poll(connections).toBe(0)
})

test('more requests than run and wait are refused as unsent, on no new connection (8.3)', async () => {
  const waiting: ServerResponse[] = []
  const server = createServer((_, response) => waiting.push(response))
  let connections = 0
  server.on('connection', () => (connections += 1))
  const base = `http://127.0.0.1:${await listen(server)}`
  const upstream = openUpstream({ concurrency: { running: 8, waiting: 4 } })
  const answers = Array.from({ length: 300 }, () => upstream.send(new Request(`${base}/oauth2/token`)))
  const codes = answers.slice(6).map(async (answer) => (await failureOf(answer)).codes)
  expect(new Set(await Promise.all(codes))).toEqual(new Set(['BusyError UPSTREAM_BUSY']))
  expect((await failureOf(answers[6] as (typeof answers)[0])).isUnsent).toBe(true)
  await expect.poll(() => waiting.length).toBe(4)
  const other = upstream.send(new Request(`${base}/organizations`))
  await expect.poll(() => waiting.length).toBe(5)
  for (let answered = 0; answered < 7; answered += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    waiting.shift()?.end('{}')
  }
  expect((await Promise.all([...answers.slice(0, 6), other])).map(({ status }) => status)).toEqual(
    Array(7).fill(200),
  )
  expect(connections).toBeLessThanOrEqual(8)
})

/** A self-signed certificate for 127.0.0.1 that nobody trusts. */
const OWN_CERTIFICATE = selfSigned('localhost', Date.now() + 86_400_000)

test.each([
  ['a certificate that no one has signed', createTlsServer, /SELF_SIGNED/],
  [
    'no TLS at all',
    (_: object, listener: () => void) => createServer(listener),
    /WRONG_VERSION_NUMBER|EPROTO/,
  ],
] as const)(
  'to a service with %s nothing is sent, encrypted or not (RFC 9110 4.3.4)',
  async (_, create, code) => {
    let asked = 0
    const server = create(OWN_CERTIFICATE, () => {
      asked += 1
    })
    const to = `https://127.0.0.1:${await listen(server)}/oauth2/token`
    const { send } = openUpstream({ deadlineMs: PATIENCE_MS })
    const { codes, isUnsent } = await failureOf(send(new Request(to)))
    expect(codes).toMatch(code)
    expect([isUnsent, asked]).toEqual([true, 0])
  },
)

function trustAll(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  // Node warns of this setting.
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
}

test('a failure of TLS after the handshake may follow the request (C4, C5)', async () => {
  let asked = 0
  const sockets: Socket[] = []
  const port = await listen(
    createTlsServer(OWN_CERTIFICATE, () => {
      asked += 1
      for (const socket of sockets) socket.write('these bytes are no record of TLS')
    }),
  )
  const gate = createSilentServer((socket) => {
    sockets.push(socket)
    socket.pipe(connect(port, '127.0.0.1').on('error', () => {})).pipe(socket)
  })
  const to = `https://127.0.0.1:${await listen(gate)}/oauth2/token`
  const { send } = openUpstream({ deadlineMs: PATIENCE_MS })
  trustAll()
  const { codes, isUnsent } = await failureOf(send(new Request(to, { method: 'POST', body: 'a=1' })))
  expect(codes).toMatch(/ERR_SSL|EPROTO|UND_ERR_SOCKET/)
  expect([isUnsent, asked]).toEqual([false, 1])
})

test('a request that gets its connection after the deadline is not sent (RFC 9110 9.2.2)', async () => {
  let asked = 0
  const service = createTlsServer(OWN_CERTIFICATE, () => {
    asked += 1
  })
  const sockets: Socket[] = []
  const gate = createSilentServer((socket) => sockets.push(socket))
  const port = await listen(service)
  const to = `https://127.0.0.1:${await listen(gate)}/oauth2/token`
  const { send } = openUpstream({ connectMs: PATIENCE_MS, deadlineMs: DEADLINE_MS })
  trustAll()
  expect((await failureOf(send(new Request(to)))).error).toMatchObject({ name: 'TimeoutError' })
  const ahead = connect(port, '127.0.0.1').on('error', () => {})
  const closed = sockets.map((socket) => once(socket.pipe(ahead).pipe(socket), 'close'))
  expect(await Promise.all(closed)).toHaveLength(1)
  expect(asked).toBe(0)
})

/** A service with TLS, and a proxy that gives this answer to CONNECT: 200 makes the tunnel, 1 closes it, 0 is none. */
async function openBehindProxy(status: number, noProxy?: string) {
  const seen: string[] = []
  const service = createTlsServer(OWN_CERTIFICATE, (_, response) => {
    response.writeContinue()
    response.end('{}')
  })
  const proxy = createServer()
  proxy.on('connect', ({ url = '' }, socket: Socket) => {
    seen.push(url)
    if (status === 1) socket.destroy()
    if (status <= 1) return
    socket.write(`HTTP/1.1 ${status} Said\r\n\r\n`)
    socket.pipe(connect(Number(url.split(':')[1]), '127.0.0.1').on('error', () => {})).pipe(socket)
  })
  const port = await listen(service)
  const httpsProxy = `http://127.0.0.1:${await listen(proxy)}`
  const upstream = openUpstream({ deadlineMs: DEADLINE_MS * 4, httpsProxy, ...(noProxy && { noProxy }) })
  trustAll()
  const send = () => upstream.send(new Request(`https://127.0.0.1:${port}/organizations`))
  return { send, seen, upstream, service: `127.0.0.1:${port}` }
}

test('HTTPS_PROXY makes a tunnel to the service, and plain http to this machine none (settings)', async () => {
  const { send, seen, service, upstream } = await openBehindProxy(200)
  expect((await send()).status).toBe(200)
  expect(seen).toEqual([service])
  const port = await listen(createServer((_, response) => response.end('{}')))
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1')
  expect((await upstream.send(new Request(`http://127.0.0.1:${port}/`))).status).toBe(200)
  expect(seen).toHaveLength(1)
})

test('a host of NO_PROXY is asked without the proxy (settings)', async () => {
  const { send, seen } = await openBehindProxy(200, 'example.com,127.0.0.1')
  expect([(await send()).status, seen]).toEqual([200, []])
})

test.each([
  ['answers 403', 403, /^NoConnection/],
  ['answers 407', 407, /^NoConnection/],
  ['answers 502', 502, /^NoConnection/],
  ['closes the connection', 1, /^NoConnection/],
  ['does not answer', 0, /^TimeoutError/],
  ['reaches a service whose certificate no one has signed', 200, /SELF_SIGNED/],
])('where the proxy %s the code shows it (7, settings; RFC 9110 4.3.4, 9.3.6)', async (_, status, code) => {
  const { send, seen } = await openBehindProxy(status)
  if (status === 200) vi.unstubAllEnvs()
  const { codes, isUnsent } = await failureOf(send())
  expect(codes).toMatch(code)
  // A deadline that is over may have been so after the request.
  expect(isUnsent).toBe(status !== 0)
  expect(seen).toHaveLength(1)
})

const never = new AbortController().signal

function openLimit(running: number, waiting: number) {
  const limit = new ConcurrencyLimit({ running, waiting })
  const started: string[] = []
  const start = (name: string, address = name, signal = never) => {
    let end: () => void = () => {}
    const work = () => {
      started.push(name)
      return new Promise<string>((resolve) => (end = () => resolve(name)))
    }
    const result = limit.run(address, signal, work)
    result.catch(() => {})
    return { result, end: () => end() }
  }
  return { start, started }
}

const iteration = () => new Promise(setImmediate)

test('one address has half of the room, so that one that hangs leaves some for the others (attack 67)', async () => {
  const { start, started } = openLimit(4, 4)
  const hanging = ['1', '2', '3', '4'].map((name) => start(name, '/token'))
  const busy = { name: 'BusyError', code: 'UPSTREAM_BUSY', message: 'too many requests are waiting' }
  await expect(start('5', '/token').result).rejects.toMatchObject(busy)
  const [a, b, c] = ['a', 'b', 'c', 'd'].map((name) => start(name))
  await iteration()
  expect(started).toEqual(['1', '2', 'a', 'b'])
  await expect(start('e').result).rejects.toMatchObject(busy)
  hanging[0]?.end()
  await iteration()
  expect(started.at(-1)).toBe('3')
  a?.end()
  await iteration()
  expect(started.at(-1)).toBe('c')
  b?.end()
  c?.end()
  await iteration()
  expect(started).toEqual(['1', '2', 'a', 'b', '3', 'c', 'd'])
})

test('work that fails makes room as well', async () => {
  const limit = new ConcurrencyLimit({ running: 2, waiting: 2 })
  const fail = () => limit.run('a', never, () => Promise.reject(new Error('it failed')))
  for (let round = 0; round < 5; round += 1) await expect(fail()).rejects.toThrow('it failed')
})

test('a wait that ends too late is refused without a start, and leaves the line to the others (8.3)', async () => {
  const { start, started } = openLimit(2, 4)
  const first = start('a', '/a')
  const late = new AbortController()
  const second = start('b', '/a', late.signal)
  const third = start('c', '/a')
  late.abort()
  await expect(second.result).rejects.toMatchObject({
    code: 'UPSTREAM_BUSY',
    message: 'no room for the request in time',
    retryInMs: 2000,
  })
  start('d', '/a')
  await iteration()
  first.end()
  await iteration()
  expect(started).toEqual(['a', 'c'])
  third.end()
  await iteration()
  expect(started).toEqual(['a', 'c', 'd'])
})

test('a request that was answered leaves no timer behind, which a stop would wait for (7)', async () => {
  const { send } = await open((_, response) => response.end('{}'))
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  for (let sent = 0; sent < 20; sent += 1) await send()
  expect(timers()).toBeLessThan(before + 10)
})
