/**
 * All requests of the bff to the service, in three steps: `begin` records one, `send` sends it, `finish`
 * records its outcome (8.3).
 */
import { isSuccess } from '../../contract/answer-meaning.ts'
import { CLOCK_JUMP_MS, isFromCache, readDate, serviceTimeMs } from '../../contract/clock.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { isTooDeep } from '../../contract/json.ts'
import { isPlainSuccess } from '../../contract/learn.ts'
import { Problem } from '../../contract/problem.ts'
import type { LedgerEntry, Settlement } from '../../store/store.ts'
import { observeDate } from '../core/clock.ts'
import {
  briefly,
  type Context,
  inBackground,
  type LogEntry,
  type Outgoing,
  serviceNowMs,
  untilStored,
  type Within,
} from '../core/context.ts'
import { randomText } from '../core/encryption.ts'
import type { NoAnswerCode } from '../core/measurement.ts'
import { describe } from '../core/problem.ts'
import { organizationTopic } from '../session/limit-owner.ts'

export interface ServiceAnswer {
  status: number
  headers: Pick<Headers, 'get'>
  text: string
  sentAtMs: number
  /** The answer's `Date`, or our estimate of it, UNIX seconds. */
  servedAtSeconds: number
}

/** What a person asked for. All requests that it causes carry its id. */
export interface Press {
  readonly id: string
  /** Refreshes that it has caused, and that may count (8.3). One under way is among them. */
  refreshes: number
  /** Another process was replacing the token at the same time, so the service may refuse the new one. */
  isRaced: boolean
}

export const newPress = (): Press => ({ id: randomText(9), refreshes: 0, isRaced: false })

type Begun<Found> = Found extends { instead: unknown } ? Found : Found & { row: LedgerEntry }

/**
 * Records a request that is about to be sent, and whatever `work` writes, in one transaction.
 * @param work gets the time of the row, which decides the month. It throws to refuse the request, or returns
 *   what there is `instead` of it. Then there is no row
 * @returns what `work` returned, with the row of the request if there is one
 * @throws Problem `store_unavailable` (it must not be sent), and the errors of `work`
 */
export async function begin<Found extends object>(
  context: Context,
  entry: Omit<LedgerEntry, 'id' | 'atMs'>,
  work: (inside: Within, atMs: number) => Promise<Found>,
): Promise<Begun<Found>> {
  const atMs = serviceNowMs(context)
  const row = { ...entry, id: `${atMs.toString(36)}-${randomText(9)}`, atMs }
  const found = await context.store.transaction(async (store) => {
    const topic = organizationTopic(entry.organization)
    // The store runs statements in the order in which they are sent.
    const [, found] = await Promise.all([store.lock(topic), work({ ...context, store }, atMs)])
    if (!('instead' in found)) await store.addEntry(row)
    return found
  })
  return ('instead' in found ? found : { ...found, row }) as Begun<Found>
}

/**
 * @param deadlineMs until the last byte of the answer; absent: as long as a person waits
 * @returns the answer, or Problem `upstream_down`, `upstream_timeout`, `unexpected_reply` (too large, or not
 *   HTTP)
 */
export async function send(
  context: Context,
  { kind, method, path, organization }: LedgerEntry,
  request: Outgoing,
  deadlineMs?: number,
): Promise<ServiceAnswer | Problem> {
  const sentAtMs = context.now()
  const ended = (result: number | NoAnswerCode, end: Pick<LogEntry, 'level' | 'status' | 'code'>) => {
    const tookMs = Math.max(0, context.now() - sentAtMs)
    context.measure({ what: 'upstream', kind, result, tookMs })
    context.log({ event: 'upstream', kind, method, path, organization, ...end, took_ms: tookMs })
  }
  let received: Omit<ServiceAnswer, 'servedAtSeconds'>
  try {
    const response = await context.upstream(request, deadlineMs)
    const { status, headers } = response
    const text = await response.text()
    // A body that nobody may parse is as good as none.
    received = { status, headers, text: isTooDeep(text) ? '' : text, sentAtMs }
  } catch (cause) {
    const code = codeOf(cause)
    ended(code, { level: 'warn', code })
    const { retryInMs } = (cause ?? {}) as { retryInMs?: number }
    return new Problem(code, { cause, retryInMs })
  }
  const { status } = received
  ended(status, { level: 'info', status })
  return { ...received, servedAtSeconds: servedAt(context, received) }
}

