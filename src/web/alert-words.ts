/** The words of the title and of notifications. */
import type { MonthSnapshot } from '../contract/quota.ts'
import type { Alert } from './alert-levels.ts'
import { leftOf, monthState } from './month-state.ts'
import { countWords, resetSpan, resetWords, spanOf } from './month-words.ts'

/** What stands before the title: only while the month is low or used up, else empty. */
export function titleMark(month: MonthSnapshot): string {
  const state = monthState(month)
  if (state === 'suspected') return '■ probably used up'
  if (state === 'none') return '■ none left'
  if (state !== 'low' || month.limit === undefined) return ''
  const left = leftOf(month, month.limit)
  return month.organization ? `▲ ${spanOf(left)} left` : `▲ at most ${left.high} left`
}

/** @param wallMs Date.now() when the snapshot came */
export function alertWords(
  alert: Alert,
  month: MonthSnapshot,
  wallMs: number,
): { title: string; body: string } {
  const reset = `It is reset ${resetWords(resetSpan(month, wallMs))}.`
  if (alert === 'available') return { title: 'Requests are possible again', body: countWords(month) }
  if (alert === 'suspected')
    return { title: 'The month is probably used up', body: `The service refused a request. ${reset}` }
  if (alert === 100) return { title: 'No requests of the month are left', body: reset }
  return { title: `${alert} % of the month may be used`, body: countWords(month) }
}
