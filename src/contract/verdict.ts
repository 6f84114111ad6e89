/** The answer to "am I fine?": the one thing about the quota that a person needs to know first. */
import { monthState } from './month-state.ts'
import { pauseOf } from './pause.ts'
import type { Forecast, MonthSnapshot, QuotaSnapshot } from './quota.ts'
import type { Reason } from './reason.ts'

/**
 * `used_up`, `suspected`: the service refuses, or seems to refuse, for the month (8.3). `paused`: nothing is
 * sent for a while (8.2, 8.4). `unread`: nobody has entered the service's count, so others may have used
 * anything. `stale`: the newest reading is too old. `early`: too early for a forecast. `tight`: it lasts, but
 * only with the reserve.
 */
export type Verdict =
  | { state: 'used_up' | 'suspected' | 'unread' | 'stale' | 'may_have_reset' | 'unlimited' | 'unseen' }
  | { state: 'paused'; endsInMs: number; reasons: readonly Reason[] }
  | { state: 'runs_out'; inMs: number; isEarly: boolean }
  | { state: 'low' | 'tight' | 'on_track' | 'early'; perDay: number }

export type VerdictState = Verdict['state']

/**
 * What stops a person now comes before what may stop a person later.
 * @param elapsedMs since the snapshot came
 */
export function verdictOf(snapshot: QuotaSnapshot, elapsedMs = 0): Verdict {
  const { month } = snapshot
  const state = monthState(month)
  if (state === 'suspected') return { state }
  if (state === 'none') return { state: 'used_up' }
  const pause = pauseOf(snapshot, elapsedMs)
  if (pause) return { state: 'paused', endsInMs: pause.endsInMs, reasons: pause.reasons }
  if (state === 'unlimited' || state === 'unseen') return { state }
  if (month.may_have_reset) return { state: 'may_have_reset' }
  if (month.organization === undefined) return { state: 'unread' }
  return outlookOf(month, elapsedMs)
}

/** The outlook of a month with a limit and a reading. */
function outlookOf(month: MonthSnapshot, elapsedMs: number): Verdict {
  const { allowance_per_day: perDay = 0, forecast } = month
  const { state = 'too_early', early = false, runs_out_in_ms: inMs = 0 } = forecast ?? {}
  if (state === 'runs_out') return { state, inMs: Math.max(0, inMs - elapsedMs), isEarly: early }
  if (state === 'stale') return { state }
  if (monthState(month) === 'low' || perDay === 0) return { state: 'low', perDay }
  return { state: OUTLOOKS[state] ?? 'on_track', perDay }
}

const OUTLOOKS: { [State in Forecast['state']]?: 'early' | 'tight' } = { too_early: 'early', over: 'tight' }
