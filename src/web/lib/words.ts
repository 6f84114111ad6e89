import type { Reason } from '../../contract/reason.ts'
import { agoWords } from '../text/format.ts'
import { text, words } from '../text/text.ts'
import { coarseParts } from '../../contract/chosen-name.ts'

export function reasonWords({ code, count = 0, limit = 0, since = 0, age_ms: ageMs = 0 }: Reason): string {
  const t = text().reason
  if (code === 'month_used_by_reading') return t[code](count, limit, since, agoWords(ageMs))
  if (code === 'month_used_by_app') return t[code](count, limit)
  if (code === 'reserved_for_sign_in' || code === 'reserved_for_person') return t[code](count)
  return t[code]
}

/** A chosen name as it is; a coarse one, such as `Firefox on Linux`, in the language of the page. */
export function browserWords(name: string): string {
  const parts = coarseParts(name)
  if (parts === undefined) return name
  const t = words().sessions
  const { browser, system } = parts
  if (browser === undefined) return t.anotherBrowser
  return system === undefined ? browser : t.browserOn(browser, system)
}
