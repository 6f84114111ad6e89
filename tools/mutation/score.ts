// Mutation scores, and docs/mutation.md with them.
import type { Equivalent } from './survivors.ts'

/** Mutants of a file: `detected` by a failing test or a timeout, of `total` that could be run. */
export interface Count {
  file: string
  detected: number
  total: number
}

/** Per cent of mutants that were detected; 100 if there are none. */
export const score = ({ detected, total }: { detected: number; total: number }): number =>
  total === 0 ? 100 : (100 * detected) / total

export const sum = (counts: readonly Count[]): { detected: number; total: number } => ({
  detected: counts.reduce((all, { detected }) => all + detected, 0),
  total: counts.reduce((all, { total }) => all + total, 0),
})

export function misses(
  part: string,
  counts: readonly Count[],
  atLeast: { part: number; file: number },
): string[] {
  const whole = score(sum(counts))
  return [
    ...(whole < atLeast.part ? [`${part}: ${shown(whole)} per cent, at least ${atLeast.part} wanted`] : []),
    ...counts
      .filter((count) => score(count) < atLeast.file)
      .map((count) => `${count.file}: ${shown(score(count))} per cent, at least ${atLeast.file} wanted`),
  ]
}

/** Rounded down, so that a missed threshold never looks met. */
const shown = (percent: number): string => (Math.floor(percent * 10) / 10).toFixed(1)

/**
 * The section of one part in docs/mutation.md: a table of files, then the equivalent mutants with their
 * reasons.
 */
export function section(part: string, counts: readonly Count[], equivalent: readonly Equivalent[]): string {
  const row = (name: string, count: { detected: number; total: number }) =>
    `| ${name} | ${count.total} | ${count.total - count.detected} | ${shown(score(count))} |`
  const survivors = equivalent.map(
    ({ file, line, mutator, replacement, reason }) =>
      `- \`${file}\`: ${code(line)} with ${mutator} ${code(replacement)}. ${reason}`,
  )
  return [
    `## ${part}`,
    '',
    '| file | mutants | survived | score |',
    '|---|---|---|---|',
    row('**all**', sum(counts)),
    ...counts.map((count) => row(`\`${count.file}\``, count)),
    ...(survivors.length > 0 ? ['', 'Survivors judged equivalent:', '', ...survivors] : []),
    '',
  ].join('\n')
}

/** Inline code on one line; the text may contain backticks. */
const code = (text: string): string => `\`\` ${text.replaceAll(/\s+/g, ' ')} \`\``

/** Reads the counts of the files of one part from its section in docs/mutation.md. */
export function countsIn(document: string, part: string): Count[] {
  const text = document.split(/^(?=## )/m).find((piece) => piece.startsWith(`## ${part}\n`)) ?? ''
  return [...text.matchAll(/^\| `(.+)` \| (\d+) \| (\d+) \|/gm)].map(([, file = '', total, survived]) => ({
    file,
    detected: Number(total) - Number(survived),
    total: Number(total),
  }))
}

/** The earlier counts, with those of the files that were run again, in the order of their names. */
export const update = (former: readonly Count[], newer: readonly Count[]): Count[] =>
  [...former.filter(({ file }) => newer.every((count) => count.file !== file)), ...newer].toSorted((a, b) =>
    a.file < b.file ? -1 : 1,
  )

/** Replaces the section of its part, or adds it at the end. */
export function replaceSection(document: string, part: string, text: string): string {
  const pieces = document.split(/^(?=## )/m)
  const at = pieces.findIndex((piece) => piece.startsWith(`## ${part}\n`))
  if (at === -1) return `${document.trimEnd()}\n\n${text}`
  return pieces.with(at, at === pieces.length - 1 ? text : `${text}\n`).join('')
}
