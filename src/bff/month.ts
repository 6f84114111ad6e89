/** The ledger, and with it the one door to the service: every request is written down before it is sent (8.3). */
import { observeClock, readDate, serviceTimeMs } from '../contract/clock.ts'
import { isErrorBody } from '../contract/error-body.ts'
import { countRequests, type MonthCount, monthsAt, spanOf } from '../contract/month.ts'
import { Problem } from '../contract/problem.ts'
import type { LedgerEntry } from '../store/store.ts'
import type { House } from './house.ts'
import { describe } from './problem.ts'
import { randomText } from './seal.ts'

/** A request to the service, and what the ledger says of it. */
export interface Order extends Omit<LedgerEntry, 'id' | 'atMs' | 'method'> {
  request: Request
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  sentAtMs: number
  /** The service's time of the answer, UNIX seconds: its `Date`, or our best guess of its clock. */
  servedAtSeconds: number
}

/** The service's time now, UNIX milliseconds. */
export const serviceNowMs = (house: House): number => serviceTimeMs(house.memory.clock, house.now())

/**
 * Writes the request down, sends it, and writes down how it ended. Never sends what could not be written down.
 * @throws Problem `store_unavailable` (nothing was sent), `upstream_down`, `upstream_timeout`
 */
export async function send(house: House, { request, ...order }: Order): Promise<Answer> {
  const atMs = serviceNowMs(house)
  const id = `${Math.floor(atMs).toString(36).padStart(9, '0')}-${randomText(9)}`
  await house.store.reserve({ ...order, id, method: request.method, atMs })
  const sentAtMs = house.now()
  try {
    const response = await house.upstream(request)
    const text = await response.text()
    const receivedAtMs = house.now()
    const date = readDate(response.headers)
    if (date !== undefined) {
      house.memory.clock = observeClock(house.memory.clock, { servedAtSeconds: date, sentAtMs, receivedAtMs })
    }
    // A success that carries an error was none, and may not have been counted.
    const { status } = response
    await settle(house, id, {
      outcome: 'settled',
      ...(isSuccess(status) && isErrorBody(text) ? {} : { status }),
    })
    house.log({
      level: 'info',
      event: 'upstream',
      method: request.method,
      path: order.path,
      organization: order.organization,
      status: response.status,
      took_ms: receivedAtMs - sentAtMs,
    })
    const servedAtSeconds = date ?? Math.floor(serviceNowMs(house) / 1000)
    return { status: response.status, headers: response.headers, text, sentAtMs, servedAtSeconds }
  } catch (cause) {
    await settle(house, id, { outcome: neverLeft(cause) ? 'void' : 'uncertain' })
    throw new Problem(noAnswer(cause), { cause })
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** A settlement that cannot be written is no reason to lose an answer that was paid for: the entry stays `reserved`, which counts. */
async function settle(
  house: House,
  id: string,
  settlement: Parameters<House['store']['settle']>[1],
): Promise<void> {
  try {
    await house.store.settle(id, settlement, serviceNowMs(house))
  } catch (cause) {
    house.log({ level: 'warn', event: 'ledger', cause: describe(cause) })
  }
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { code } = error as { code?: unknown }
  return [error.name, ...(typeof code === 'string' ? [code] : []), ...codesOf(error.cause)]
}

// No name, no route, no listener, no handshake: the request's first byte was never written.
const NO_CONNECTION =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EPROTO|UND_ERR_CONNECT_TIMEOUT|ERR_(TLS|SSL)_.*|CERT_.*|.*_CERT.*|UNABLE_TO_VERIFY_.*)$/

const NO_ANSWERS = ['upstream_timeout', 'unexpected_reply', 'upstream_down'] as const

function noAnswer(cause: unknown): (typeof NO_ANSWERS)[number] {
  const codes = codesOf(cause).join(' ')
  if (/TIMEOUT/i.test(codes)) return 'upstream_timeout'
  // An answer came, but one that is too large or is not HTTP.
  return /EXCEEDED_MAX_SIZE|HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW/.test(codes)
    ? 'unexpected_reply'
    : 'upstream_down'
}

/** Whether a request that ended in this Problem may have reached the service, and so may count. */
export const mayHaveArrived = ({ code, cause }: Problem): boolean =>
  NO_ANSWERS.some((no) => no === code) && !neverLeft(cause)

const neverLeft = (error: unknown) => codesOf(error).some((code) => NO_CONNECTION.test(code))

/** The month of one organization as this app knows it: how many requests, and when the count is reset, over all candidate zones. */
export async function readMonth(
  house: House,
  organization: string,
): Promise<MonthCount & { resetsInMs: { earliest: number; latest: number } }> {
  const nowMs = serviceNowMs(house)
  const bounds = monthsAt(nowMs)
  const tallies = await Promise.all(bounds.map(({ startMs }) => house.store.tally(organization, startMs)))
  const ends = bounds.map(({ endMs }) => endMs - nowMs)
  return {
    ...spanOf(tallies.map((list) => countRequests(list))),
    resetsInMs: { earliest: Math.min(...ends), latest: Math.max(...ends) },
  }
}
