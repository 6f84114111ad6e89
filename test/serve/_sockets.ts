// Real listeners in front of bff, sandbox and control plane, and a client that sends exactly the given bytes.
import { setTimeout as wait } from 'node:timers/promises'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { upstreamOf } from '../kit/outgoing.ts'
import { CONFIG } from '../kit/config.ts'
import { BASE, open } from '../kit/sandbox.ts'
import { createBff, ROUTES } from '../../src/bff/bff.ts'
import type { Hosts } from '../../src/serve/http/hosts.ts'
import { closeServer, type Fetch, LIMITS, listen } from '../../src/serve/http/listener.ts'
import { withConnectionResets } from '../../src/serve/sandbox/listeners.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'

export interface Answered {
  status: number
  hasBody: boolean
  /** The connection answered a second request, or was closed after the first answer. */
  after: 'usable' | 'closed' | 'broken'
}

export interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  /** Sent in chunks, without Content-Length. */
  chunks?: readonly number[]
}

/** Its plan has room for all requests of a test (8.2). */
export const BUSINESS_ID = 2002

const servers: Server[] = []
/** On a free port of this machine, until `closeAll`. */
export async function listenAnywhere(handler: Fetch, limits = LIMITS, hosts?: Hosts) {
  const at = { port: 0, host: '127.0.0.1', portSetting: 'P', hostSetting: 'H', ...(hosts && { hosts }) }
  const server = await listen(handler, at, limits)
  servers.push(server)
  return { server, port: (server.address() as AddressInfo).port }
}

export async function openAll() {
  const { sandbox, seed } = open({
    choices: { revocation: 'rfc_7009', metadata: 'rfc_8414', resources: 'echo' },
  })
  const asked: string[] = []
  const bff = createBff({
    config: { ...CONFIG, serviceUrl: BASE, clientId: 'plimsoll', clientSecret: 'the-secret' },
    store: openSqlite(':memory:'),
    upstream: upstreamOf((request) => {
      const { origin, pathname, search } = new URL(request.url)
      asked.push(`${request.method} ${origin}${pathname}${search}`)
      return sandbox.fetch(request)
    }),
    now: () => Date.now(),
    wait,
    log: () => {},
  })
  return {
    ports: {
      bff: (await listenAnywhere(bff.fetch)).port,
      sandbox: (await listenAnywhere(withConnectionResets(sandbox.fetch))).port,
      control: (await listenAnywhere(sandbox.control.fetch)).port,
    },
    /** The requests of the bff to the service. */
    asked,
    paths: { bff: Object.keys(ROUTES), sandbox: sandbox.paths(), control: sandbox.control.paths() },
    apiKey: seed.api_keys.find(({ organization_id }) => organization_id === BUSINESS_ID)?.value ?? '',
  }
}

export const closeAll = () => Promise.all(servers.splice(0).map((server) => closeServer(server, 0)))

/** Sends these bytes. @returns also what has arrived, and the whole of it once the connection is closed */
export function dial(port: number, bytes: string) {
  const socket = connect(port, '127.0.0.1')
    .setEncoding('latin1')
    .on('error', () => {})
  socket.write(bytes)
  let text = ''
  socket.on('data', (chunk) => (text += chunk))
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  return { socket, closed, text: () => text }
}

export const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))

const NEXT = 'GET /next-on-this-connection HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'

/** Sends a request, and after its answer another one on the same connection. */
export async function send(port: number, { method, path, headers = {}, chunks }: Sent): Promise<Answered> {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const coding = chunks === undefined ? '' : 'Transfer-Encoding: chunked\r\n'
  const body = (chunks ?? []).map((size) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`).join('')
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.write(
    `${method} ${path} HTTP/1.1\r\n${lines.join('')}${coding}\r\n${body}${chunks ? '0\r\n\r\n' : ''}`,
  )
  let text = ''
  let isNextSent = false
  const end = await new Promise<'end' | 'error' | 'late'>((resolve) => {
    const late = setTimeout(() => resolve('late'), 5000)
    socket.on('data', (chunk) => {
      text += chunk
      // The answer is complete when the next one can be told apart; ask when the connection is quiet.
      if (!isNextSent && isWhole(text, method)) {
        isNextSent = true
        socket.write(NEXT)
      }
    })
    socket.on('end', () => resolve('end'))
    socket.on('error', () => resolve(isNextSent && isWhole(text, method) ? 'end' : 'error'))
    socket.on('close', () => clearTimeout(late))
  })
  socket.destroy()
  const [first = '', ...others] = text.split(/(?=HTTP\/1\.1 )/)
  const after = others.length > 0 ? 'usable' : end === 'end' && isWhole(text, method) ? 'closed' : 'broken'
  const [head, rest] = splitHead(first)
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), hasBody: rest !== '', after }
}

const splitHead = (text: string): [string, string] => {
  const at = text.indexOf('\r\n\r\n')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 4)]
}

function isWhole(text: string, method: string): boolean {
  const at = text.indexOf('\r\n\r\n')
  if (at === -1) return false
  const [head, rest] = splitHead(text)
  if (method === 'HEAD' || / (204|304) /.test(head.slice(0, 15))) return true
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  return length === undefined ? rest.endsWith('0\r\n\r\n') : rest.length >= Number(length)
}
