/** The load line: a circle with a line through it. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 48 48"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={3}
      aria-hidden="true"
      focusable="false"
    >
      <circle cx="24" cy="24" r="14" />
      <path d="M2 24h44" strokeLinecap="round" />
    </svg>
  )
}

export type ShapeName = 'check' | 'triangle' | 'square' | 'diamond'

const OUTLINES: Record<ShapeName, string> = {
  check: 'M2.5 8.5 6.5 12.5 13.5 4.5',
  triangle: 'M8 1.5 15 14H1Z',
  square: 'M2.5 2.5h11v11h-11Z',
  diamond: 'M8 1.5 14.5 8 8 14.5 1.5 8Z',
}

/** Drawn, because not every font has these characters. A word beside it names the state too. */
export function Shape({ of }: { of: ShapeName }) {
  return (
    <svg className="shape" viewBox="0 0 16 16" aria-hidden="true" focusable="false" data-shape={of}>
      <path d={OUTLINES[of]} />
    </svg>
  )
}

const LINES = {
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.8-3.4 3.8-5 7.5-5s6.7 1.6 7.5 5',
  down: 'm6 9 6 6 6-6',
}

/** Hidden from screen readers, because a word stands beside it or names its button. */
export function Icon({ of }: { of: keyof typeof LINES }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={LINES[of]} />
    </svg>
  )
}
