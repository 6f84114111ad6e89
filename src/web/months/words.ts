/** The sentences of the last months. */
import { type MonthUse, type Sufficiency, sufficiencyOf } from '../../contract/months.ts'
import { type Plan, PLANS } from '../../contract/plan.ts'
import { utcDayWords } from '../chart/day-words.ts'
import { dateText, numberText, sentences } from '../text/language.ts'
import { sidePagesText, signedInText } from '../text/text.ts'

/** As "Nov 2026". */
export const monthWords = (month: string): string =>
  dateText(Date.parse(month), { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Says for each plan in how many months it would have been enough, and in which it would not. */
export const planSentences = (months: readonly MonthUse[]): string[] =>
  [PLANS.standard, PLANS.business].map((plan) => planSentence(plan, months))

function planSentence(plan: Plan, months: readonly MonthUse[]): string {
  const t = sidePagesText().months
  const { plans, comma } = signedInText().organization
  const name = plans[plan.name]
  if (plan.per_month === undefined) return t.unlimited(name)
  const those = (wanted: Sufficiency) => months.filter((month) => sufficiencyOf(plan, month) === wanted)
  const list = (wanted: Sufficiency) =>
    those(wanted)
      .map(({ month }) => monthWords(month))
      .join(comma)
  const [short, unclear] = [list('too_little'), list('unknown')]
  return sentences(
    t.enough(name, numberText(plan.per_month), numberText(those('enough').length), numberText(months.length)),
    short && t.tooLittle(short),
    unclear && t.unclear(unclear),
  )
}

/** "Standard, 100 a month · ran out on 21 Nov". */
export function monthPlanWords({ plan, limit, ran_out_on: day }: MonthUse): string {
  const t = sidePagesText().months
  const name = plan && signedInText().organization.plans[plan]
  const limited = name && limit !== undefined ? t.limited(name, numberText(limit)) : name
  const words = limited ?? t.noPlan
  return day === undefined ? words : t.ranOut(words, utcDayWords(day))
}
