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
}

export interface ConnectionLimits {
  /** From the connection, or the last answer, to the end of the headers; then 408 (RFC 9110 15.5.9). */
  headersMs: number
  /** The same to the end of the body. */
  requestMs: number
  /** Time without a byte in either direction, while an answer is awaited or written. */
  silentMs: number
  /** From an answer until the next request begins. Balancers keep idle connections for 60 s by default. */
  keepAliveMs: number
  /** Interval of the checks of headersMs and requestMs. */
  checkMs: number
}

/** An event stream is never silent: it sends a comment every 15 s. */
export const LIMITS: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  silentMs: 50_000,
  keepAliveMs: 65_000,
  checkMs: 500,
}

const SHUTDOWN_MS = 2000
/** A stop waits so long for a connection: for its first request, or for the next one of its client. */
const IDLE_MS = 500
/** A stop accepts connections until none has come for so long, but no longer than the pauses together. */
const QUIET_MS = 25
const MOST_PAUSES = 8

/** The open connections of each listener, with the newest response of each. */
const connections = new WeakMap<Server, Map<Socket, ServerResponse | undefined>>()

/** The stop of a listener. Resolves when it accepts no more connections. */
const stops = new WeakMap<Server, Promise<void>>()

/** @throws Error in one sentence that names the setting to change */
export async function listen(fetch: Fetch, at: ListenAt, limits = LIMITS): Promise<Server> {
  const stopOf = () => stops.get(server)
  const isLast = () => stopOf() !== undefined
  const listener = getRequestListener(
    async (request, bindings) => {
      const { incoming, outgoing } = bindings as HttpBindings
      const address = incoming.socket.remoteAddress
      const response = await fetch(request, { outgoing, ...(address !== undefined && { address }) })
      // A connection that stays would only be cut (RFC 9112 9.6).
      if (isLast() && !outgoing.headersSent) outgoing.setHeader('Connection', 'close')
      return response
    },
    { hostname: at.host, overrideGlobalObjects: false },
  )
  // Node joins the values of a header that comes twice (RFC 9110 5.3).
  const options = { connectionsCheckingInterval: limits.checkMs, joinDuplicateHeaders: true }
  const respond: Respond = (incoming, outgoing) => void listener(incoming, outgoing)
  const handle = at.hosts ? behindHostCheck(at.hosts, respond, isLast) : respond
  const server: Server = createServer(options, heldAtStop(handle, stopOf))
  server.headersTimeout = limits.headersMs
  server.requestTimeout = limits.requestMs
  server.timeout = limits.silentMs
  server.keepAliveTimeout = limits.keepAliveMs
  trackConnections(server)
  await startListening(server, at)
  return server
}

const startListening = (server: Server, at: ListenAt) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, at)))
    server.listen(at.port, at.host, resolve)
  })

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** A client that waits for its answer opens no connection, which a listener that closes would reset. */
const heldAtStop =
  (respond: Respond, stopOf: () => Promise<void> | undefined): Respond =>
  (incoming, outgoing) => {
    const stop = stopOf()
    if (stop === undefined) respond(incoming, outgoing)
    else void stop.then(() => respond(incoming, outgoing))
  }

function behindHostCheck(hosts: Hosts, respond: Respond, isLast: () => boolean): Respond {
  const refusalOf = createHostCheck(hosts)
  return (incoming, outgoing) => {
    const status = refusalOf(incoming)
    if (status === undefined) return respond(incoming, outgoing)
    if (isLast()) outgoing.setHeader('Connection', 'close')
    refuseHost(outgoing, status, hosts)
    hosts.onRefused?.()
  }
}

function trackConnections(server: Server): void {
  const open = new Map<Socket, ServerResponse | undefined>()
  connections.set(server, open)
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => open.set(socket, response))
}

function explain(error: NodeJS.ErrnoException, { port, host, portSetting, hostSetting }: ListenAt): Error {
  const ofPort = (problem: string) =>
    new Error(`Port ${port} on ${host} ${problem}. Choose another one with ${portSetting}.`, { cause: error })
  // The value is not quoted, since it may be meant for another setting.
  const ofHost = new Error(`${hostSetting} is not an address of this machine. Choose another one.`, {
    cause: error,
  })
  const known: Record<string, Error> = {
    EADDRINUSE: ofPort('is in use'),
    EACCES: ofPort('needs more rights than this process has'),
    EADDRNOTAVAIL: ofHost,
    EAFNOSUPPORT: ofHost,
    EINVAL: ofHost,
    ENOTFOUND: ofHost,
    EAI_AGAIN: ofHost,
  }
  return known[error.code ?? ''] ?? error
}

/** `listen` failed because another listener has the port. */
export const isInUse = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'

/** Answers all that was accepted, until the limit. Each answer closes its connection. */
export async function closeServer(server: Server, withinMs = SHUTDOWN_MS): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  const ended = new AbortController()
  const atMost = (ms: number) =>
    Promise.race([closed, wait(ms, undefined, { signal: ended.signal }).catch(() => {})])
  const late = atMost(withinMs)
  const stopped = stopAccepting(server)
  stops.set(server, stopped)
  // The head of a running answer did not announce that the connection closes.
  for (const [socket, response] of openOf(server))
    if (!isIdle(response)) response?.once('finish', () => socket.destroySoon())
  await stopped
  await Promise.race([late, atMost(IDLE_MS)])
  // If this process was held up, requests have arrived that it reads only after its timers.
  await nextIteration()
  for (const [socket, response] of openOf(server)) if (isIdle(response)) socket.destroy()
  await late
  ended.abort()
  server.closeAllConnections()
  await closed
  // Also ends the timer of the limits.
  server.close()
}

const openOf = (server: Server) => connections.get(server) ?? new Map<Socket, ServerResponse | undefined>()

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
