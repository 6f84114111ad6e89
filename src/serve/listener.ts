/** Opens and closes HTTP listeners. */
import type { Server, ServerResponse } from 'node:http'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'

/** What is known of the connection that a request came on. */
export interface Connection {
  /** Of Node's server; a handler that closes the connection itself needs it. */
  outgoing: ServerResponse
  /** Of the other end; absent where it has gone already. */
  address?: string
}

export type Fetch = (request: Request, connection?: Connection) => Response | Promise<Response>

export interface ListenAt {
  port: number
  host: string
  /** The settings that an error message names. */
  portSetting: string
  hostSetting: string
}

const SHUTDOWN_MS = 2000

/**
 * Listens until the server is closed.
 * @throws Error in one sentence that names the setting to change
 */
export async function listen(fetch: Fetch, at: ListenAt): Promise<Server> {
  const { port, host: hostname } = at
  const server = createAdaptorServer({
    fetch: (request, bindings) => fetch(request, connectionOf(bindings as HttpBindings)),
    hostname,
    overrideGlobalObjects: false,
  }) as Server
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, at)))
    server.listen(port, hostname, resolve)
  })
  return server
}

function connectionOf({ incoming, outgoing }: HttpBindings): Connection {
  const address = incoming.socket.remoteAddress
  return { outgoing, ...(address !== undefined && { address }) }
}

function explain(error: NodeJS.ErrnoException, { port, host, portSetting, hostSetting }: ListenAt): Error {
  const ofPort = (problem: string) =>
    new Error(`Port ${port} on ${host} ${problem}. Choose another one with ${portSetting}.`)
  // The value is not quoted, since it may have been meant for another setting.
  const ofHost = new Error(`${hostSetting} is not an address of this machine. Choose another one.`)
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

/** Answers requests that are under way, for two seconds at most, and takes no new ones. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS).unref()
  await closed
}
