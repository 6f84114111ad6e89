/** Sentences of the month that several parts of the page show, with dates in the reader's zone. */
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { Interval } from '../../contract/month.ts'
import { resetSpan, usedOf } from '../../contract/month-state.ts'
import { instantWords, numberText, rangeText } from '../text/format.ts'
import { words } from '../text/text.ts'

/** "55", "53–55", or "at most 99" where other apps may have used some. */
export const leftWords = (left: Interval, isWhole: boolean, atMost: (count: string) => string): string =>
  isWhole ? rangeText(left) : atMost(numberText(left.high))

export function countWords(month: MonthSnapshot): string {
  const t = words().month.count
  const { limit, organization } = month
  if (limit === undefined) return t.unlimited
  if (organization === undefined) return t.own(rangeText(month), numberText(limit))
  return t.organization(rangeText(usedOf(month)), numberText(limit), rangeText(month))
}

/** "between 30 Nov 10:00 and 1 Dec 12:00". @param atMs when the snapshot came, by the server's clock */
export function resetWords(month: MonthSnapshot, atMs: number): string {
  const t = words().month
  const { low, high } = resetSpan(month, atMs)
  return low === high ? t.resetsAt(instantWords(low)) : t.resetsBetween(instantWords(low), instantWords(high))
}
