/** The only file that opens a socket to the service: no redirects followed, nothing sent twice, nothing waited for without end. */
import { Agent, request } from 'undici'
import type { Upstream } from './context.ts'

/** A person waits for every answer, so none is worth more than this. */
const DEADLINE_MS = 15_000
const CONNECT_MS = 5_000
/** An organization's record is some kilobytes; what is larger is not one. */
const MOST_BYTES = 1_048_576

/** @param deadlineMs from the start to the last byte of an answer */
export function createUpstream({ deadlineMs = DEADLINE_MS } = {}): {
  send: Upstream
  close: () => Promise<void>
} {
  const agent = new Agent({
    connect: { timeout: Math.min(CONNECT_MS, deadlineMs) },
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
    maxResponseSize: MOST_BYTES,
    pipelining: 1,
  })
  const send: Upstream = async (asked) => {
    const body = asked.body === null ? null : await asked.text()
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(asked.url, {
      dispatcher: agent,
      method: asked.method as 'GET' | 'POST',
      headers: Object.fromEntries(asked.headers),
      body,
      signal: AbortSignal.timeout(deadlineMs),
    })
    const text = await answer.text()
    if (statusCode > 599)
      throw Object.assign(new Error(`the status is ${statusCode}`), { code: 'HPE_INVALID_STATUS' })
    const received = new Headers()
    for (const [name, value] of Object.entries(headers)) {
      for (const one of [value ?? []].flat()) received.append(name, one)
    }
    // A 205 has no content (RFC 9110 15.3.6), whatever came with it.
    return new Response(text === '' || statusCode === 205 ? null : text, {
      status: statusCode,
      headers: received,
    })
  }
  return { send, close: () => agent.destroy() }
}
