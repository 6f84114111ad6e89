import type { ReactNode } from 'react'

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
