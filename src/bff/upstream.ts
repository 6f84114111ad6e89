/** The only file that opens a socket to the service: follows no redirect, sends nothing twice, and waits until a deadline. */
import { Agent, request } from 'undici'
import { ConcurrencyLimit, type ConcurrencyOptions } from './concurrency-limit.ts'
import type { Upstream } from './context.ts'

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
  const send: Upstream = (outgoing, within = deadlineMs) => {
    const signal = AbortSignal.timeout(within)
    const [address = ''] = outgoing.url.split('?')
    return limit.run(address, signal, () => sendOnce(agent, outgoing, within, signal))
  }
  return { send, close: () => agent.destroy() }
}

interface Upstreams {
  send: Upstream
  /** Ends at once, and with an error each request that is running: any caller that stops without loss waits for them first. */
  close: () => Promise<void>
}

async function sendOnce(
  dispatcher: Agent,
  outgoing: Request,
  withinMs: number,
  signal: AbortSignal,
): Promise<Response> {
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(outgoing.url, {
    dispatcher,
    headersTimeout: withinMs,
    bodyTimeout: withinMs,
    method: outgoing.method as 'GET' | 'POST',
    headers: Object.fromEntries(outgoing.headers),
    body: await outgoing.text(),
    signal,
  })
  const text = await answer.text()
  if (statusCode > 599)
    throw Object.assign(new Error(`the status is ${statusCode}`), { code: 'HPE_INVALID_STATUS' })
  const received = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    // Only the type of the library has members that are undefined.
    for (const each of [value].flat()) received.append(name, String(each))
  }
  // A 205 has no content (RFC 9110 15.3.6), whatever the service sent.
  return new Response(text === '' || statusCode === 205 ? null : text, {
    status: statusCode,
    headers: received,
  })
}
