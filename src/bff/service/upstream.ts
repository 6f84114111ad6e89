/** The only file that opens a socket to the service: follows no redirect, sends nothing twice, and waits until a deadline. */
import { Agent, type Dispatcher } from 'undici'
import { ConcurrencyLimit, type ConcurrencyOptions } from './concurrency-limit.ts'
import type { Outgoing, Upstream, UpstreamAnswer } from '../core/context.ts'
import { atIterationEnd } from '../core/event-loop.ts'

/** A person waits for every answer. */
const DEADLINE_MS = 15_000
const CONNECT_MS = 5_000
/** An organization's record has some kilobytes. */
const MAX_BYTES = 1_048_576
const CONCURRENCY: ConcurrencyOptions = { running: 64, waiting: 256 }

/**
 * Opens a pool of connections.
 * @param deadlineMs from the start of a request, its wait for a connection included, to the last byte of its answer
 * @param connectMs to connect, the TLS handshake included
 * @param concurrency how many requests run and wait; what comes on top is rejected with code `UPSTREAM_BUSY`
 */
export function createUpstream({
  deadlineMs = DEADLINE_MS,
  connectMs = CONNECT_MS,
  concurrency = CONCURRENCY,
} = {}): Upstreams {
  const agent = new Agent({
    connect: { timeout: connectMs },
    maxResponseSize: MAX_BYTES,
    pipelining: 1,
    connections: concurrency.running,
  })
  const limit = new ConcurrencyLimit(concurrency)
  const passOn: PassOn = atIterationEnd((answers) => {
    for (const pass of answers) pass()
  })
  const send: Upstream = async (outgoing, withinMs = deadlineMs) => {
    const overdue = new AbortController()
    // Far less work than AbortSignal.timeout, which is collected later.
    const timer = setTimeout(
      () => overdue.abort(new DOMException('no answer in time', 'TimeoutError')),
      withinMs,
    )
    const [address = ''] = outgoing.url.split('?')
    try {
      return await limit.run(address, overdue.signal, () =>
        sendOnce(agent, outgoing, withinMs, overdue.signal, passOn),
      )
    } finally {
      clearTimeout(timer)
    }
  }
  return { send, close: () => agent.destroy() }
}

/** Gets what passes an answer on to its caller: those of one iteration of the event loop go on together at its end. */
type PassOn = (pass: () => void) => void

interface Upstreams {
  send: Upstream
  /** Ends at once, and with an error each request that is running: any caller that stops without loss waits for them first. */
  close: () => Promise<void>
}

async function sendOnce(
  agent: Agent,
  outgoing: Outgoing,
  withinMs: number,
  signal: AbortSignal,
  passOn: PassOn,
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
    agent.dispatch(options, new Receiver(signal, (answer) => passOn(() => resolve(answer)), reject))
  })
}

/** By name in small letters. */
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

  /** Also a request that still waits for a connection is over, and is not sent when it gets one. */
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
    this.#reject(error)
  }
}

/** All lines of a field as one (RFC 9110 5.3). */
const fieldOf = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : [value].flat().join(', ')
