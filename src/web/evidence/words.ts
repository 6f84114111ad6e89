import type { Finding, Observation } from '../../contract/evidence.ts'
import { dateWords, listText } from '../text/format.ts'
import { words } from '../text/text.ts'

export type FindingState = 'in_use' | 'fits' | 'open' | 'beside'

/** Of a finding with a value. */
export function findingState({ stated, in_use, confirmable }: Finding): FindingState {
  if (stated !== undefined) return 'beside'
  if (in_use) return 'in_use'
  return confirmable ? 'fits' : 'open'
}

const MOST_VALUES = 4

/** Names the first values and counts the others. Zones have the same names in every language. */
export function valueWords(value: string): string {
  const t = words().learnt
  const names: Record<string, string> = t.values
  const values = value.split(', ').map((one) => (Object.hasOwn(names, one) && names[one]) || one)
  const more = values.length - MOST_VALUES
  return listText(more <= 1 ? values : [...values.slice(0, MOST_VALUES), t.andMore(more)])
}

export function observationWords({ code, after = '', by = '' }: Observation): string {
  const t = words().learnt.observed
  if (code === 'month_reset') return t[code](dateWords(Date.parse(after)), dateWords(Date.parse(by)))
  return t[code]
}
