/**
 * Records, sends and settles all requests of the bff to the service (8.3). Only `npm run doctor` sends one
 * that is not recorded, after it has asked (serve/doctor/spend.ts).
 */
import { isSuccess } from '../../contract/answer-meaning.ts'
import { readDate } from '../../contract/clock.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { isErrorBody } from '../../contract/error-body.ts'
import { Problem } from '../../contract/problem.ts'
import type { Admission, LedgerEntry } from '../../store/store.ts'
import { observeDate } from '../core/clock.ts'
import { briefly } from '../core/deferred-writes.ts'
import { type Context, type LogEntry, type Outgoing, serviceNowMs } from '../core/context.ts'
import { reserve, settleAnswered, settleUnanswered } from './ledger.ts'
import type { NoAnswerCode } from '../core/measurement.ts'

export interface ServiceRequest extends Omit<LedgerEntry, 'id' | 'atMs' | 'method'> {
  owner: string
  request: Outgoing
  /** Until the last byte of the answer; absent: as long as a person waits. */
  deadlineMs?: number | undefined
  /** At the service's time; absent: the request may be sent. */
  admissionAt?: (nowMs: number) => Admission
}

export interface ServiceAnswer {
  status: number
  headers: Pick<Headers, 'get'>
  text: string
  sentAtMs: number
  /** The answer's `Date`, or our estimate of it, UNIX seconds. */
  servedAtSeconds: number
}

/** Its entry in the ledger is still `reserved`. */
export interface UnsettledAnswer extends ServiceAnswer {
  settle: () => Promise<void>
}

/**
 * @throws Problem `upstream_down`, `upstream_timeout`, `unexpected_reply` (too large, or not HTTP); and,
 *   before anything is sent, `store_unavailable` and the errors of the admission
 */
export async function sendRequest(context: Context, request: ServiceRequest): Promise<ServiceAnswer> {
  const { settle, ...answer } = await sendUnsettled(context, request)
  await briefly(context, settle())
  return answer
}

/** As {@link sendRequest}, but in flight until the caller, who stores the answer's report first, settles. */
export async function sendUnsettled(
  context: Context,
  { request, deadlineMs, admissionAt, ...entry }: ServiceRequest,
): Promise<UnsettledAnswer> {
  const { id, atMs } = await reserve(context, { ...entry, method: request.method }, admissionAt)
  const sentAtMs = context.now()
  const { kind } = entry
  const tookMs = () => Math.max(0, context.now() - sentAtMs)
  const logRequest = (end: Pick<LogEntry, 'level' | 'status' | 'code'>) => {
    const { path, organization } = entry
    const { method } = request
    context.log({ event: 'upstream', kind, method, path, organization, ...end, took_ms: tookMs() })
  }
  let answer: ServiceAnswer
  try {
    const response = await context.upstream(request, deadlineMs)
    const text = await response.text()
    const { status, headers } = response
    const received = { status, headers, text, sentAtMs }
    answer = { ...received, servedAtSeconds: await servedAt(context, received, atMs) }
  } catch (cause) {
    const code = codeOf(cause)
    context.measure({ what: 'upstream', kind, result: code, tookMs: tookMs() })
    logRequest({ level: 'warn', code })
    await briefly(context, settleUnanswered(context, id, { sent: !wasNeverSent(cause) }))
    throw new Problem(code, {
      cause,
      retryInMs: (cause as { retryInMs?: number } | undefined)?.retryInMs,
    })
  }
  context.measure({ what: 'upstream', kind, result: answer.status, tookMs: tookMs() })
  logRequest({ level: 'info', status: answer.status })
  return { ...answer, settle: () => settleAnswered(context, id, answer.status, answer.text) }
}

/** @returns the service's time of the answer, UNIX seconds */
async function servedAt(
  context: Context,
  { status, headers, text, sentAtMs }: Omit<ServiceAnswer, 'servedAtSeconds'>,
  recordedAtMs: number,
): Promise<number> {
  const date = readDate(headers)
  if (date === undefined) return Math.floor(serviceNowMs(context) / SECOND_MS)
  const isGood = isSuccess(status) && !isErrorBody(text)
  return observeDate(context, { servedAtSeconds: date, sentAtMs, recordedAtMs, isGood })
}

/** Also looks at the causes of the error. */
const hasCode = (error: unknown, pattern: RegExp): boolean =>
  error instanceof Error &&
  (pattern.test(error.name) ||
    pattern.test(String((error as { code?: unknown }).code)) ||
    hasCode(error.cause, pattern))

// No byte of the request was sent: no name, route, listener, handshake or room (upstream.ts).
const NO_CONNECTION =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EPROTO|UND_ERR_CONNECT_TIMEOUT|UPSTREAM_BUSY)$|^(ERR_TLS|ERR_SSL|CERT|UNABLE_TO_VERIFY)_|_CERT/
const NO_HTTP = /EXCEEDED_MAX_SIZE|HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW/

const NO_ANSWER_CODES = [
  'upstream_timeout',
  'unexpected_reply',
  'upstream_down',
] as const satisfies NoAnswerCode[]

function codeOf(cause: unknown): NoAnswerCode {
  if (hasCode(cause, /TIMEOUT/i)) return 'upstream_timeout'
  return hasCode(cause, NO_HTTP) ? 'unexpected_reply' : 'upstream_down'
}

/** A request that ended in this Problem may have reached the service, and so may count. */
export const mayHaveArrived = ({ code, cause }: Problem): boolean =>
  NO_ANSWER_CODES.some((one) => one === code) && !wasNeverSent(cause)

/** No byte of the request left. */
export const wasNeverSent = (error: unknown): boolean => hasCode(error, NO_CONNECTION)
