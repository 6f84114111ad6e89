import diff from 'microdiff'
import { onServer } from '../lib/clock.ts'
import { clockWords, listText } from '../text/format.ts'
import { words } from '../text/text.ts'
import { parseExactly } from './exact.ts'
import type { Before } from './name.ts'
import { recordIn } from './summary.ts'

const MOST_NAMES = 8

/** Names the fields that differ from those of the answer before. */
export function changeWords(before: Before, answer: { text: string }): string {
  const t = words().record
  const { changed, removed } = changesIn(before.text, answer.text)
  const time = clockWords(before.readAtMs, onServer(Date.now()))
  const sentences = [
    ...(changed.length > 0 ? [t.changedSince(time, namesOf(changed))] : []),
    ...(removed.length > 0 ? [t.removedSince(time, namesOf(removed))] : []),
  ]
  return sentences.length > 0 ? sentences.join(' · ') : t.unchangedSince(time)
}

/** @returns names of the record's own members */
export function changesIn(before: string, after: string): { changed: string[]; removed: string[] } {
  if (before === after) return { changed: [], removed: [] }
  const [former, present] = [fieldsIn(before), fieldsIn(after)]
  const removed = Object.keys(former).filter((name) => !Object.hasOwn(present, name))
  const named = diff(former, present).map(({ path: [name] }) => String(name))
  return { changed: [...new Set(named)].filter((name) => !removed.includes(name)), removed }
}

/** Without the members that every object inherits. An answer that is no record is one field. */
function fieldsIn(text: string): Record<string, unknown> {
  const { answer } = words().record
  const fields = Object.create(null) as Record<string, unknown>
  try {
    const value = parseExactly(text)
    return Object.assign(fields, recordIn(value) ?? { [answer]: JSON.stringify(value) })
  } catch {
    return Object.assign(fields, { [answer]: text })
  }
}

function namesOf(fields: readonly string[]): string {
  const shown = fields.slice(0, MOST_NAMES)
  const more = fields.length - shown.length
  return listText(more > 0 ? [...shown, words().record.andMore(more)] : shown)
}
