import { type ReactNode, useState } from 'react'
import { useJson } from './state.ts'
import { cut, isChips, digitsOf } from './value.ts'
import styles from './record.module.css'
import { signedInText } from '../text/text.ts'
import { PAGE } from './open.ts'
import { whenWords } from '../lib/time.ts'

export const Quiet = ({ children }: { children: ReactNode }) => (
  <span className={styles.quiet}>{children}</span>
)

/** A value without rows. An address in it is never a link, because any program can have written it. */
export function Scalar({ of: value }: { of: unknown }): ReactNode {
  const { record: t } = signedInText()
  if (value === null || value === undefined) return <Quiet>{t.notSet}</Quiet>
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (typeof value === 'string') return value === '' ? <Quiet>{t.empty}</Quiet> : <Text text={value} />
  if (isChips(value)) return <Chips items={value} />
  if (Array.isArray(value)) return <Quiet>{t.none}</Quiet>
  const digits = digitsOf(value)
  return digits === undefined ? <Quiet>{t.empty}</Quiet> : <Marked text={digits} />
}

const LONGEST_TEXT = 280
/** The browser would take too long to lay out more at once. */
const MORE_TEXT = 20_000

function Text({ text }: { text: string }) {
  const { record: t } = signedInText()
  const query = useJson().found?.query ?? ''
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
        <button
          type="button"
          data-kind="quiet"
          aria-expanded={more <= 0}
          onClick={() => setMost(more > 0 ? shown + more : LONGEST_TEXT)}
        >
          {more > 0 ? t.showText(more, text.length) : t.showLess}
        </button>
      )}
    </>
  )
}

function Chips({ items }: { items: readonly unknown[] }) {
  const [shown, more] = usePages(items)
  return (
    <>
      <ul className={styles.chips}>
        {shown.map((item, at) => (
          // The list only grows at its end, so the index identifies an item.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            <bdi>{typeof item === 'string' ? <Marked text={item} /> : <Scalar of={item} />}</bdi>
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}

/** The first page of items, and a button for the next one. */
export function usePages<Item>(items: readonly Item[]): [readonly Item[], ReactNode] {
  const [count, setCount] = useState(PAGE)
  const more = Math.min(items.length - count, PAGE)
  const button = more > 0 && (
    <button type="button" data-kind="quiet" onClick={() => setCount(count + more)}>
      {signedInText().record.showMore(more, count, items.length)}
    </button>
  )
  return [items.slice(0, count), button]
}

const MOST_MARKS = 50

/** Marks the matches of the search. */
export function Marked({ text }: { text: string }): ReactNode {
  const query = useJson().found?.query ?? ''
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
