import { type ReactNode, useState } from 'react'
import { useQueryWords } from './query-words.ts'
import { cut, isChips, digitsOf } from '../value.ts'
import styles from './tree.module.css'
import { whenWords } from '../../text/format.ts'
import { words } from '../../text/text.ts'
import { PAGE } from './open.ts'

export const Quiet = ({ children }: { children: ReactNode }) => (
  <span className={styles.quiet}>{children}</span>
)

/** A value without rows. An address in it is never a link, because any program can have written it. */
export function Scalar({ of: value }: { of: unknown }): ReactNode {
  if (typeof value === 'string' && value !== '') return <Text text={value} />
  if (isChips(value)) return <Chips items={value} />
  const digits = digitsOf(value)
  if (digits !== undefined) return <Marked text={digits} />
  return typeof value === 'boolean' ? plainWords(value) : <Quiet>{plainWords(value)}</Quiet>
}

/** The words of a value that has no text of its own. */
export function plainWords(value: unknown): string {
  const t = words().record
  if (value === null || value === undefined) return t.notSet
  if (typeof value === 'boolean') return value ? t.yes : t.no
  return Array.isArray(value) ? t.none : t.empty
}

const LONGEST_TEXT = 280
/** The browser would take too long to lay out more at once. */
const MORE_TEXT = 20_000

function Text({ text }: { text: string }) {
  const t = words().record
  const query = useQueryWords()
  const [most, setMost] = useState(LONGEST_TEXT)
  const when = whenWords(text)
  if (when)
    return (
      <time dateTime={text} title={text}>
        <Marked text={when.words} />
      </time>
    )
  const match = query === '' ? -1 : text.slice(0, MORE_TEXT).toLowerCase().indexOf(query)
  const shown = Math.max(most, match === -1 ? 0 : match + query.length + LONGEST_TEXT)
  const more = Math.min(MORE_TEXT, text.length - shown)
  return (
    <>
      <p className={styles.text} dir="auto">
        <Marked text={cut(text, shown)} />
      </p>
      {text.length > LONGEST_TEXT && (
        <MoreButton
          words={more > 0 ? t.showText(more, text.length) : t.showLess}
          onPress={() => setMost(more > 0 ? shown + more : LONGEST_TEXT)}
        />
      )}
    </>
  )
}

function Chips({ items }: { items: readonly unknown[] }) {
  const [count, setCount] = useState(PAGE)
  const more = Math.min(items.length - count, PAGE)
  return (
    <>
      <span className={styles.chips}>
        {items.slice(0, count).map((item, at) => (
          // The list only grows at its end, so the index identifies an item.
          // oxlint-disable-next-line react/no-array-index-key
          <bdi key={at}>
            <Marked text={typeof item === 'string' ? item : (digitsOf(item) ?? '')} />
          </bdi>
        ))}
      </span>
      {more > 0 && (
        <MoreButton
          words={words().record.showMore(more, count, items.length)}
          onPress={() => setCount(count + more)}
        />
      )}
    </>
  )
}

/** The row that contains it presses it on Enter, so that the tree stays one stop. */
const MoreButton = ({ words, onPress }: { words: string; onPress: () => void }) => (
  <button type="button" tabIndex={-1} data-kind="quiet" data-more="" onClick={onPress}>
    {words}
  </button>
)

const MOST_MARKS = 50

/** Marks the matches of the search. */
export function Marked({ text }: { text: string }): ReactNode {
  const query = useQueryWords()
  const lower = text.toLowerCase()
  // A few letters change their length in lower case. Then positions differ.
  if (query === '' || lower.length !== text.length || !lower.includes(query)) return text
  const parts: ReactNode[] = []
  let from = 0
  for (
    let at = lower.indexOf(query);
    at !== -1 && parts.length < MOST_MARKS * 2;
    at = lower.indexOf(query, from)
  ) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + query.length)}</mark>)
    from = at + query.length
  }
  return [...parts, text.slice(from)]
}
