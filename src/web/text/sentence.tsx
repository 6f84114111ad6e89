import type { ReactNode } from 'react'

/** Of the private use area, so that no text has it. */
const SLOT = '\u{E000}'

/** A text with an element in the place of its value. */
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
