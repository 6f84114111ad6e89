// Tables in Markdown, printed and written into docs/speed.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { between } from '../build/markers.mjs'

const PAGE = fileURLToPath(new URL('../../docs/speed.md', import.meta.url))

/** Prints a table, and writes it between the markers of that name. */
export function report(place, columns, rows) {
  const text = table(columns, rows)
  console.log(`\n${text}\n`)
  writeFileSync(PAGE, between(readFileSync(PAGE, 'utf8'), place, text))
}

function table(columns, rows) {
  const cells = [columns, ...rows].map((row) => row.map(String))
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at].length)))
  const line = (row) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n')
}

export const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]

export const median = (values) => quantile(values, 0.5)

export const number = (value, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
