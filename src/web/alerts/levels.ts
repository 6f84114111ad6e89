/** Decides which notification of the month is due, and records for all tabs which were shown. */
import { DAY_MS } from '../../contract/duration.ts'
import { count, flag, listOf, members } from '../../contract/json.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import { monthState, usedOf } from '../../contract/month-state.ts'

/** In per cent of the month's limit. Each is notified once a month. */
export const LEVELS = [50, 80, 95, 100] as const
type Level = (typeof LEVELS)[number]

/** One organization's notifications of a month. Exists while a person wants them; a sign-out removes it. */
export interface AlertRecord {
  /** The latest reset by this machine's clock, UNIX milliseconds. */
  resetsAtMs: number
  done: readonly number[]
  /** True from the notification that none are left until the one that requests are possible again. */
  blocked: boolean
}

/** `suspected`: the service refused, whatever this app has counted. */
export type Alert = Level | 'suspected' | 'available'

/** Closer resets are the same one: clocks and learnt zones move them. A month has at least 28 days. */
const SAME_MONTH_MS = 3 * DAY_MS

/** @param record absent on the first call, after which only changes are notified */
export function alertOf(
  month: MonthSnapshot,
  wallMs: number,
  record: AlertRecord | undefined,
): { alert?: Alert; record: AlertRecord } {
  const resetsAtMs = wallMs + month.resets_in_ms.latest
  const isBlocked = ['none', 'suspected'].includes(monthState(month))
  const reached = reachedBy(month)
  if (record === undefined) return { record: { resetsAtMs, done: reached, blocked: isBlocked } }
  // Between two months the count mixes both.
  if (month.may_have_reset) return { record }
  const isSameMonth = Math.abs(record.resetsAtMs - resetsAtMs) < SAME_MONTH_MS
  const done = isSameMonth ? record.done : []
  if (record.blocked && !isBlocked)
    return { alert: 'available', record: { resetsAtMs, done: union(done, reached), blocked: false } }
  const next = Math.max(0, ...reached.filter((level) => !done.includes(level)))
  const alert = next === 100 && month.suspected ? 'suspected' : LEVELS.find((level) => level === next)
  return {
    ...(alert && { alert }),
    record: {
      resetsAtMs,
      done: union(done, reached),
      blocked: record.blocked || (alert !== undefined && isBlocked),
    },
  }
}

const union = (a: readonly number[], b: readonly number[]): number[] =>
  [...new Set([...a, ...b])].toSorted((x, y) => x - y)

/** Requests that may count reach a level, except the last: that needs surely counted ones, or a refusal. */
function reachedBy(month: MonthSnapshot): Level[] {
  const { limit, suspected } = month
  const { low, high } = usedOf(month)
  return LEVELS.filter((level) => {
    if (level === 100 && suspected) return true
    if (limit === undefined) return false
    return (level === 100 ? low : high) >= (limit * level) / 100
  })
}

const recordKey = (owner: string): string => `plimsoll.alerts.${owner}`
const readAlertRecord = members({ resetsAtMs: count, done: listOf(count), blocked: flag }, {})

/** @param owner the organization, or the key if its organization is not known */
export function alertRecordOf(owner: string): AlertRecord | undefined {
  try {
    return readAlertRecord(JSON.parse(localStorage.getItem(recordKey(owner)) ?? ''))
  } catch {
    // There is no record, it is damaged, or the browser forbids the storage.
    return undefined
  }
}

/** @param record absent: no notifications are wanted. @returns false if the browser forbids the storage */
export function storeAlertRecord(owner: string, record: AlertRecord | undefined): boolean {
  try {
    if (record === undefined) localStorage.removeItem(recordKey(owner))
    else localStorage.setItem(recordKey(owner), JSON.stringify(record))
    return true
  } catch {
    return false
  }
}
