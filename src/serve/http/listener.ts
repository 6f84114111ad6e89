import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextIteration, setTimeout as wait } from 'node:timers/promises'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { createHostCheck, type Hosts, refuseHost } from './hosts.ts'

export interface Connection {
  /** Node's response, for a handler that closes the connection itself. */
  outgoing: ServerResponse
  /** The client's address; absent if it has disconnected already. */
  address?: string
}

/** If it rejects, the connection is cut. */
export type Fetch = (request: Request, connection?: Connection) => Response | Promise<Response>

export interface ListenAt {
  port: number
  host: string
  /** The settings to name in an error message. */
  portSetting: string
  hostSetting: string
  /** Any other is refused. Absent: the handler decides. */
  hosts?: Hosts
  /** An open socket, in place of port and host. */
  fd?: number | undefined
}

/** The socket of a systemd `.socket` unit, which stays open over a restart (sd_listen_fds(3)). */
export const socketOf = ({ LISTEN_FDS, LISTEN_PID }: NodeJS.ProcessEnv): number | undefined =>
  LISTEN_FDS === '1' && LISTEN_PID === String(process.pid) ? 3 : undefined

export const LIMITS = {
  /** From the connection, or the last answer, to the end of the headers; then 408 (RFC 9110 15.5.9). */
  headersMs: 10_000,
  /** The same to the end of the body. */
  requestMs: 30_000,
  /** Without a byte in either direction until an answer is written. A stream sends one every 15 s. */
  silentMs: 50_000,
  /** From an answer until the next request begins. Balancers keep idle connections for 60 s by default. */
  keepAliveMs: 65_000,
  /** Interval of the checks of headersMs and requestMs. */
  checkMs: 500,
}

const SHUTDOWN_MS = 2000
/** A stop waits this long for a connection: for its first request, or for the next one of its client. */
const IDLE_MS = 500
/** A stop accepts connections until none has come for this long, but no longer than the pauses together. */
const QUIET_MS = 25
const MOST_PAUSES = 8

interface State {
  /** The open connections, with the newest response of each. */
  open: Map<Socket, ServerResponse | undefined>
  /** A stop has begun. Resolves when the listener accepts no more connections. */
  stop?: Promise<void>
}
const states = new WeakMap<Server, State>()

/** @throws Error in one sentence that names the setting to change */
export async function listen(fetch: Fetch, at: ListenAt, limits = LIMITS): Promise<Server> {
  const state: State = { open: new Map() }
  const listener = getRequestListener(
    (request, bindings) => {
      const { incoming, outgoing } = bindings as HttpBindings
      const address = incoming.socket.remoteAddress
      return fetch(request, { outgoing, ...(address !== undefined && { address }) })
    },
    { hostname: at.host, overrideGlobalObjects: false },
  )
  const respond: Respond = (incoming, outgoing) => void listener(incoming, outgoing)
  const handle = at.hosts ? behindHostCheck(at.hosts, respond) : respond
  // Node joins the values of a header that comes twice (RFC 9110 5.3).
  const options = { connectionsCheckingInterval: limits.checkMs, joinDuplicateHeaders: true }
  const server = createServer(options, (incoming, outgoing) => {
    state.open.set(incoming.socket, outgoing)
    if (state.stop === undefined) return handle(incoming, outgoing)
    // A connection that stays would only be cut (RFC 9112 9.6).
    outgoing.setHeader('Connection', 'close')
    // A client that waits for its answer opens no connection, which a listener that closes would reset.
    void state.stop.then(() => handle(incoming, outgoing))
  })
  server.on('connection', (socket: Socket) => {
    state.open.set(socket, undefined)
    socket.once('close', () => state.open.delete(socket))
  })
  states.set(server, state)
  server.headersTimeout = limits.headersMs
  server.requestTimeout = limits.requestMs
  server.timeout = limits.silentMs
  server.keepAliveTimeout = limits.keepAliveMs
  return new Promise((resolve, reject) => {
    // Once it listens, an error is about one connection, such as no free descriptor, and ends nothing.
    server.on('error', (error: NodeJS.ErrnoException) => reject(explain(error, at)))
    const { fd, port, host } = at
    server.listen(fd === undefined ? { port, host } : { fd }, () => resolve(server))
  })
}

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void

function behindHostCheck(hosts: Hosts, respond: Respond): Respond {
  const refusalOf = createHostCheck(hosts)
  return (incoming, outgoing) => {
    const status = refusalOf(incoming)
    if (status === undefined) return respond(incoming, outgoing)
    refuseHost(outgoing, status, hosts)
    if (status === 421) hosts.onRefused?.()
  }
}

const OF_PORT: Record<string, string> = {
  EADDRINUSE: 'is in use',
  EACCES: 'needs more rights than this process has',
}

/** A host is not quoted, since the value may be meant for another setting. */
function explain(cause: NodeJS.ErrnoException, { port, host, portSetting, hostSetting }: ListenAt): Error {
  const { code = '' } = cause
  const text = OF_PORT[code]
    ? `Port ${port} on ${host} ${OF_PORT[code]}. Choose another one with ${portSetting}.`
    : `${hostSetting} is not an address of this machine (${code}). Choose another one.`
  return new Error(text, { cause })
}

/** `listen` failed because another listener has the port. */
export const isInUse = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'

/** Answers all that was accepted, until the limit. Each answer closes its connection. */
export async function closeServer(server: Server, withinMs = SHUTDOWN_MS): Promise<void> {
  const state: State = states.get(server) ?? { open: new Map() }
  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  const ended = new AbortController()
  const atMost = (ms: number) =>
    Promise.race([closed, wait(ms, undefined, { signal: ended.signal }).catch(() => {})])
  const late = atMost(withinMs)
  state.stop = stopAccepting(server)
  for (const [socket, response] of state.open) {
    if (isIdle(response)) continue
    if (!response?.headersSent) response?.setHeader('Connection', 'close')
    // A head that was sent did not announce it.
    response?.once('finish', () => socket.destroySoon())
  }
  await state.stop
  await Promise.race([late, atMost(IDLE_MS)])
  // If this process was held up, requests have arrived that it reads only after its timers.
  await nextIteration()
  for (const [socket, response] of state.open) if (isIdle(response)) socket.destroy()
  await late
  ended.abort()
  server.closeAllConnections()
  await closed
  // Also ends the timer of the limits.
  server.close()
}

/** A connection without a request: it has sent none, or all are answered. */
const isIdle = (newest: ServerResponse | undefined): boolean => newest?.writableFinished ?? true

/** Closing the socket resets the connections in its queue, so it waits until none comes. */
async function stopAccepting(server: Server): Promise<void> {
  let isQuiet = false
  server.on('connection', () => (isQuiet = false))
  for (let pauses = 0; !isQuiet && pauses < MOST_PAUSES; pauses += 1) {
    isQuiet = true
    await wait(QUIET_MS)
    // What has come while this process did not run.
    await nextIteration()
  }
  // That of http would also close idle connections, on which a request may be on its way.
  NetServer.prototype.close.call(server)
}
