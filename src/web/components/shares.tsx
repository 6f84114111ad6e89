import styles from './shares.module.css'

interface SharesProps {
  own: number
  others?: number
  /** Hatched. */
  unknown: number
  /** The end of the scale, which the rows of a table share. */
  most: number
  mark?: number
}

/** The parts of a count as a bar. The words beside it say the same. */
export function Shares({ most, mark, ...parts }: SharesProps) {
  const share = (count: number): string => `${(count / most) * 100}%`
  return (
    <div className={styles.shares} aria-hidden="true">
      {(['own', 'others', 'unknown'] as const).map((name) => (
        <span key={name} className={styles[name]} style={{ width: share(parts[name] ?? 0) }} />
      ))}
      {mark !== undefined && <i style={{ left: share(mark) }} />}
    </div>
  )
}
