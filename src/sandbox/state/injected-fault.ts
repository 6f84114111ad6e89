/** Injected faults make the next requests of an operation fail in a given way. */
import * as v from 'valibot'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { text, whole } from './parse.ts'

const OPERATIONS = ['authorize', 'token', 'organization', 'organizations', 'rate_limit', 'any'] as const
export type Operation = (typeof OPERATIONS)[number]

/** The description says if the request takes effect. */
export const FAULT_KINDS = {
  delay: 'answered after a while',
  hang: 'never answered, without effect',
  reset: 'the connection breaks, without effect',
  truncate: 'takes effect; the connection breaks after a part of the body',
  garbage: 'takes effect; bytes without meaning arrive',
  empty: 'takes effect; the body is missing',
  html: 'a page of a proxy, without effect',
  status: 'another status, without effect',
  server_error: '503 with Retry-After, without effect',
  lost: 'takes effect; the connection breaks before the answer',
} as const
type FaultKind = keyof typeof FAULT_KINDS

export const FAULT = v.strictObject({
  operation: v.picklist(OPERATIONS),
  kind: v.picklist(Object.keys(FAULT_KINDS) as FaultKind[]),
  times: v.optional(whole(1, 10_000), 1),
  /** The requests that are answered before the first fault. */
  after: v.exactOptional(whole(0, 10_000)),
  /** Only requests of this credential, or with a token of this grant; both as fingerprints of the log. */
  credential: v.exactOptional(text),
  grant_id: v.exactOptional(text),
  /** For `delay`. With `most_ms`, each delay is drawn from the seed, between both. */
  ms: v.exactOptional(whole(0, DAY_MS)),
  most_ms: v.exactOptional(whole(0, DAY_MS)),
  /** For `status` and `html`. */
  status: v.exactOptional(whole(200, 599)),
  /** For `truncate`: the bytes that arrive. Without it, half of the body. */
  bytes: v.exactOptional(whole()),
})
export type InjectedFault = v.InferOutput<typeof FAULT>

interface FaultTarget {
  operation: Operation
  credential: string | undefined
  grantId: string | undefined
}

export function consumeFault(faults: InjectedFault[], target: FaultTarget): InjectedFault | undefined {
  for (const [at, fault] of faults.entries()) {
    if (!isMeant(fault, target)) continue
    if (fault.after) {
      fault.after -= 1
      continue
    }
    fault.times -= 1
    if (fault.times <= 0) faults.splice(at, 1)
    return fault
  }
  return undefined
}

const isMeant = (fault: InjectedFault, { operation, credential, grantId }: FaultTarget): boolean =>
  (fault.operation === 'any' || fault.operation === operation) &&
  (fault.credential === undefined || fault.credential === credential) &&
  (fault.grant_id === undefined || fault.grant_id === grantId)

/** A fault breaks the connection: the listener sends `partial` and destroys the socket. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
  readonly code = 'ECONNRESET'
  /** Sent before the connection breaks. Its Content-Length is larger than its body. */
  readonly partial: Response | undefined

  constructor(partial?: Response) {
    super('The sandbox broke the connection: an injected fault')
    this.partial = partial
  }
}

const HANG_MS = 10 * MINUTE_MS

interface FaultParts {
  answer: () => Promise<Response>
  wait: (ms: number) => Promise<void>
  /** @returns bytes in base64url, of the seed */
  random: () => string
}

export const answerWithFault = (fault: InjectedFault, parts: FaultParts): Promise<Response> =>
  FAULT_ANSWERS[fault.kind](fault, parts)

const FAULT_ANSWERS: Record<FaultKind, (fault: InjectedFault, parts: FaultParts) => Promise<Response>> = {
  async delay({ ms = SECOND_MS, most_ms: most = ms }, { answer, wait, random }) {
    const drawn = Buffer.from(random(), 'base64url').readUInt32BE() / 2 ** 32
    await wait(Math.round(ms + drawn * Math.max(0, most - ms)))
    return answer()
  },
  async hang(_, { wait }) {
    await wait(HANG_MS)
    throw new ConnectionReset()
  },
  reset: () => Promise.reject(new ConnectionReset()),
  async truncate({ bytes }, { answer }) {
    const whole = await answer()
    const body = new Uint8Array(await whole.arrayBuffer())
    if (body.length === 0) throw new ConnectionReset()
    const headers = new Headers(whole.headers)
    headers.set('Content-Length', String(body.length))
    const part = body.slice(0, Math.min(bytes ?? Math.floor(body.length / 2), body.length - 1))
    throw new ConnectionReset(new Response(part, { status: whole.status, headers }))
  },
  garbage: async (_, { answer }) =>
    withBody(await answer(), new Uint8Array([0, 255, 254, 123, 34, 192, 128, 0, 10])),
  empty: async (_, { answer }) => withBody(await answer(), null),
  html: async ({ status = 502 }) =>
    withBody(
      { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } },
      '<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>',
    ),
  status: async ({ status = 503 }) => errorAnswer(status, 'ordered_fault'),
  // RFC 9110 15.6.4 and 10.2.3.
  server_error: async () => errorAnswer(503, 'server_error', { 'Retry-After': '30' }),
  async lost(_, { answer }) {
    await answer()
    throw new ConnectionReset()
  },
}

const errorAnswer = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  withBody({ status, headers: { 'Content-Type': 'application/json', ...headers } }, JSON.stringify({ error }))

/** Some statuses have no body (RFC 9110 15.3.5, 15.3.6, 15.4.5). */
const withBody = ({ status = 200, headers = {} }: ResponseInit, body: BodyInit | null): Response =>
  new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
