/** Where the pace of the month leads, as a sentence: the same on the month's card and beside its chart. */
import type { Forecast } from '../contract/quota.ts'
import { dayWords, plural } from './time.ts'

/**
 * Empty where it is too early, or none are left.
 * @param ofOrganization whether others are counted too; else the pace is that of this app alone
 */
export function forecastWords(
  { state, early, difference = 0, runs_out_in_ms: runsOutInMs = 0 }: Forecast,
  nowMs: number,
  ofOrganization: boolean,
): string {
  const ends: { [State in Forecast['state']]?: string } = {
    on_pace: 'it lasts until the reset',
    under: `${plural(difference, 'request')} will be left at the reset`,
    over: `${plural(difference, 'request')} of the reserve will be used by the reset`,
    runs_out: `it lasts until ${dayWords(nowMs + runsOutInMs)}`,
  }
  const end = ends[state]
  if (end === undefined) return state === 'stale' ? 'The newest reading is too old for a forecast.' : ''
  const pace = ofOrganization ? 'At this pace' : 'At the pace of this app alone'
  return `${pace} ${end}${early ? ' (an early estimate)' : ''}.`
}
