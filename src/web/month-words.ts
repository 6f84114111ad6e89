/** The sentences of the month's card, each from a snapshot alone. Dates are in the reader's own zone and language. */
import type { MonthSnapshot, Suspicion } from '../contract/quota.ts'
import { forecastWords } from './forecast-words.ts'
import { type Interval, leftOf, type MonthState, monthState, usedOf } from './month-state.ts'
import { reasonWords } from './reason-words.ts'
import { dateText, numberText, sentences } from './text/language.ts'
import { signedInText } from './text/text.ts'
import { instantWords } from './time.ts'

/** "3", or "3–5". */
export const spanOf = ({ low, high }: Interval): string =>
  low === high ? numberText(low) : signedInText().month.span(numberText(low), numberText(high))

const spoken = ({ low, high }: Interval): string =>
  low === high ? numberText(low) : signedInText().month.spokenSpan(numberText(low), numberText(high))

/** The large words of the card, and the smaller ones after them. Without a reading nothing is stated to be left: only at most. */
export function headline(month: MonthSnapshot): readonly [large: string, small: string] {
  const t = signedInText().month.headline
  const { limit } = month
  const state = monthState(month)
  if (state === 'suspected') return [t.suspected, '']
  if (limit === undefined) return [spanOf(month), state === 'unlimited' ? t.sentUnlimited : t.sent]
  if (state === 'none') return [t.none, t.ofLimit(numberText(limit))]
  const left = leftOf(month, limit)
  const large = month.organization ? t.left(spanOf(left)) : t.atMost(numberText(left.high))
  return [large, t.leftOfLimit(numberText(limit))]
}

/** What the count consists of. */
export function countWords(month: MonthSnapshot): string {
  const t = signedInText().month.count
  const { limit, organization } = month
  if (limit === undefined) return t.unlimited
  if (organization === undefined) return t.own(spanOf(month), numberText(limit))
  return t.organization(spanOf(usedOf(month)), numberText(limit), spanOf(month))
}

/** For screen readers: changes only when a number does. */
export function spokenCount(month: MonthSnapshot, limit: number): string {
  const t = signedInText().month.bar
  return month.organization
    ? t.spokenOrganization(spoken(usedOf(month)), numberText(limit))
    : t.spokenApp(spoken(month), numberText(limit))
}

/** Why the count is an interval; empty where it is none. */
export function uncertainWords(month: MonthSnapshot): string {
  const t = signedInText().month.uncertain
  const { low, high } = usedOf(month)
  if (low === high || month.limit === undefined || month.may_have_reset) return ''
  return month.organization ? t.organization : t.own(numberText(low), numberText(high))
}

/** For whom the last requests are, once they are near; else empty. */
export function reserveWords(month: MonthSnapshot): string {
  const { limit, reserve, suspected } = month
  if (limit === undefined || reserve === undefined || suspected) return ''
  if (leftOf(month, limit).low > reserve.person || monthState(month) === 'none') return ''
  return signedInText().month.reserve(numberText(reserve.person), numberText(reserve.sign_in))
}

/** Requests a day, and where the pace leads; empty where neither can be stated. */
export function paceWords(month: MonthSnapshot, wallMs: number): string {
  const { forecast, suspected, may_have_reset: mayHaveReset } = month
  if (suspected || mayHaveReset || monthState(month) === 'none') return ''
  return sentences(
    allowanceWords(month),
    forecast ? forecastWords(forecast, wallMs, month.organization !== undefined) : '',
  )
}

function allowanceWords({ allowance_per_day: allowance, organization }: MonthSnapshot): string {
  const t = signedInText().month.allowance
  if (allowance === undefined) return ''
  if (allowance === 0) return t.lessThanOne
  return organization === undefined ? t.atMost(numberText(allowance)) : t.about(numberText(allowance))
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The two instants between which the month is reset, on the wall clock of the page: UNIX milliseconds. */
export function resetSpan({ resets_in_ms: { earliest, latest } }: MonthSnapshot, wallMs: number): Interval {
  // The reset is on a whole minute; this clock is not.
  const at = (ms: number): number => Math.round((wallMs + ms) / MINUTE_MS) * MINUTE_MS
  return { low: at(earliest), high: at(latest) }
}

/** "between 30 Nov 10:00 and 1 Dec 12:00". */
export function resetWords({ low, high }: Interval): string {
  const t = signedInText().month
  return low === high ? t.resetsAt(instantWords(low)) : t.resetsBetween(instantWords(low), instantWords(high))
}

/** "The service refused at 12:03.", and why that seems to be of the month. */
function suspicionWords({ age_ms: ageMs, reasons }: Suspicion, wallMs: number): string {
  const sinceMs = wallMs - ageMs
  const at =
    ageMs < DAY_MS ? dateText(sinceMs, { hour: '2-digit', minute: '2-digit' }) : instantWords(sinceMs)
  return sentences(signedInText().month.states.refused(at), ...reasons.map(reasonWords))
}

/** The words beside the shape: what the state means, and what it does not. */
export function stateWords(month: MonthSnapshot, wallMs: number): string {
  if (month.suspected) return suspicionWords(month.suspected, wallMs)
  const t = signedInText().month.states
  const isOurs = month.limit !== undefined && month.low >= month.limit
  return isOurs ? t.noneByThisApp : t[monthState(month) as Exclude<MonthState, 'suspected'>]
}
