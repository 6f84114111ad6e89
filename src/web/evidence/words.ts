import type { Finding, Observation } from '../../contract/evidence.ts'
import { sidePagesText } from '../text/text.ts'
import { dateWords } from '../lib/time.ts'

export type FindingState = 'in_use' | 'fits' | 'open' | 'unused'

/** Of a finding with a value. */
export function findingState({ name, in_use, confirmable }: Finding): FindingState {
  if (in_use) return 'in_use'
  if (confirmable) return 'fits'
  return name === 'refresh_rotates' ? 'unused' : 'open'
}

/** First values and the number of others. Zones and statuses have the same names in every language. */
export function valueWords(value: string, most = 4): string {
  const t = sidePagesText().learnt
  const words: Record<string, string> = t.values
  const values = value.split(', ').map((one) => (Object.hasOwn(words, one) ? words[one] : one))
  if (values.length <= most + 1) return values.join(', ')
  return t.andMore(values.slice(0, most).join(', '), values.length - most)
}

export function observationWords({ code, value = '', after = '', by = '' }: Observation): string {
  const t = sidePagesText().learnt.observed
  if (code === 'month_reset') return t[code](dateWords(Date.parse(after)), dateWords(Date.parse(by)))
  if (code === 'status_over_the_month' || code === 'headers_described') return t[code](valueWords(value))
  return t[code]
}
