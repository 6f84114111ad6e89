import { Fragment, type ReactNode } from 'react'
import { listParts } from './format.ts'

/** A character of the private use area, which no text contains. */
const SLOT = '\u{E000}'

/** A text with an element in place of its value. */
export function Sentence({ of, children }: { of: (value: string) => string; children: ReactNode }) {
  const [before, after] = of(SLOT).split(SLOT)
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}

interface ListProps {
  length: number
  children: (at: number) => ReactNode
}

/** "A, B, and C", with elements as its items. */
export const List = ({ length, children }: ListProps) =>
  listParts(length).map((part, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts have no other key, and are drawn anew
    <Fragment key={at}>{typeof part === 'number' ? children(part) : part}</Fragment>
  ))
