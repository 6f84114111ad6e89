/** Sentences of the month's card, from a snapshot. Dates are in the reader's own zone and language. */
import { DAY_MS, MINUTE_MS } from '../../contract/duration.ts'
import type { Forecast, MonthSnapshot, Suspicion } from '../../contract/quota.ts'
import { type Interval, leftOf, type MonthState, monthState, usedOf } from './month-state.ts'
import { reasonWords } from '../lib/reason-words.ts'
import { dateText, numberText, sentences } from '../text/language.ts'
import { signedInText, text } from '../text/text.ts'
import { dayWords, instantWords } from '../lib/time.ts'

/** "3", or "3–5". */
export const spanOf = ({ low, high }: Interval): string =>
  low === high ? numberText(low) : signedInText().month.span(numberText(low), numberText(high))

const spoken = ({ low, high }: Interval): string =>
  low === high ? numberText(low) : signedInText().month.spokenSpan(numberText(low), numberText(high))

/** Without a reading the words say "at most". */
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

export function monthCountWords(month: MonthSnapshot): string {
  const t = signedInText().month.count
  const { limit, organization } = month
  if (limit === undefined) return t.unlimited
  if (organization === undefined) return t.own(spanOf(month), numberText(limit))
  return t.organization(spanOf(usedOf(month)), numberText(limit), spanOf(month))
}

/** For screen readers. It changes only when a number does. */
export function spokenCount(month: MonthSnapshot, limit: number): string {
  const t = signedInText().month.bar
  return month.organization
    ? t.spokenOrganization(spoken(usedOf(month)), numberText(limit))
    : t.spokenApp(spoken(month), numberText(limit))
}

/** Empty if the count is a single number. */
export function uncertainWords(month: MonthSnapshot): string {
  const t = signedInText().month.uncertain
  const { low, high } = usedOf(month)
  if (low === high || month.limit === undefined || month.may_have_reset) return ''
  return month.organization ? t.organization : t.own(numberText(low), numberText(high))
}

/** Says for whom the last requests are reserved, once they are near; else empty. */
export function reserveWords(month: MonthSnapshot): string {
  const { limit, reserve, suspected } = month
  if (limit === undefined || reserve === undefined || suspected) return ''
  if (leftOf(month, limit).low > reserve.person || monthState(month) === 'none') return ''
  return signedInText().month.reserve(numberText(reserve.person), numberText(reserve.sign_in))
}

/** Requests a day; empty if the number is not known. */
export function allowanceWords(month: MonthSnapshot): string {
  const { allowance_per_day: allowance, organization, suspected, may_have_reset: mayHaveReset } = month
  const t = signedInText().month.allowance
  if (suspected) return t.probablyNone
  if (allowance === undefined || mayHaveReset) return ''
  if (monthState(month) === 'none') return t.none
  if (allowance === 0) return t.lessThanOne
  return organization === undefined ? t.atMost(numberText(allowance)) : t.about(numberText(allowance))
}

/** The longest texts that {@link allowanceWords} may give for this limit. */
export function longestAllowance({ limit }: MonthSnapshot): string[] {
  const { probablyNone, lessThanOne, atMost } = signedInText().month.allowance
  return limit === undefined ? [] : [probablyNone, lessThanOne, atMost(numberText(limit))]
}

/** Empty if too early, or none are left. @param ofOrganization false: the pace is that of this app alone */
export function forecastWords(forecast: Forecast, nowMs: number, ofOrganization: boolean): string {
  const t = signedInText().month.forecast
  const end = endWords(forecast, nowMs)
  if (end === undefined) return forecast.state === 'stale' ? t.stale : ''
  const pace = ofOrganization ? t.pace : t.ownPace
  return pace(forecast.early ? t.early(end) : end)
}

function endWords(
  { state, difference = 0, runs_out_in_ms: runsOutInMs = 0 }: Forecast,
  nowMs: number,
): string | undefined {
  const t = signedInText().month.forecast
  if (state === 'on_pace') return t.onPace
  if (state === 'under') return t.under(difference)
  if (state === 'over') return t.over(difference)
  return state === 'runs_out' ? t.runsOut(dayWords(nowMs + runsOutInMs)) : undefined
}

/** Empty without a forecast. */
export function outlookWords(month: MonthSnapshot, wallMs: number): string {
  const { forecast, organization, suspected, may_have_reset: mayHaveReset } = month
  if (!forecast || suspected || mayHaveReset || monthState(month) === 'none') return ''
  if (forecast.state === 'too_early') return signedInText().month.forecast.tooEarly
  return forecastWords(forecast, wallMs, organization !== undefined)
}

/** The longest text that {@link outlookWords} may give. */
export function longestOutlook({ forecast, limit, organization }: MonthSnapshot): string {
  if (forecast === undefined || limit === undefined) return ''
  return forecastWords({ ...forecast, state: 'under', difference: limit }, 0, organization !== undefined)
}

/** The reset is between these instants, on the wall clock of the page: UNIX milliseconds. */
export function resetSpan({ resets_in_ms: { earliest, latest } }: MonthSnapshot, wallMs: number): Interval {
  // The reset falls on a whole minute.
  const at = (ms: number): number => Math.round((wallMs + ms) / MINUTE_MS) * MINUTE_MS
  return { low: at(earliest), high: at(latest) }
}

/** "between 30 Nov 10:00 and 1 Dec 12:00". */
export function resetWords({ low, high }: Interval): string {
  const t = signedInText().month
  return low === high ? t.resetsAt(instantWords(low)) : t.resetsBetween(instantWords(low), instantWords(high))
}

/** "Refused at 12:03". */
function refusalWords({ age_ms: ageMs }: Suspicion, wallMs: number): string {
  const sinceMs = wallMs - ageMs
  const at =
    ageMs < DAY_MS ? dateText(sinceMs, { hour: '2-digit', minute: '2-digit' }) : instantWords(sinceMs)
  return signedInText().month.states.refused(at)
}

/** Says why a refusal looks like the monthly limit; else empty. */
export const suspicionWords = ({ suspected }: MonthSnapshot): string =>
  suspected ? text().reason.whyWeThinkSo(sentences(...suspected.reasons.map(reasonWords))) : ''

/** The words beside the shape of the state. */
export function monthStateWords(month: MonthSnapshot, wallMs: number): string {
  if (month.suspected) return refusalWords(month.suspected, wallMs)
  const t = signedInText().month.states
  const isOurs = month.limit !== undefined && month.low >= month.limit
  return isOurs ? t.noneByThisApp : t[monthState(month) as Exclude<MonthState, 'suspected'>]
}

/** As wide as the widest time of day. */
const SOME_TIME = '00:00 PM'

/** Every text that {@link monthStateWords} may give after the next answer. */
export function otherStateWords({ limit }: MonthSnapshot): string[] {
  const { own, plenty, low, none, noneByThisApp, refused } = signedInText().month.states
  return limit === undefined ? [] : [own, plenty, low, none, noneByThisApp, refused(SOME_TIME)]
}
