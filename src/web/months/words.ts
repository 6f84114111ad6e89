/** The sentences of the last months. */
import { type MonthUse, sufficiencyOf } from '../../contract/months.ts'
import { PLANS } from '../../contract/plan.ts'
import { utcDayWords } from '../chart/day-words.ts'
import { dateText, numberText, sentences } from '../text/language.ts'
import { sidePagesText, signedInText } from '../text/text.ts'

/** As "Nov 2026". */
export const monthWords = (month: string): string =>
  dateText(Date.parse(month), { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Says for each plan in how many months it would have been enough, in which not, and what is not certain. */
export function planSentences(months: readonly MonthUse[]): string[] {
  const t = sidePagesText().months
  const { plans, comma } = signedInText().organization
  const { standard } = PLANS
  const those = (wanted: string) =>
    months.filter((month, nth) => sufficiencyOf(standard, month, nth === 0) === wanted)
  const others = Object.entries(t.notEnough).map(([why, words]) => {
    const list = those(why)
      .map(({ month }) => monthWords(month))
      .join(comma)
    return list && words(list)
  })
  const enough = those('enough').length
  return [
    sentences(
      t.enough(plans.standard, numberText(standard.per_month), numberText(enough), numberText(months.length)),
      ...others,
    ),
    t.unlimited(plans.business),
  ]
}

/** "Standard, 100 a month · ran out on 21 Nov". */
export function monthPlanWords({ plan, limit, ran_out_on: day }: MonthUse): string {
  const t = sidePagesText().months
  const name = plan ? signedInText().organization.plans[plan] : t.noPlan
  const words = limit === undefined ? name : t.limited(name, numberText(limit))
  return day === undefined ? words : t.ranOut(words, utcDayWords(day))
}
