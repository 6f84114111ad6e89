/** A sentence for the whole chart, and a row for each point. */
import type { Forecast } from '../../contract/quota.ts'
import { type BurnDown, evenPaceAt, type LeftAt } from './burn-down.ts'
import { forecastWords, spanOf } from '../quota/month-words.ts'
import { sentences } from '../text/language.ts'
import { signedInText } from '../text/text.ts'
import { instantWords } from '../lib/time.ts'

export interface PointWords {
  point: LeftAt
  /** "69", or "at most 91–92" if others may have used some of them. */
  left: string
  source: string
}

/** In the order of time. */
export function pointsOf({ own, readings, organization }: BurnDown): PointWords[] {
  const { atMost, sources } = signedInText().burnDown
  const all = [
    ...own.map((point) => ({
      point,
      left: atMost(spanOf(point)),
      source: sources.own,
    })),
    ...[...readings, ...(organization ? [organization] : [])].map((point) => ({
      point,
      left: spanOf(point),
      source: point === organization ? sources.organization : sources.reading,
    })),
  ]
  return all.toSorted((a, b) => a.point.atMs - b.point.atMs)
}

export const pointWords = ({ point, left, source }: PointWords): string =>
  signedInText().burnDown.point(instantWords(point.atMs), left, source)

export function summaryOf(burnDown: BurnDown, forecast: Forecast | undefined): string {
  const { own, organization, limit } = burnDown
  const present = organization ?? own.at(-1)
  if (present === undefined) return ''
  const t = signedInText().burnDown
  const sentence = organization ? t.ofOrganization : t.ofAppAlone
  /** States for which the chart draws no line. */
  const withoutLine: { [State in Forecast['state']]?: string } = { used_up: t.usedUp, too_early: t.tooEarly }
  const words =
    forecast && (withoutLine[forecast.state] ?? forecastWords(forecast, present.atMs, !!organization))
  return sentences(sentence(spanOf(present), limit, evenPaceAt(burnDown, present.atMs)), words ?? '')
}
