/** Sentences of the month's card, from a snapshot. Dates are in the reader's own zone and language. */
import { MINUTE_MS } from '../../contract/duration.ts'
import type { Forecast, MonthSnapshot } from '../../contract/quota.ts'
import { type Interval, leftOf, monthState, usedOf } from '../../contract/month-state.ts'
import { reasonWords } from '../lib/reason-words.ts'
import { dayWords, instantWords, numberText, rangeText, sentences } from '../text/format.ts'
import { text, words } from '../text/text.ts'

/** For screen readers. */
export const spokenSpanOf = ({ low, high }: Interval): string =>
  low === high ? numberText(low) : words().month.spokenSpan(numberText(low), numberText(high))

/** "55", "53–55", or "at most 99" where other apps may have used some. @param atMost makes words of an upper bound */
export const leftWords = (left: Interval, isWhole: boolean, atMost: (count: string) => string): string =>
  isWhole ? rangeText(left) : atMost(numberText(left.high))

export function monthCountWords(month: MonthSnapshot): string {
  const t = words().month.count
  const { limit, organization } = month
  if (limit === undefined) return t.unlimited
  if (organization === undefined) return t.own(rangeText(month), numberText(limit))
  return t.organization(rangeText(usedOf(month)), numberText(limit), rangeText(month))
}

/** Empty if the count is a single number. */
export function uncertainWords(month: MonthSnapshot): string {
  const t = words().month.uncertain
  const { low, high } = usedOf(month)
  if (low === high || month.limit === undefined || month.may_have_reset) return ''
  if (month.organization) return t.organization
  return (high - low === 1 ? t.own : t.span)(numberText(low), numberText(high))
}

/** Says for whom the last requests are reserved, once they are near; else empty. */
export function reserveWords(month: MonthSnapshot): string {
  const { limit, reserve, suspected } = month
  if (limit === undefined || reserve === undefined || suspected) return ''
  if (leftOf(month, limit).low > reserve.person || monthState(month) === 'none') return ''
  return words().month.reserve(numberText(reserve.person), numberText(reserve.sign_in))
}

/** Without a reading the pace is that of this app alone. */
function forecastWords({ forecast, reserve, organization }: MonthSnapshot, nowMs: number): string {
  if (forecast === undefined) return ''
  const t = words().month.forecast
  const end = endWords(forecast, nowMs, reserve?.sign_in ?? 0)
  if (end === undefined) return forecast.state === 'stale' ? t.stale : ''
  const pace = organization ? t.pace : t.ownPace
  return pace(forecast.early ? t.early(end) : end)
}

/** Requests that are kept for signing in are left too. */
function endWords(
  { state, difference = 0, runs_out_in_ms: runsOutInMs = 0 }: Forecast,
  nowMs: number,
  kept: number,
): string | undefined {
  const t = words().month.forecast
  if (state === 'on_pace') return t.onPace
  if (state === 'under') return t.under(difference + kept)
  if (state === 'over') return t.over(difference)
  return state === 'runs_out' ? t.runsOut(dayWords(nowMs + runsOutInMs)) : undefined
}

/** Empty without a forecast. */
export function outlookWords(month: MonthSnapshot, wallMs: number): string {
  const { forecast, suspected, may_have_reset: mayHaveReset } = month
  if (!forecast || suspected || mayHaveReset || monthState(month) === 'none') return ''
  if (forecast.state === 'too_early') return words().month.forecast.tooEarly
  return forecastWords(month, wallMs)
}

/** The reset is between these instants, on the wall clock of the page: UNIX milliseconds. */
export function resetSpan({ resets_in_ms: { earliest, latest } }: MonthSnapshot, wallMs: number): Interval {
  // The reset falls on a whole minute.
  const at = (ms: number): number => Math.round((wallMs + ms) / MINUTE_MS) * MINUTE_MS
  return { low: at(earliest), high: at(latest) }
}

/** "between 30 Nov 10:00 and 1 Dec 12:00". */
export function resetWords({ low, high }: Interval): string {
  const t = words().month
  return low === high ? t.resetsAt(instantWords(low)) : t.resetsBetween(instantWords(low), instantWords(high))
}

/** Says why a refusal looks like the monthly limit; else empty. */
export const suspicionWords = ({ suspected }: MonthSnapshot): string =>
  suspected ? text().reason.whyWeThinkSo(sentences(...suspected.reasons.map(reasonWords))) : ''
