import { useId } from 'react'
import styles from './bar.module.css'

export interface BarPart {
  kind: 'left' | 'unknown' | 'others' | 'own'
  /** 0 to 1 of the whole. */
  share: number
}

/** The parts of a whole, from one side to the other. The words beside it say the same. */
export function Bar({ parts }: { parts: readonly BarPart[] }) {
  const hatch = useId()
  const drawn = parts.filter(({ share }) => share > 0)
  const percent = (of: readonly BarPart[]): string => {
    const sum = of.reduce((all, { share }) => all + share, 0)
    return `${Math.round(sum * 10_000) / 100}%`
  }
  return (
    <svg className={styles.bar} aria-hidden="true" focusable="false">
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M1 0V5" className={styles.hatch} />
      </pattern>
      {drawn.map((part, at) => (
        <rect
          key={part.kind}
          className={styles[part.kind]}
          fill={part.kind === 'unknown' ? `url(#${hatch})` : undefined}
          x={percent(drawn.slice(0, at))}
          width={percent([part])}
          height="100%"
        />
      ))}
    </svg>
  )
}
