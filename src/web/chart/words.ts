/** The words of the chart: a sentence for all of it, and those of each point. */
import { type BurnDown, type ChartPoint, evenPaceAt } from './burn-down.ts'
import { leftWords } from '../quota/words.ts'
import { dayWords, instantWords, numberText, rangeText, sentences, utcDayWords } from '../text/format.ts'
import { words } from '../text/text.ts'

/** A day of UTC has its own name, though it ends on another one for most readers. */
export function whenWords({ firstMs }: BurnDown, { atMs, kind }: ChartPoint): string {
  if (kind === 'start') return dayWords(firstMs)
  return kind === 'day' ? utcDayWords(atMs - 1) : instantWords(atMs)
}

export const pointLeftWords = ({ isWhole }: BurnDown, point: ChartPoint): string =>
  leftWords(point, isWhole, words().burnDown.atMost)

export const pointWords = (burnDown: BurnDown, point: ChartPoint): string =>
  words().burnDown.point(whenWords(burnDown, point), pointLeftWords(burnDown, point))

/** Where the present pace leads; empty without a forecast. */
export function endWords({ forecast }: BurnDown): string {
  if (forecast === undefined) return ''
  const { end } = words().burnDown
  const { left, atMs, runsOut, early } = forecast
  const said = runsOut ? end.runsOut(dayWords(atMs)) : end.left(numberText(left))
  return early ? end.early(said) : said
}

export function summaryOf(burnDown: BurnDown): string {
  const { isWhole, limit, nowMs, points } = burnDown
  const t = words().burnDown
  const present = points.at(-1)
  if (present === undefined) return ''
  const { low, high } = present
  const end = endWords(burnDown)
  return sentences(
    isWhole
      ? t.summary(rangeText({ low, high }), numberText(limit))
      : t.summaryAtMost(numberText(high), numberText(limit)),
    t.even(numberText(evenPaceAt(burnDown, nowMs))),
    end && t.forecast(end),
  )
}
