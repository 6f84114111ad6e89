/** Parses a typed reading into a request, or names the fields that are wrong. */
import type { Problem } from '../../contract/problem.ts'
import { MOST_COUNT, type Reading, type ReadingRequest } from '../../contract/readings.ts'
import { typedNumber } from '../../contract/typed-number.ts'
import { type FieldErrors, typedIn } from '../components/form.tsx'
import { words } from '../text/text.ts'
import type { Entry } from './queries.ts'

const ERRORS = {
  count: () => words().readings.errors.count(MOST_COUNT),
  read_at: () => words().readings.errors.readAt,
}

/** The time is local, as the browser's field writes it: `2026-11-21T15:00`. Empty means now. */
export function entryIn(typed: FormData): { value: Entry } | { errors: FieldErrors } {
  const count = typedNumber(typedIn(typed, 'count'), { least: 0, most: MOST_COUNT })
  const time = typedIn(typed, 'read_at')
  const at = time === '' ? undefined : new Date(time)
  const isTime = at === undefined || !Number.isNaN(at.getTime())
  if (count === undefined || !isTime)
    return {
      errors: {
        ...(count === undefined && { count: ERRORS.count }),
        ...(!isTime && { read_at: ERRORS.read_at }),
      },
    }
  return { value: { request: { count, ...(at && { read_at: at.toISOString() }) } } }
}

/** The field that the server refused; absent for any other problem. */
export function refusedFields({ fault }: Problem): FieldErrors | undefined {
  const { count, read_at } = ERRORS
  if (fault?.startsWith('read_at')) return { read_at }
  return fault === 'count_not_in_range' ? { count } : undefined
}

/** Higher ones read before it, back to the last reset. @param readings newest first, by time of reading */
export function contradicted(readings: readonly Reading[], { count, read_at }: ReadingRequest): Reading[] {
  const before = readings.filter((reading) => read_at === undefined || isBefore(reading.read_at, read_at))
  const reset = before.findIndex((reading, at) => reading.count > (before[at - 1]?.count ?? Infinity))
  return before.slice(0, reset === -1 ? undefined : reset).filter((reading) => reading.count > count)
}

const isBefore = (a: string, b: string): boolean => Date.parse(a) <= Date.parse(b)
