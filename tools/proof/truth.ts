/** Tells the truth about the month and the findings, by the choices and the service's own count. */
import { DAY_MS, HOUR_MS } from '../../src/contract/duration.ts'
import type { FindingName } from '../../src/contract/evidence.ts'
import { monthBounds } from '../../src/contract/month.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { costOf, isToken } from './call.ts'
import type { World } from './world.ts'

/** Every offset that a time zone may have from UTC: any of them may have been reset last. */
const OFFSETS_MS = Array.from({ length: 26 * 4 + 1 }, (_, at) => 14 * HOUR_MS - (at * HOUR_MS) / 4)

/** A client learns a wrong clock with the first answer, so either clock may have dated an instant. */
export const isClockRight = ({ skew }: Choices): boolean => skew === 'none' || skew === 'no_date'

function monthStart(ms: number, offsetMs: number): number {
  const local = new Date(ms + offsetMs)
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - offsetMs
}

/** True if a month begins between the instants in some zone. */
export const isResetBetween = (fromMs: number, toMs: number): boolean =>
  OFFSETS_MS.some((offset) => monthStart(fromMs, offset) < monthStart(toMs, offset))

/** Requests not certainly counted, and those that are in this month in some zones only (8.3). */
export function unknownRequests(sent: readonly { atMs: number; isSure: boolean }[], nowMs: number): number {
  const starts = OFFSETS_MS.map((offset) => monthStart(nowMs, offset))
  const [earliest, latest] = [Math.min(...starts), Math.max(...starts)]
  return sent.filter(({ atMs, isSure }) => atMs >= earliest && (!isSure || atMs < latest)).length
}

/**
 * The earliest and latest end of an instant's month over all zones.
 * @param learnt lists of zones, if the client has found out in which the month may be reset
 */
export function lastResetMs(ms: number, learnt: Iterable<string>): { least: number; most: number } {
  const last = lastOf(OFFSETS_MS.map((offset) => monthStart(monthStart(ms, offset) + 32 * DAY_MS, offset)))
  const inZones = [...learnt].map((zones) =>
    lastOf(zones.split(', ').map((zone) => monthBounds(ms, zone).endMs)),
  )
  // The client reads the service's clock only to the second.
  return { least: Math.min(last, ...inZones) - HOUR_MS, most: last + HOUR_MS }
}

/** A zone that is in the next month already has its own reset a month later. */
const lastOf = (ends: readonly number[]): number =>
  Math.max(...ends.filter((end) => end < Math.min(...ends) + 2 * DAY_MS))

type Truth = Pick<World, 'app' | 'calls' | 'choices'>

const isTokenCounted = ({ calls }: Truth): string => (costOf(calls.filter(isToken)) > 0 ? 'yes' : 'no')

const IS_TRUE: { [Name in FindingName]?: (value: string, truth: Truth) => boolean } = {
  token_code_counts: (value, truth) => value === isTokenCounted(truth),
  token_refresh_counts: (value, truth) => value === isTokenCounted(truth),
  rate_limit_counts: (value, { choices }) =>
    value === (choices.ratelimitcount === 'minute_and_month' ? 'yes' : 'no'),
  // Failures of one sort may count while others do not; here is a service that counts none.
  failed_requests_count: (value, { choices: { failcount, refusedcount } }) =>
    value === 'no' && failcount === 'only_2xx' && !refusedcount.includes('month'),
  month_zones: (value, { choices, app }) =>
    !isClockRight(choices) ||
    Object.values(app.sandbox.state().months).every(({ starts_at_ms: startMs, ends_at_ms: endMs }) =>
      value.split(', ').some((zone) => {
        const bounds = monthBounds(startMs, zone)
        return bounds.startMs === startMs && bounds.endMs === endMs
      }),
    ),
}

export const isFindingTrue = (name: FindingName, value: string, truth: Truth): boolean =>
  IS_TRUE[name]?.(value, truth) ?? true
