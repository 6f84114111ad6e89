/** The connections to the service: follow no redirect, send nothing twice, wait until a deadline. */
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { SECOND_MS } from '../../contract/duration.ts'
import type { Outgoing, Upstream, UpstreamAnswer } from '../core/context.ts'
import { ConcurrencyLimit } from '../limiter/concurrency-limit.ts'

/** A person waits for most answers. */
export const DEADLINE_MS = 15 * SECOND_MS
const CONNECT_MS = 5 * SECOND_MS
/** An organization's record has some kilobytes. */
const MAX_BYTES = 1_048_576
/** Of them one endpoint may have half. */
const CONCURRENCY = { running: 64, waiting: 256 }

/**
 * @param deadlineMs from a request's start, including the wait for a connection, to the last byte of its
 *   answer
 * @param connectMs includes the TLS handshake
 * @param concurrency limits the requests that run and wait; more are rejected as unsent
 * @param httpsProxy the proxy for https, if any; plain http goes to this machine only, and through none
 * @param noProxy hosts that are asked without the proxy, separated by commas
 */
export function createUpstream({
  deadlineMs = DEADLINE_MS,
  connectMs = CONNECT_MS,
  concurrency = CONCURRENCY,
  httpsProxy = '',
  noProxy = '',
} = {}): Upstreams {
  const agent = new EnvHttpProxyAgent({
    connect: { timeout: connectMs },
    proxyTls: { timeout: connectMs },
    requestTls: { timeout: connectMs },
    httpProxy: '',
    httpsProxy,
    noProxy,
    maxResponseSize: MAX_BYTES,
    pipelining: 1,
    connections: concurrency.running,
    factory: poolOf,
  })
  const limit = new ConcurrencyLimit(concurrency)
  const send: Upstream = async (outgoing, withinMs = deadlineMs) => {
    const overdue = new AbortController()
    // Much cheaper than AbortSignal.timeout, which the garbage collector frees later.
    const timer = setTimeout(
      () => overdue.abort(new DOMException('no answer in time', 'TimeoutError')),
      withinMs,
    )
    const [address = ''] = outgoing.url.split('?')
    try {
      return await limit.run(address, overdue.signal, () =>
        sendOnce(agent, outgoing, withinMs, overdue.signal),
      )
    } finally {
      clearTimeout(timer)
    }
  }
  return { send, close: () => agent.destroy() }
}

interface Upstreams {
  send: Upstream
  /** Running requests fail. A caller that must not lose them waits for them first. */
  close: () => Promise<void>
}

function poolOf(origin: string | URL, options: Pool.Options): Pool {
  const { connect } = options
  const connector = typeof connect === 'function' ? connect : buildConnector({ ...connect })
  return new Pool(origin, {
    ...options,
    connect: (to, done) =>
      connector(to, (...[error, socket]) =>
        error ? done(new NoConnection(error), null) : done(null, passOver100(socket)),
      ),
  })
}

/**
 * There was no name, route, listener, TLS handshake or tunnel, so no byte of a request left. Every other
 * failure may follow a request that was sent: in TLS 1.3 the server can refuse the client after it.
 */
class NoConnection extends Error {
  override readonly name = 'NoConnection'
  readonly code = 'NO_CONNECTION'
  readonly isUnsent = true

  constructor(cause: Error) {
    super('there is no connection to the service', { cause })
  }
}

/** undici ends the connection at a 100, but passes over all other interim answers (RFC 9110 15.2). */
function passOver100<Readable extends { read: () => unknown }>(socket: Readable): Readable {
  const read = socket.read.bind(socket)
  socket.read = () => {
    const chunk = read() as Buffer | null
    if (!chunk?.includes('HTTP/1.1 100')) return chunk
    const text = chunk.toString('latin1').replace(/(^|\r\n\r\n)HTTP\/1\.1 100\b/g, '$1HTTP/1.1 102')
    return Buffer.from(text, 'latin1')
  }
  return socket
}

/** @param signal also ends the wait for a connection: the request is then not sent */
async function sendOnce(
  agent: Dispatcher,
  outgoing: Outgoing,
  withinMs: number,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const { origin, pathname, search } = new URL(outgoing.url)
  const answer = agent.request({
    origin,
    path: pathname + search,
    method: outgoing.method,
    headers: Object.fromEntries(outgoing.headers),
    body: await outgoing.text(),
    headersTimeout: withinMs,
    bodyTimeout: withinMs,
    signal,
  })
  const overdue = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  )
  const { statusCode: status, headers, body } = await Promise.race([answer, overdue])
  const text = await body.text()
  if (status > 599) throw Object.assign(new Error(`the status is ${status}`), { code: 'HPE_INVALID_STATUS' })
  return {
    status,
    headers: { get: (name) => fieldOf(headers[name.toLowerCase()]) },
    // A 205 has no content (RFC 9110 15.3.6), whatever the service sent.
    text: async () => (status === 205 ? '' : text),
  }
}

/** Joins all lines of a field (RFC 9110 5.3). */
const fieldOf = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : [value].flat().join(', ')
