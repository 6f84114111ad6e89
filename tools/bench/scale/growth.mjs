// Measures how the time of an operation grows with the stored data: its median by size, the stores in turn.
import { table } from '../speed/table.mjs'

const ROUNDS = 100

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Medians in ms, after a warm-up of half as many. The time of `before` and `after` does not count. */
export async function timesOf({ before, run, after }, stores, rounds = ROUNDS) {
  const times = stores.map(() => [])
  for (let round = -rounds / 2; round < rounds; round += 1) {
    for (const [at, one] of stores.entries()) {
      await before?.(one)
      const startMs = performance.now()
      const result = await run(one)
      const tookMs = performance.now() - startMs
      if (round >= 0) times[at].push(tookMs)
      await after?.(one, result)
    }
  }
  return times.map(median)
}

/** The slope of log(time) over log(size), by least squares: 0 is no growth, 1 is growth in proportion. */
export function exponentOf(sizes, times) {
  const [xs, ys] = [sizes.map(Math.log), times.map(Math.log)]
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(xs), mean(ys)]
  const sum = (of) => xs.reduce((total, _, at) => total + of(xs[at] - meanX, ys[at] - meanY), 0)
  return sum((x, y) => x * y) / sum((x) => x * x)
}

const number = (size) => size.toLocaleString('en')

/**
 * @param rows `{ name, times }` each, `times` in milliseconds by size
 * @param full index of the first size that fills a page and each day of a month; the exponent begins there
 */
export function growthTable(what, sizes, rows, full = 0) {
  const bases = [...new Set([0, full])]
  return table(
    [
      what,
      ...sizes.map((size) => `${number(size)}, ms`),
      ...bases.map((base) => `${number(sizes.at(-1))} / ${number(sizes[base])}`),
      'exponent',
    ],
    rows.map(({ name, times }) => [
      name,
      ...times.map((ms) => ms.toFixed(3)),
      ...bases.map((base) => (times.at(-1) / times[base]).toFixed(2)),
      exponentOf(sizes.slice(full), times.slice(full)).toFixed(3),
    ]),
  )
}
