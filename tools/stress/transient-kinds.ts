/** Ways in which a token endpoint fails for a while. Only the error of RFC 6749 5.2 is the end of a grant. */
import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionReset } from '../../src/sandbox/state/injected-fault.ts'

/** @param well resolves when the service has recovered */
type Answer = (through: () => Promise<Response>, well: Promise<void>) => Promise<Response>

export interface TransientKind {
  name: string
  /** Absent if no connection can be made at all. */
  answer?: Answer
}

const fixed = (
  name: string,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): TransientKind => ({
  name,
  answer: async () =>
    new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } }),
})
const word = (status: number, error: string): TransientKind =>
  fixed(`${status} ${error}`, status, JSON.stringify({ error }))
const page = (status: number): TransientKind =>
  fixed(`${status} with a page`, status, '<!doctype html><title>Try again later</title>', {
    'Content-Type': 'text/html',
  })

const tokens = (token_type: string): string =>
  JSON.stringify({
    access_token: 'of-a-fault',
    token_type,
    expires_in: 3600,
    refresh_token: 'of-a-fault-too',
  })

const reset = (): Promise<never> => Promise.reject(new ConnectionReset())

export const TRANSIENT_KINDS: readonly TransientKind[] = [
  fixed('408', 408, ''),
  fixed('429', 429, '{"error":"slow_down"}'),
  fixed('429 with Retry-After: 5', 429, '', { 'Retry-After': '5' }),
  fixed('429 with Retry-After: 3600', 429, '', { 'Retry-After': '3600' }),
  fixed('500', 500, ''),
  page(502),
  fixed('503 with Retry-After: 5', 503, '', { 'Retry-After': '5' }),
  fixed('504', 504, ''),
  { name: 'connection reset', answer: reset },
  { name: 'connection refused' },
  { name: 'no answer until the service is well, then a reset', answer: (_, well) => well.then(reset) },
  { name: 'no answer ever', answer: () => new Promise(() => {}) },
  { name: 'the real answer in 20 s, a byte at a time', answer: drip },
  page(200),
  fixed('200 with {}', 200, '{}'),
  fixed('200 with another token type', 200, tokens('mac')),
  fixed('200 with half of the JSON', 200, tokens('Bearer').slice(0, 40)),
  fixed('200 without a body', 200, ''),
  word(400, 'server_error'),
  word(400, 'temporarily_unavailable'),
  word(400, 'no_such_word'),
  page(400),
  fixed('401 without a word', 401, ''),
  fixed('403 without a word', 403, ''),
]

/** The service has replaced the refresh token when its first byte is sent. */
async function drip(through: () => Promise<Response>): Promise<Response> {
  const { status, headers, ...answer } = await through().then(async (real) => ({
    status: real.status,
    headers: real.headers,
    bytes: new Uint8Array(await real.arrayBuffer()),
  }))
  const { bytes } = answer
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const byte of bytes) {
        controller.enqueue(new Uint8Array([byte]))
        await wait(20_000 / bytes.length)
      }
      controller.close()
    },
    cancel() {},
  })
  return new Response(body, { status, headers })
}
