/** The sentences of the last months. */
import { type MonthUse, sufficiencyOf } from '../../contract/months.ts'
import { PLANS } from '../../contract/plan.ts'
import { listText, monthWords, numberText, sentences, utcDayWords } from '../text/format.ts'
import { words } from '../text/text.ts'

/** Says for each plan in how many months it would have been enough, in which not, and what is not certain. */
export function planSentences(months: readonly MonthUse[]): string[] {
  const t = words().months
  const { plans } = words().organization
  const { standard } = PLANS
  const those = (wanted: string) =>
    months.filter((month, nth) => sufficiencyOf(standard, month, nth === 0) === wanted)
  const others = Object.entries(t.notEnough).map(([why, sentence]) => {
    const list = listText(those(why).map(({ month }) => monthWords(month)))
    return list && sentence(list)
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
  const t = words().months
  const name = plan ? words().organization.plans[plan] : t.noPlan
  const limited = limit === undefined ? name : t.limited(name, numberText(limit))
  return day === undefined ? limited : t.ranOut(limited, utcDayWords(day))
}
