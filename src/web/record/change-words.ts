import { onServer } from '../lib/clock.ts'
import { words } from '../text/text.ts'
import { changesIn } from './changes.ts'
import { type Field, labelOf } from './fields.ts'
import type { Before } from './queries.ts'
import { clockWords, listText } from '../text/format.ts'

const MOST_NAMES = 8

/** Names the fields that differ from those of the answer before. */
export function changeWords(before: Before, answer: { text: string }): string {
  const t = words().record
  const { changed, removed } = changesIn(before, answer)
  const time = clockWords(before.readAtMs, onServer(Date.now()))
  if (changed.length + removed.length === 0) return t.unchangedSince(time)
  const sentences = [
    ...(changed.length > 0 ? [t.changedSince(time, namesOf(changed))] : []),
    ...(removed.length > 0 ? [t.removedSince(time, namesOf(removed))] : []),
  ]
  return sentences.join(' · ')
}

function namesOf(fields: readonly Field[]): string {
  const t = words().record
  const names = fields.slice(0, MOST_NAMES).map(({ key, path }) => (path === '' ? t.answer : labelOf(key)))
  const more = fields.length - names.length
  return listText(more > 0 ? [...names, t.andMore(more)] : names)
}
