import type { Reason } from '../../contract/reason.ts'
import { agoWords } from '../text/format.ts'
import { text } from '../text/text.ts'

export function reasonWords({ code, count = 0, limit = 0, since = 0, age_ms: ageMs = 0 }: Reason): string {
  const t = text().reason
  if (code === 'month_used_by_reading') return t[code](count, limit, since, agoWords(ageMs))
  if (code === 'month_used_by_app') return t[code](count, limit)
  if (code === 'reserved_for_sign_in' || code === 'reserved_for_person') return t[code](count)
  return t[code]
}
