import { onServer } from '../lib/server-time.ts'
import { DAY_MS } from '../../contract/duration.ts'
import { instantWords } from '../lib/time.ts'
import { dateText } from '../text/language.ts'
import { recordText, signedInText } from '../text/text.ts'
import { changesIn } from './changes.ts'
import { type Field, labelOf } from './fields.ts'
import type { Before } from './queries.ts'

const MOST_NAMES = 8

/** Names the fields that differ from those of the answer before. */
export function changeWords(before: Before, answer: { text: string }): string {
  const t = recordText()
  const { changed, removed } = changesIn(before, answer)
  const time = timeWords(before.readAtMs)
  if (changed.length + removed.length === 0) return t.unchangedSince(time)
  const sentences = [
    ...(changed.length > 0 ? [t.changedSince(time, namesOf(changed))] : []),
    ...(removed.length > 0 ? [t.removedSince(time, namesOf(removed))] : []),
  ]
  return sentences.join(' · ')
}

/** As "14:02", with the day if it is more than 24 hours ago. */
const timeWords = (atMs: number): string =>
  onServer(Date.now()) - atMs < DAY_MS
    ? dateText(atMs, { hour: 'numeric', minute: '2-digit' })
    : instantWords(atMs)

function namesOf(fields: readonly Field[]): string {
  const t = recordText()
  const names = fields.slice(0, MOST_NAMES).map(({ key, path }) => (path === '' ? t.answer : labelOf(key)))
  const more = fields.length - names.length
  return [...names, ...(more > 0 ? [t.andMore(more)] : [])].join(signedInText().organization.comma)
}
