import type { ReactNode } from 'react'
import styles from './room.module.css'

interface RoomProps {
  /** `div` if the words are paragraphs. */
  as?: 'p' | 'div'
  className?: string | undefined
  id?: string
  /** Words that may replace them. */
  others: readonly string[]
  children: ReactNode
}

/** Keeps room for the longest text, so that nothing below moves when the text changes. */
export function Room({ as: Outer = 'p', className = '', others, children, ...rest }: RoomProps) {
  const Inner = Outer === 'p' ? 'span' : 'div'
  return (
    <Outer className={`${styles.room} ${className}`} {...rest}>
      {/* They come first, so that they set the base line even while there is nothing to show. */}
      {[...new Set(others)].map((words) => (
        <span key={words} data-words={words} aria-hidden="true" />
      ))}
      <Inner>{children}</Inner>
    </Outer>
  )
}