/** Records the outcome of a request, and whatever `work` writes, in one transaction. */
type Finish = <T>(work: (inside: Within) => Promise<T>) => Promise<T>

/**
 * Takes the time of the answer now, however late its outcome is stored.
 * @returns stores the outcome
 * @throws Problem `store_unavailable`: the row stays `reserved`, which counts as sent
 */
export function finishOf(context: Context, row: LedgerEntry, answer: ServiceAnswer | Problem): Finish {
  const nowMs = context.now()
  const settledAtMs = serviceNowMs(context)
  const settlement = { ...settlementOf(answer), ...movedTo(context, row, answer) }
  return (work) =>
    context.store.transaction(async (store) => {
      const inside = { ...context, now: () => nowMs, store }
      const [, result] = await Promise.all([store.lock(organizationTopic(row.organization)), work(inside)])
      await store.settle(row.id, settlement, settledAtMs)
      return result
    })
}

/**
 * In the background, and tried again for half a minute. The answer waits a moment for it.
 * @param isDecisive the caller waits for it: what it returns decides if another request is sent
 */
export function finish<T>(
  context: Context,
  row: LedgerEntry,
  answer: ServiceAnswer | Problem,
  work: (inside: Within) => Promise<T>,
  isDecisive = false,
): Promise<T | undefined> {
  const finishNow = finishOf(context, row, answer)
  const finished = untilStored(context, () => finishNow(work)).catch((cause: unknown) => {
    context.log({ level: 'warn', event: 'ledger', cause: describe(cause) })
    return undefined
  })
  return isDecisive ? inBackground(context.memory, finished) : briefly(context, finished)
}

/** When it was sent, if a wrong clock has recorded it and its own answer shows the right time (8.3). */
function movedTo(
  { memory }: Context,
  { atMs }: LedgerEntry,
  answer: ServiceAnswer | Problem,
): { atMs?: number } {
  if (answer instanceof Problem) return {}
  const sentAtMs = serviceTimeMs(memory.clock, answer.sentAtMs)
  return Math.abs(sentAtMs - atMs) > CLOCK_JUMP_MS ? { atMs: sentAtMs } : {}
}

/** The service may not have counted a success from a cache, or whose body is an error. */
function settlementOf(answer: ServiceAnswer | Problem): Settlement {
  if (answer instanceof Problem) return { outcome: mayHaveArrived(answer) ? 'uncertain' : 'void' }
  const { status, headers } = answer
  const isSure = !isSuccess(status) || (isPlainSuccess(answer) && !isFromCache(headers))
  return isSure ? { outcome: 'settled', status } : { outcome: 'uncertain' }
}

/** @returns the service's time of the answer, UNIX seconds */
function servedAt(context: Context, answer: Omit<ServiceAnswer, 'servedAtSeconds'>): number {
  const servedAtSeconds = readDate(answer.headers)
  if (servedAtSeconds !== undefined && isPlainSuccess(answer))
    observeDate(context, { servedAtSeconds, sentAtMs: answer.sentAtMs })
  const estimateMs = serviceNowMs(context)
  const isOfThisClock = Math.abs(estimateMs - (servedAtSeconds ?? 0) * SECOND_MS) <= CLOCK_JUMP_MS
  return servedAtSeconds !== undefined && isOfThisClock ? servedAtSeconds : Math.floor(estimateMs / SECOND_MS)
}

/** Also looks at the causes of the error. */
const hasCode = (error: unknown, pattern: RegExp): boolean =>
  error instanceof Error &&
  (pattern.test(error.name) ||
    pattern.test(String((error as { code?: unknown }).code)) ||
    hasCode(error.cause, pattern))

const NO_HTTP = /EXCEEDED_MAX_SIZE|HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW/

function codeOf(cause: unknown): NoAnswerCode {
  if (hasCode(cause, /TIMEOUT/i)) return 'upstream_timeout'
  return hasCode(cause, NO_HTTP) ? 'unexpected_reply' : 'upstream_down'
}

/** A request without an answer may have reached the service, and so may count, unless no byte of it left. */
export const mayHaveArrived = ({ cause }: Problem): boolean =>
  !(cause as { isUnsent?: boolean } | undefined)?.isUnsent
