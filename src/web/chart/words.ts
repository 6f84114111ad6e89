/** The words of the chart: a sentence for all of it, and those of each point. */
import { type BurnDown, type ChartPoint, evenPaceAt } from './burn-down.ts'
import { utcDayWords } from './day-words.ts'
import { leftWords, spanOf } from '../quota/month-words.ts'
import { numberText, sentences } from '../text/language.ts'
import { signedInText } from '../text/text.ts'
import { dayWords, instantWords } from '../lib/time.ts'

/** A day of UTC has its own name, though it ends on another one for most readers. */
export function whenWords({ firstMs }: BurnDown, { atMs, kind }: ChartPoint): string {
  if (kind === 'start') return dayWords(firstMs)
  return kind === 'day' ? utcDayWords(atMs - 1) : instantWords(atMs)
}

export const pointLeftWords = ({ isWhole }: BurnDown, point: ChartPoint): string =>
  leftWords(point, isWhole, signedInText().burnDown.atMost)

export const pointWords = (burnDown: BurnDown, point: ChartPoint): string =>
  signedInText().burnDown.point(whenWords(burnDown, point), pointLeftWords(burnDown, point))

/** Where the present pace leads; empty without a forecast. */
export function endWords({ forecast }: BurnDown): string {
  if (forecast === undefined) return ''
  const { end } = signedInText().burnDown
  const { left, atMs, runsOut, early } = forecast
  const words = runsOut ? end.runsOut(dayWords(atMs)) : end.left(numberText(left))
  return early ? end.early(words) : words
}

export function summaryOf(burnDown: BurnDown): string {
  const { isWhole, limit, nowMs, points } = burnDown
  const t = signedInText().burnDown
  const present = points.at(-1)
  if (present === undefined) return ''
  const { low, high } = present
  const end = endWords(burnDown)
  return sentences(
    isWhole
      ? t.summary(spanOf({ low, high }), numberText(limit))
      : t.summaryAtMost(numberText(high), numberText(limit)),
    t.even(numberText(evenPaceAt(burnDown, nowMs))),
    end && t.forecast(end),
  )
}
