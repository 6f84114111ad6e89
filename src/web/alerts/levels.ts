/** Which notification of the month is due: each level once a month, and once that requests are possible again. */
import { DAY_MS } from '../../contract/duration.ts'
import { count, flag, listOf, members } from '../../contract/json.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import { monthState, usedOf } from '../quota/month-state.ts'

/** Parts of the month's limit, in per cent. */
export const LEVELS = [50, 80, 95, 100] as const
type Level = (typeof LEVELS)[number]

/** What was notified of one organization, in one month. */
export interface AlertRecord {
  /** The latest reset of that month by this machine's clock, UNIX milliseconds. */
  resetsAtMs: number
  done: readonly number[]
  /** It was notified that none are left, and not yet that some are again. */
  blocked: boolean
}

/** `suspected`: the service refused, whatever was counted. */
export type Alert = Level | 'suspected' | 'available'

/** A month has 28 days at least, so resets this close are one: they move as clocks do, and as a time zone is learnt. */
const SAME_MONTH_MS = 3 * DAY_MS

/** @param record absent: this is the first look, after which only what changes is notified */
export function alertOf(
  month: MonthSnapshot,
  wallMs: number,
  record: AlertRecord | undefined,
): { alert?: Alert; record: AlertRecord } {
  const resetsAtMs = wallMs + month.resets_in_ms.latest
  const isBlocked = ['none', 'suspected'].includes(monthState(month))
  const reached = reachedBy(month)
  if (record === undefined) return { record: { resetsAtMs, done: reached, blocked: isBlocked } }
  // Between the months the count is of both.
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

/** By what may count, except that none are left: that has to be sure, or what the service seems to have answered. */
function reachedBy(month: MonthSnapshot): Level[] {
  const { limit, suspected } = month
  const { low, high } = usedOf(month)
  return LEVELS.filter((level) => {
    if (level === 100 && suspected) return true
    if (limit === undefined) return false
    return (level === 100 ? low : high) >= (limit * level) / 100
  })
}

const keyOf = (owner: string): string => `plimsoll.alerts.${owner}`
const readAlertRecord = members({ resetsAtMs: count, done: listOf(count), blocked: flag }, {})

/** @param owner the organization, or the key where its organization is not known */
export function alertRecordOf(owner: string): AlertRecord | undefined {
  try {
    return readAlertRecord(JSON.parse(localStorage.getItem(keyOf(owner)) ?? ''))
  } catch {
    // None, damaged, or a browser that forbids the storage.
    return undefined
  }
}

/** @param record absent: no notifications are wanted. @returns whether it is stored */
export function storeAlertRecord(owner: string, record: AlertRecord | undefined): boolean {
  try {
    if (record === undefined) localStorage.removeItem(keyOf(owner))
    else localStorage.setItem(keyOf(owner), JSON.stringify(record))
    return true
  } catch {
    return false
  }
}
