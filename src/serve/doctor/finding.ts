export interface Finding {
  level: 'ok' | 'warning' | 'fault'
  /** The subject, in one or two words. */
  about: string
  text: string
  /** The next step for the operator. */
  advice?: string
}

const as =
  (level: Finding['level']) =>
  (about: string, text: string, advice?: string): Finding => ({
    level,
    about,
    text,
    ...(advice && { advice }),
  })

export const ok = as('ok')
/** It may be intended. */
export const warning = as('warning')
/** It stops people from signing in, or loses data. */
export const fault = as('fault')

export const when = (condition: boolean, finding: Finding): Finding[] => (condition ? [finding] : [])

type Test<Facts> = (facts: Facts) => string | false | undefined

/** What may be said of a subject, the worst first: each gives its text if it holds. */
export interface Check<Facts> {
  about: string
  fault?: Test<Facts>
  warning?: Test<Facts>
  ok?: Test<Facts>
  /** With a fault or a warning. */
  advice?: string
}

export const examine = <Facts>(checks: readonly Check<Facts>[], facts: Facts): Finding[] =>
  checks.flatMap(({ about, advice, ...tests }) => {
    const level = (['fault', 'warning', 'ok'] as const).find((one) => tests[one]?.(facts))
    const text = level && tests[level]?.(facts)
    if (!text) return []
    return [as(level)(about, text, level === 'ok' ? undefined : advice)]
  })

/** A line of the report, and a second one with the advice. */
export function formatFinding({ level, about, text, advice }: Finding): string {
  const line = `${level.padEnd(8)} ${about.padEnd(12)} ${text}\n`
  return advice === undefined ? line : `${line}${' '.repeat(22)}-> ${advice}\n`
}

export function formatCounts(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length
  return `${count('ok')} ok, ${count('warning')} warnings, ${count('fault')} faults\n`
}
