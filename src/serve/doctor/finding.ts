/** What an examination of the deployment found, and how it is printed. */

export interface Finding {
  level: 'ok' | 'warning' | 'fault'
  /** Of what it is, in one or two words. */
  about: string
  text: string
  /** What to do. */
  advice?: string
}

/** A finding of each level. A fault stops people from signing in, or loses data; a warning may be meant so. */
export const ok = (about: string, text: string): Finding => ({ level: 'ok', about, text })
export const warning = (about: string, text: string, advice: string): Finding => ({
  level: 'warning',
  about,
  text,
  advice,
})
export const fault = (about: string, text: string, advice: string): Finding => ({
  level: 'fault',
  about,
  text,
  advice,
})

/** The finding where the condition holds. */
export const when = (condition: boolean, finding: Finding): Finding[] => (condition ? [finding] : [])

/** A line of the report, and one more with what to do. */
export function formatFinding({ level, about, text, advice }: Finding): string {
  const line = `${level.padEnd(8)} ${about.padEnd(12)} ${text}\n`
  return advice === undefined ? line : `${line}${' '.repeat(22)}-> ${advice}\n`
}

/** The last line of the report. */
export function formatCounts(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length
  return `${count('ok')} ok, ${count('warning')} warnings, ${count('fault')} faults\n`
}
