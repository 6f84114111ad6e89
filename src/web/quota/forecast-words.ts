/** Where the pace of the month leads, as a sentence: the same on the month's card and beside its chart. */
import type { Forecast } from '../../contract/quota.ts'
import { signedInText } from '../text/text.ts'
import { dayWords } from '../lib/time.ts'

/**
 * Empty where it is too early, or none are left.
 * @param ofOrganization whether others are counted too; else the pace is that of this app alone
 */
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
