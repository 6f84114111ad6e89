import { onServer } from '../lib/server-time.ts'
import { DAY_MS } from '../../contract/duration.ts'
import type { Changes } from './changes.ts'
import { type Field, labelOf } from './fields.ts'
import { dateText } from '../text/language.ts'
import { signedInText } from '../text/text.ts'
import { instantWords } from '../lib/time.ts'

const MOST_NAMES = 8

/** @param readAtMs when the earlier answer was read, UNIX milliseconds */
export function ChangeWords({ changes, readAtMs }: { changes: Changes; readAtMs: number }) {
  const { record: t } = signedInText()
  const { changed, removed } = changes
  const time = sinceWords(readAtMs)
  if (changed.length + removed.length === 0) return t.unchangedSince(time)
  return (
    <>
      {changed.length > 0 && <bdi>{t.changedSince(time, namesOf(changed))}</bdi>}{' '}
      {removed.length > 0 && <bdi>{t.removedSince(time, namesOf(removed))}</bdi>}
    </>
  )
}

function namesOf(fields: readonly Field[]): string {
  const { record: t } = signedInText()
  const names = fields
    .slice(0, MOST_NAMES)
    .map(({ key, path, fact }) => (path === '' ? t.answer : labelOf(key, fact)))
  const more = fields.length - names.length
  return [...names, ...(more > 0 ? [t.andMore(more)] : [])].join(', ')
}

/** As "14:02", with the day if it is more than 24 hours ago. */
const sinceWords = (atMs: number): string =>
  onServer(Date.now()) - atMs < DAY_MS
    ? dateText(atMs, { hour: '2-digit', minute: '2-digit' })
    : instantWords(atMs)
