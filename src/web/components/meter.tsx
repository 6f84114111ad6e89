import type { ReactNode } from 'react'
import styles from './gauge.module.css'

interface MeterProps {
  label: string
  max: number
  now: number
  /** The sentence for screen readers. */
  spoken: string
  /** The place on the bar at which the count becomes low, 0 to 1. */
  mark: number
  /** Nothing was measured, so no part of the bar is solid. */
  hatched?: boolean
  children?: ReactNode
}

/** The page shows the number and the sentence as text beside it. */
export function Meter({ label, max, now, spoken, mark, hatched = false, children }: MeterProps) {
  return (
    <div
      // Screen readers treat <meter> worse than this: some do not read its label.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(max, Math.max(0, now))}
      aria-valuetext={spoken}
      className={hatched ? styles.hatched : styles.bar}
    >
      {children}
      {!hatched && <span className={styles.mark} style={{ left: `${mark * 100}%` }} />}
      <span className="unseen">{spoken}</span>
    </div>
  )
}
