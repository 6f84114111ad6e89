/** The chart of the month in words: a sentence for the whole, and a row for each of its points. */
import type { Forecast } from '../contract/quota.ts'
import { type BurnDown, evenPaceAt, type LeftAt } from './burn-down.ts'
import { forecastWords } from './forecast-words.ts'
import { spanOf } from './month-words.ts'
import { instantWords } from './time.ts'

export interface PointWords {
  point: LeftAt
  /** "69", "at most 91–92": others may have used some of those. */
  left: string
  source: string
}

/** All points in the order of time. */
export function pointsOf({ own, readings, organization }: BurnDown): PointWords[] {
  const all = [
    ...own.map((point) => ({
      point,
      left: `at most ${spanOf(point)}`,
      source: 'by the requests of this app alone',
    })),
    ...[...readings, ...(organization ? [organization] : [])].map((point) => ({
      point,
      left: spanOf(point),
      source:
        point === organization
          ? 'by the newest reading and what came after it'
          : 'by a reading of the service’s own count',
    })),
  ]
  return all.toSorted((a, b) => a.point.atMs - b.point.atMs)
}

export const pointWords = ({ point, left, source }: PointWords): string =>
  `${instantWords(point.atMs)}: ${left} left, ${source}`

export function summaryOf(burnDown: BurnDown, forecast: Forecast | undefined): string {
  const { own, organization, limit } = burnDown
  const present = organization ?? own.at(-1)
  if (present === undefined) return ''
  const left = organization
    ? `${spanOf(organization)} of ${limit} left, by the newest reading and what came after it`
    : `At most ${spanOf(present)} of ${limit} left, since others spend from the same month`
  const pace = `an even use of the month would have left ${evenPaceAt(burnDown, present.atMs)}`
  const words =
    forecast && (WITHOUT_LINE[forecast.state] ?? forecastWords(forecast, present.atMs, !!organization))
  return [`${left}; ${pace}.`, words].filter(Boolean).join(' ')
}

/** What the chart states where there is no line to follow. */
const WITHOUT_LINE: { [State in Forecast['state']]?: string } = {
  used_up: 'Nothing is left until the reset.',
  too_early: 'It is too early for a forecast.',
}
