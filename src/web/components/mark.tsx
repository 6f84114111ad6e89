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
