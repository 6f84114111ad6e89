// Several loads in turn, and their medians as a table.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { between } from '../../build/markers.mjs'

const PAGE = fileURLToPath(new URL('../../../docs/speed.md', import.meta.url))

/** Prints a table. One with a place is written between the markers of that name in docs/speed.md too. */
export function report(title, text, place) {
  console.log(`\n${title}\n\n${text}`)
  if (place !== undefined) writeFileSync(PAGE, between(readFileSync(PAGE, 'utf8'), place, text))
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** @returns the median of each number, and the spread of the rate */
export async function rounds(count, loads) {
  const results = new Map(Object.keys(loads).map((name) => [name, []]))
  for (let round = 0; round < count; round += 1)
    for (const [name, load] of Object.entries(loads)) results.get(name).push(await load())
  return Object.fromEntries(
    [...results].map(([name, rows]) => {
      const rates = rows.map(({ rate }) => rate)
      const medians = Object.keys(rows[0]).map((key) => [key, median(rows.map((row) => row[key]))])
      return [name, { ...Object.fromEntries(medians), spread: Math.max(...rates) / Math.min(...rates) }]
    }),
  )
}

export const number = (value, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** A table in Markdown, which is also printed. */
export function table(columns, rows) {
  const cells = [columns, ...rows.map((row) => row.map(String))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at].length)))
  const line = (row) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n')
}

/** The rows of a comparison, with the ratio to each of `beside`. */
export function compare(results, beside) {
  return table(
    [
      'what',
      'requests/s',
      'spread',
      'p50 ms',
      'p99 ms',
      'CPU µs a request',
      ...beside.map((name) => `beside ${name}`),
    ],
    Object.entries(results).map(([name, { rate, spread, p50Ms, p99Ms, cpuUs }]) => [
      name,
      number(rate),
      number(spread, 2),
      number(p50Ms, 2),
      number(p99Ms, 2),
      number(cpuUs),
      ...beside.map((other) => number(rate / results[other].rate, 3)),
    ]),
  )
}
