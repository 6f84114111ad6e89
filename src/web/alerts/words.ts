/** The words of the title and of notifications. */
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { Alert } from './levels.ts'
import { leftOf, monthState } from '../../contract/month-state.ts'
import { monthCountWords, resetSpan, resetWords } from '../quota/words.ts'
import { numberText, rangeText } from '../text/format.ts'
import { words } from '../text/text.ts'

/** Empty unless the month is low or used up. */
export function titleMark(month: MonthSnapshot): string {
  const t = words().alert.mark
  const state = monthState(month)
  if (state === 'suspected' || state === 'none') return t[state]
  if (state !== 'low' || month.limit === undefined) return ''
  const left = leftOf(month, month.limit)
  return month.organization ? t.left(rangeText(left)) : t.atMost(numberText(left.high))
}

/** @param wallMs the server's time when the snapshot came */
export function alertWords(
  alert: Alert,
  month: MonthSnapshot,
  wallMs: number,
): { title: string; body: string } {
  const t = words().alert
  const reset = t.reset(resetWords(resetSpan(month, wallMs)))
  if (alert === 'available') return { title: t.available, body: monthCountWords(month) }
  if (alert === 'suspected') return { title: t.suspected, body: `${t.refused} ${reset}` }
  if (alert === 100) return { title: t.none, body: reset }
  return { title: t.used(numberText(alert)), body: monthCountWords(month) }
}
