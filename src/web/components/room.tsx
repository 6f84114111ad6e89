import type { ReactNode } from 'react'
import styles from './room.module.css'

interface RoomProps {
  /** `div` where the words are paragraphs. */
  as?: 'p' | 'div'
  className?: string | undefined
  id?: string
  /** The other words that may come in their place. */
  others: readonly string[]
  children: ReactNode
}

/** Holds room for the longest of several texts, with any font, so nothing below it moves when the text changes. */
export function Room({ as: Outer = 'p', className = '', others, children, ...rest }: RoomProps) {
  const Inner = Outer === 'p' ? 'span' : 'div'
  return (
    <Outer className={`${styles.room} ${className}`} {...rest}>
      {/* First: the base line is theirs, also while there is nothing to show. */}
      {[...new Set(others)].map((words) => (
        <span key={words} data-words={words} aria-hidden="true" />
      ))}
      <Inner>{children}</Inner>
    </Outer>
  )
}
