/** The minute: the reports of the three headers and of `GET /rate_limit` (2.2, 8.2, 8.4). */
import { ASSUMED, type Assumptions } from './assumptions.ts'
import { isJsonObject } from './json.ts'
import type { RequestKind } from './month.ts'
import { PLANS } from './plan.ts'

/** Read is GET, update is POST, PATCH, PUT and DELETE (8.2). */
export type RequestClass = (typeof REQUEST_CLASSES)[number]
export const REQUEST_CLASSES = ['read', 'update'] as const

/** Path of the rate-limit record, below {base_url} (4.3). */
export const RATE_LIMIT_PATH = '/rate_limit'

export const RATE_HEADERS = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const

/** The class of a method (8.2); `undefined` for methods without a class in the document. */
export function requestClass(method: string): RequestClass | undefined {
  if (method === 'GET') return 'read'
  return ['POST', 'PATCH', 'PUT', 'DELETE'].includes(method) ? 'update' : undefined
}

/** The report of one answer on one window; a missing or malformed field is absent. */
export interface RateReading {
  limit?: number
  /** As reported: it may be below zero, or above the limit. */
  remaining?: number
  resetAtSeconds?: number
  /** The reset that was reported is further away than any window. */
  isResetFar?: true
}

const WHOLE = /^[+-]?\d+$/
const LARGEST = 2 ** 31
const KNOWN_LIMITS: readonly number[] = Object.values(PLANS).flatMap((plan) => [
  plan.read_per_minute,
  plan.update_per_minute,
])

/**
 * Reads the three headers of an answer (8.4.2).
 * @param servedAtSeconds the service's time when it answered. It decides the unit of `reset`: 2.2 says
 *   seconds, 8.4 only "UNIX time".
 */
export function readRateHeaders(headers: Pick<Headers, 'get'>, servedAtSeconds: number): RateReading {
  const parts = (name: string) => {
    const list = (headers.get(name) ?? '').split(',').map((part) => part.trim())
    return list.every((part) => part === list[0]) ? list.slice(0, 1) : list
  }
  const [limits, remainings, resets] = [
    parts(RATE_HEADERS.limit),
    parts(RATE_HEADERS.remaining),
    parts(RATE_HEADERS.reset),
  ]
  // Unequal parts list windows: ours is the only one whose limit is a known limit of a minute.
  const ours = limits.flatMap((part, at) => (KNOWN_LIMITS.includes(Number(part)) ? [at] : []))
  const pick = (values: string[]) => {
    if (limits.length === 1) return values.length === 1 ? values[0] : undefined
    if (ours.length !== 1) return undefined
    return values.length === 1
      ? values[0]
      : values.length === limits.length
        ? values[ours[0] ?? 0]
        : undefined
  }
  return reading(pick(limits), pick(remainings), pick(resets), servedAtSeconds)
}

/** Reads the record of `GET /rate_limit` (2.2); a missing or malformed member is absent. */
export function readRateRecord(
  body: unknown,
  servedAtSeconds: number,
): { read?: RateReading; update?: RateReading } {
  if (!isJsonObject(body)) return {}
  const member = (value: unknown) => {
    if (!isJsonObject(value)) return undefined
    const text = (field: unknown) => (typeof field === 'number' ? String(field) : undefined)
    return reading(text(value['limit']), text(value['remaining']), text(value['reset']), servedAtSeconds)
  }
  const [read, update] = [member(body['get']), member(body['update'])]
  return { ...(read && { read }), ...(update && { update }) }
}

/** Makes one for each class that the record names. @param body the answer of `GET /rate_limit` */
export const observeRecord = (body: unknown, servedAtSeconds: number): Observation[] =>
  Object.entries(readRateRecord(body, servedAtSeconds)).map(([name, member]) => ({
    ...member,
    class: name as RequestClass,
    servedAtSeconds,
  }))

function reading(
  limitText: string | undefined,
  remainingText: string | undefined,
  resetText: string | undefined,
  servedAtSeconds: number,
): RateReading {
  // Adding 0 turns -0 into 0.
  const whole = (text = '') => (WHOLE.test(text) ? Number(text) + 0 : undefined)
  let limit = bounded(whole(limitText))
  const remaining = bounded(whole(remainingText))
  if ((limit ?? 0) < 0 || (limit === 0 && (remaining ?? 0) > 0)) limit = undefined
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...readReset(whole(resetText) ?? 0, servedAtSeconds),
  }
}

const bounded = (value: number | undefined) => (Math.abs(value ?? 0) > LARGEST ? undefined : value)

/** In seconds or milliseconds, or as a delay. @param value 0: none was reported */
function readReset(
  value: number,
  servedAtSeconds: number,
): Pick<RateReading, 'resetAtSeconds' | 'isResetFar'> {
  const isNear = (seconds: number) => seconds >= servedAtSeconds - 120 && seconds <= servedAtSeconds + 3600
  if (isNear(value)) return { resetAtSeconds: value }
  if (isNear(value / 1000)) return { resetAtSeconds: Math.ceil(value / 1000) }
  if (value >= 1 && value <= 3600) return { resetAtSeconds: servedAtSeconds + value }
  return value > servedAtSeconds ? { isResetFar: true } : {}
}

export interface Observation extends RateReading {
  class: RequestClass
  /** The service's time of the answer. */
  servedAtSeconds: number
}

/** The class that the headers describe: that of their limit, else the request's (8.4.4: not shown). */
export function attribute(
  reading: RateReading,
  requested: RequestClass,
  servedAtSeconds: number,
): Observation {
  const plans = Object.values(PLANS)
  const isRead = plans.some((plan) => plan.read_per_minute === reading.limit)
  const isUpdate = plans.some((plan) => plan.update_per_minute === reading.limit)
  const of = isRead === isUpdate ? requested : isRead ? 'read' : 'update'
  return { ...reading, class: of, servedAtSeconds }
}

/** The ledger's kinds of requests that count in the minute of reads (8.2). */
export const kindsInReadMinute = (
  assumed: Pick<Assumptions, 'rate_limit_read_counts_in_minute'> = ASSUMED,
): RequestKind[] => (assumed.rate_limit_read_counts_in_minute ? ['api.read', 'rate_limit'] : ['api.read'])
