/** Parses a typed reading into a request, or names the fields that are wrong. */
import type { Problem } from '../../contract/problem.ts'
import { MOST_COUNT, type Reading, type ReadingRequest } from '../../contract/readings.ts'

export interface FieldErrors {
  count?: true
  read_at?: true
}

export interface TypedReading {
  count: string
  /** In local time, as the browser's field writes it: `2026-11-21T15:00`. Empty means now. */
  read_at: string
}

export function requestOf(typed: TypedReading): { request?: ReadingRequest; errors: FieldErrors } {
  const digits = typed.count.trim()
  const at = typed.read_at === '' ? undefined : new Date(typed.read_at)
  const isCount = /^\d{1,6}$/.test(digits) && Number(digits) <= MOST_COUNT
  const isTime = at === undefined || !Number.isNaN(at.getTime())
  const errors = { ...(!isCount && { count: true }), ...(!isTime && { read_at: true }) } satisfies FieldErrors
  if (!isCount || !isTime) return { errors }
  return { request: { count: Number(digits), ...(at && { read_at: at.toISOString() }) }, errors }
}

/** The fields that the server refused; empty for any other problem. */
export function refusedFields({ fault }: Problem): FieldErrors {
  if (fault?.startsWith('read_at')) return { read_at: true }
  return fault === 'count_not_in_range' ? { count: true } : {}
}

/** Higher ones read before it, back to the last reset. @param readings newest first, by time of reading */
export function contradicted(readings: readonly Reading[], { count, read_at }: ReadingRequest): Reading[] {
  const before = readings.filter((reading) => read_at === undefined || isBefore(reading.read_at, read_at))
  const reset = before.findIndex((reading, at) => reading.count > (before[at - 1]?.count ?? Infinity))
  return before.slice(0, reset === -1 ? undefined : reset).filter((reading) => reading.count > count)
}

const isBefore = (a: string, b: string): boolean => Date.parse(a) <= Date.parse(b)
