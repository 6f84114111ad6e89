/** The chart of the month in words: a sentence for the whole, and a row for each of its points. */
import type { Forecast } from '../contract/quota.ts'
import { type BurnDown, evenPaceAt, type LeftAt } from './burn-down.ts'
import { instantWords, spanCount } from './ledger-words.ts'
import { plural } from './time.ts'

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
      left: `at most ${spanCount(point)}`,
      source: 'by the requests of this app alone',
    })),
    ...[...readings, ...(organization ? [organization] : [])].map((point) => ({
      point,
      left: spanCount(point),
      source:
        point === organization
          ? 'by the newest reading and what came after it'
          : 'by a reading of the service’s own count',
    })),
  ]
  return all.toSorted((a, b) => a.point.atMs - b.point.atMs)
}

const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

export const pointWords = ({ point, left, source }: PointWords): string =>
  `${instantWords(point.atMs)}: ${left} left, ${source}`

export function summaryOf(burnDown: BurnDown, forecast: Forecast | undefined): string {
  const { own, organization, limit } = burnDown
  const present = organization ?? own.at(-1)
  if (present === undefined) return ''
  const left = organization
    ? `${spanCount(organization)} of ${limit} left, by the newest reading and what came after it`
    : `At most ${spanCount(present)} of ${limit} left, since others spend from the same month`
  const pace = `an even use of the month would have left ${evenPaceAt(burnDown, present.atMs)}`
  return [`${left}; ${pace}.`, forecastWords(burnDown, forecast)].filter(Boolean).join(' ')
}

function forecastWords({ forecast: line }: BurnDown, forecast: Forecast | undefined): string {
  if (forecast === undefined) return ''
  const { state, difference = 0, runs_out_in_ms: runsOutInMs } = forecast
  if (state === 'runs_out' && line && runsOutInMs !== undefined)
    return `At this pace it lasts until ${DATE.format(line.to.atMs)}.`
  if (state === 'under') return `At this pace ${plural(difference, 'request')} will be left at the reset.`
  if (state === 'over')
    return `At this pace ${plural(difference, 'request')} of the reserve will be used by the reset.`
  return FORECAST_WORDS[state] ?? ''
}

const FORECAST_WORDS: { [State in Forecast['state']]?: string } = {
  on_pace: 'At this pace it lasts until the reset.',
  used_up: 'Nothing is left until the reset.',
  too_early: 'It is too early for a forecast.',
  stale: 'The newest reading is too old for a forecast.',
}
