/** The connections to the service: follow no redirect, send nothing twice, wait until a deadline. */
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { ConcurrencyLimit, type ConcurrencyOptions } from './concurrency-limit.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import type { Outgoing, Upstream, UpstreamAnswer } from '../core/context.ts'

/** A person waits for most answers. */
export const DEADLINE_MS = 15 * SECOND_MS
const CONNECT_MS = 5 * SECOND_MS
/** An organization's record has some kilobytes. */
const MAX_BYTES = 1_048_576
const CONCURRENCY: ConcurrencyOptions = { running: 64, waiting: 256 }

/**
 * @param deadlineMs from a request's start, including the wait for a connection, to the last byte of its
 *   answer
 * @param connectMs includes the TLS handshake
 * @param concurrency limits the requests that run and wait; more are rejected with code `UPSTREAM_BUSY`
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
      connector(to, (...[error, socket]) => (error ? done(error, null) : done(null, passOver100(socket)))),
  })
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

async function sendOnce(
  agent: Dispatcher,
  outgoing: Outgoing,
  withinMs: number,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const { origin, pathname, search } = new URL(outgoing.url)
  const options: Dispatcher.DispatchOptions = {
    origin,
    path: pathname + search,
    method: outgoing.method,
    headers: Object.fromEntries(outgoing.headers),
    body: await outgoing.text(),
    headersTimeout: withinMs,
    bodyTimeout: withinMs,
  }
  return new Promise((resolve, reject) => {
    agent.dispatch(options, new Receiver(signal, resolve, reject))
  })
}

/** By name in lower case. */
type Fields = Record<string, string | string[] | undefined>

/** Collects one answer. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal
  readonly #resolve: (answer: UpstreamAnswer) => void
  readonly #reject: (reason: unknown) => void
  readonly #chunks: Uint8Array[] = []
  #status = 0
  #headers: Fields = {}
  #controller: Dispatcher.DispatchController | undefined

  constructor(
    signal: AbortSignal,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    signal.addEventListener('abort', () => this.#abort())
  }

  /** Also while the request waits for a connection: it is then not sent. */
  #abort(): void {
    this.#controller?.abort(this.#signal.reason as Error)
    this.#reject(this.#signal.reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#signal.aborted) this.#abort()
  }

  onResponseStart(_: unknown, status: number, headers: Fields): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const status = this.#status
    if (status > 599) {
      const error = new Error(`the status is ${status}`)
      return this.#reject(Object.assign(error, { code: 'HPE_INVALID_STATUS' }))
    }
    const headers = this.#headers
    // A 205 has no content (RFC 9110 15.3.6), whatever the service sent.
    const text = status === 205 ? '' : new TextDecoder().decode(Buffer.concat(this.#chunks))
    this.#resolve({
      status,
      headers: { get: (name) => fieldOf(headers[name.toLowerCase()]) },
      text: async () => text,
    })
  }

  onResponseError(_: unknown, error: Error): void {
    // The proxy made no tunnel, so nothing was sent; undici has no code of its own for that.
    const isRefused = error.message.endsWith('HTTP Tunneling')
    this.#reject(isRefused ? Object.assign(error, { code: 'PROXY_REFUSED' }) : error)
  }
}

/** Joins all lines of a field (RFC 9110 5.3). */
const fieldOf = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : [value].flat().join(', ')
