/** Injected faults make the next requests of an operation fail in a given way. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { isJsonObject } from '../../contract/json.ts'

export const OPERATIONS = [
  'authorize',
  'token',
  'organization',
  'organizations',
  'rate_limit',
  'any',
] as const
export type Operation = (typeof OPERATIONS)[number]

/** The description says if the request takes effect. */
export const FAULT_KINDS = {
  delay: 'answered after a while',
  hang: 'never answered, without effect',
  reset: 'the connection breaks, without effect',
  truncate: 'takes effect; the connection breaks after half of the body',
  garbage: 'takes effect; bytes without meaning arrive',
  html: 'a page of a proxy, without effect',
  status: 'another status, without effect',
  server_error: 'an outage of the service itself, without effect',
  lost: 'takes effect; the connection breaks before the answer',
} as const
export type FaultKind = keyof typeof FAULT_KINDS

export interface InjectedFault {
  operation: Operation
  kind: FaultKind
  /** The requests that still get the fault. */
  times: number
  /** For the kind `delay`. */
  ms?: number
  /** For the kinds `status` and `html`. */
  status?: number
}

/** @throws Error that names the first mistake */
export function parseFault(value: unknown): InjectedFault {
  if (!isJsonObject(value)) throw new Error('A fault must be an object')
  const { operation, kind, times = 1, ms, status, ...others } = value
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new Error(`A fault has no member ${unknown}`)
  if (!OPERATIONS.includes(operation as Operation))
    throw new Error(`operation must be one of: ${OPERATIONS.join(', ')}`)
  if (typeof kind !== 'string' || !Object.hasOwn(FAULT_KINDS, kind))
    throw new Error(`kind must be one of: ${Object.keys(FAULT_KINDS).join(', ')}`)
  const numbers = Object.entries({ times, ms, status }).filter(([, number]) => number !== undefined)
  for (const [name, number] of numbers) assertWhole(name as keyof typeof RANGES, number)
  return { operation, kind, ...Object.fromEntries(numbers) } as InjectedFault
}

const RANGES = { times: [1, 10_000], ms: [0, DAY_MS], status: [200, 599] } as const

function assertWhole(name: keyof typeof RANGES, value: unknown): void {
  const [least, most] = RANGES[name]
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw new Error(`${name} must be a whole number from ${least} to ${most}`)
}

/** The last use of a fault deletes it. */
export function consumeFault(faults: InjectedFault[], operation: Operation): InjectedFault | undefined {
  const at = faults.findIndex((fault) => fault.operation === operation || fault.operation === 'any')
  const fault = faults[at]
  if (fault === undefined) return undefined
  fault.times -= 1
  if (fault.times <= 0) faults.splice(at, 1)
  return fault
}

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
const DEFAULT_DELAY_MS = SECOND_MS

/** `answer` gives the answer without the fault. */
interface FaultParts {
  answer: () => Promise<Response>
  wait: (ms: number) => Promise<void>
  /** The answer during an outage (`fivexx`). */
  outage: () => Response
}

/** @throws ConnectionReset */
export const answerWithFault = (fault: InjectedFault, parts: FaultParts): Promise<Response> =>
  FAULT_ANSWERS[fault.kind](fault, parts)

const FAULT_ANSWERS: Record<FaultKind, (fault: InjectedFault, parts: FaultParts) => Promise<Response>> = {
  async delay({ ms = DEFAULT_DELAY_MS }, { answer, wait }) {
    await wait(ms)
    return answer()
  },
  async hang(_, { wait }) {
    await wait(HANG_MS)
    throw new ConnectionReset()
  },
  reset: () => Promise.reject(new ConnectionReset()),
  async truncate(_, { answer }) {
    const whole = await answer()
    const body = new Uint8Array(await whole.arrayBuffer())
    if (body.length === 0) throw new ConnectionReset()
    const headers = new Headers(whole.headers)
    headers.set('Content-Length', String(body.length))
    const half = body.slice(0, Math.floor(body.length / 2))
    throw new ConnectionReset(new Response(half, { status: whole.status, headers }))
  },
  async garbage(_, { answer }) {
    return withBody(await answer(), new Uint8Array([0, 255, 254, 123, 34, 192, 128, 0, 10]))
  },
  html: async ({ status = 502 }) =>
    new Response('<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>', {
      status,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    }),
  status: async ({ status = 503 }) =>
    new Response([204, 205, 304].includes(status) ? null : '{"error":"ordered_fault"}', {
      status,
      headers: { 'Content-Type': 'application/json' },
    }),
  server_error: async (_, { outage }) => outage(),
  async lost(_, { answer }) {
    await answer()
    throw new ConnectionReset()
  },
}

const withBody = ({ status, headers }: Response, body: Uint8Array<ArrayBuffer>): Response =>
  new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
