/** The sentences of the month's card, each from a snapshot alone. Dates are in the reader's own zone and language. */
import type { MonthSnapshot, ReadingWanted, Suspicion } from '../contract/quota.ts'
import { forecastWords } from './forecast-words.ts'
import { type Interval, leftOf, type MonthState, monthState, usedOf } from './month-state.ts'
import { reasonWords } from './reason-words.ts'
import { instantWords } from './time.ts'

/** "3", or "3–5". */
export const spanOf = ({ low, high }: Interval): string => (low === high ? `${low}` : `${low}–${high}`)

const spoken = ({ low, high }: Interval): string => (low === high ? `${low}` : `${low} to ${high}`)

/** The large words of the card, and the smaller ones after them. Without a reading nothing is stated to be left: only at most. */
export function headline(month: MonthSnapshot): readonly [large: string, small: string] {
  const { limit } = month
  const state = monthState(month)
  if (state === 'suspected') return ['Probably used up', '']
  if (limit === undefined)
    return [spanOf(month), state === 'unlimited' ? 'sent by this app, no limit' : 'sent by this app']
  if (state === 'none') return ['None left', `of ${limit}`]
  const left = leftOf(month, limit)
  return month.organization
    ? [spanOf(left), `left of ${limit}`]
    : [`At most ${left.high}`, `left of ${limit}`]
}

const STATE_WORDS: Record<MonthState, string> = {
  suspected: '',
  none: 'used up by the organization',
  plenty: 'plenty',
  own: 'only this app is counted',
  low: 'low',
  unlimited: 'unlimited on Business',
  unseen: 'plan not yet seen',
}

/** What the count consists of. */
export function countWords(month: MonthSnapshot): string {
  const { limit, organization } = month
  if (limit === undefined) return 'Others in the organization are not counted.'
  if (organization === undefined)
    return `This app has used ${spanOf(month)}. Others in the organization spend from the same ${limit}.`
  return `The organization has used ${spanOf(usedOf(month))} of ${limit}, this app ${spanOf(month)} of them.`
}

/** For screen readers: changes only when a number does. */
export const spokenCount = (month: MonthSnapshot, limit: number): string =>
  month.organization
    ? `${spoken(usedOf(month))} of ${limit} requests used by the organization`
    : `${spoken(month)} of ${limit} requests used by this app, others not counted`

/** Why the count is an interval; empty where it is none. */
export function uncertainWords(month: MonthSnapshot): string {
  const { low, high } = usedOf(month)
  if (low === high || month.limit === undefined || month.may_have_reset) return ''
  return month.organization
    ? 'The upper end also has what may count, and what others may have used since the reading.'
    : `Between ${low} and ${high}: the service does not say whether every one counts.`
}

/** For whom the last requests are, once they are near; else empty. */
export function reserveWords(month: MonthSnapshot): string {
  const { limit, reserve, suspected } = month
  if (limit === undefined || reserve === undefined || suspected) return ''
  if (leftOf(month, limit).low > reserve.person || monthState(month) === 'none') return ''
  return `The last ${reserve.person} are for presses of a person, the last ${reserve.sign_in} for signing in.`
}

/** Requests a day, and where the pace leads; empty where neither can be stated. */
export function paceWords(month: MonthSnapshot, wallMs: number): string {
  const { forecast, suspected, may_have_reset: mayHaveReset } = month
  if (suspected || mayHaveReset || monthState(month) === 'none') return ''
  const words = [
    allowanceWords(month),
    forecast ? forecastWords(forecast, wallMs, month.organization !== undefined) : '',
  ]
  return words.filter(Boolean).join(' ')
}

function allowanceWords({ allowance_per_day: allowance, organization }: MonthSnapshot): string {
  if (allowance === undefined) return ''
  if (allowance === 0) return 'Less than one a day until the reset.'
  return `${organization === undefined ? 'At most' : 'About'} ${allowance} a day until the reset.`
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** The two instants between which the month is reset, on the wall clock of the page: UNIX milliseconds. */
export function resetSpan({ resets_in_ms: { earliest, latest } }: MonthSnapshot, wallMs: number): Interval {
  // The reset is on a whole minute; this clock is not.
  const at = (ms: number): number => Math.round((wallMs + ms) / MINUTE_MS) * MINUTE_MS
  return { low: at(earliest), high: at(latest) }
}

/** "between 30 Nov 10:00 and 1 Dec 12:00". */
export const resetWords = ({ low, high }: Interval): string =>
  low === high ? `at ${instantWords(low)}` : `between ${instantWords(low)} and ${instantWords(high)}`

/** "The service refused at 12:03.", and why that seems to be of the month. */
function suspicionWords({ age_ms: ageMs, reasons }: Suspicion, wallMs: number): string {
  const sinceMs = wallMs - ageMs
  const at = ageMs < DAY_MS ? TIME.format(sinceMs) : instantWords(sinceMs)
  return [`The service refused at ${at}.`, ...reasons.map(reasonWords)].join(' ')
}

/** The words beside the shape: what the state means, and what it does not. */
export function stateWords(month: MonthSnapshot, wallMs: number): string {
  if (month.suspected) return suspicionWords(month.suspected, wallMs)
  const isOurs = month.limit !== undefined && month.low >= month.limit
  return isOurs ? 'used up by this app alone' : STATE_WORDS[monthState(month)]
}

/** Why a new reading would help. */
export const WANTED: Record<ReadingWanted, string> = {
  none: 'The plan page of the service shows the count of everybody.',
  old: 'The real count was read more than 5 days ago.',
  half: 'More than half of the month may be used since the real count was read.',
  four_fifths: 'More than four fifths of the month may be used since the real count was read.',
  reserve: 'Nearly all of the month may be used since the real count was read.',
  suspected: 'The plan page of the service shows whether the month is used up.',
  below_own: 'The number that was entered is lower than what this app alone has used.',
}
