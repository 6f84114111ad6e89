import { Fragment, type ReactNode } from 'react'
import { listText } from './format.ts'

/** A character of the private use area, which no text contains. */
const SLOT = '\u{E000}'

const filled = (text: string, elements: readonly ReactNode[]): ReactNode =>
  text.split(SLOT).map((words, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts have no other key, and are drawn anew
    <Fragment key={at}>
      {words}
      {elements[at]}
    </Fragment>
  ))

/** A text with an element in place of its value. */
export const Sentence = ({ of, children }: { of: (value: string) => string; children: ReactNode }) =>
  filled(of(SLOT), [children])

/** "A, B, and C", with elements as its items. */
export const List = ({ of: items }: { of: readonly ReactNode[] }) =>
  filled(listText(items.map(() => SLOT)), items)
