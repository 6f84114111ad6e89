import { useId } from 'react'

export interface BarPart {
  /** `first` has the accent, `unknown` is hatched. */
  kind: 'first' | 'unknown' | 'others' | 'own'
  /** 0 to 1 of the whole. */
  share: number
}

interface BarProps {
  parts: readonly BarPart[]
  /** In a row of a table, whose rows share a scale. */
  isRow?: boolean
  /** 0 to 1: a line across the bar. */
  mark?: number
}

/** The parts of a whole, from one side to the other. The words beside it say the same. */
export function Bar({ parts, mark, isRow = false }: BarProps) {
  const hatch = useId()
  const drawn = parts.filter(({ share }) => share > 0)
  const at = (share: number): string => `${Math.round(share * 10_000) / 100}%`
  const percent = (of: readonly BarPart[]): string => at(of.reduce((all, { share }) => all + share, 0))
  return (
    <svg className="bar" data-row={isRow || undefined} aria-hidden="true" focusable="false">
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M1 0V5" />
      </pattern>
      {drawn.map((part, nth) => (
        <rect
          key={part.kind}
          data-kind={part.kind}
          fill={part.kind === 'unknown' ? `url(#${hatch})` : undefined}
          x={percent(drawn.slice(0, nth))}
          width={percent([part])}
          height="100%"
        />
      ))}
      {mark !== undefined && <line x1={at(mark)} x2={at(mark)} y1="-4" y2="14" />}
    </svg>
  )
}
