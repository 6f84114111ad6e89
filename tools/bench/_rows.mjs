// The time of a read with few and with many requests of one organization in one month.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillLedger } from './_fill-sqlite.mjs'
import { load } from './_load.mjs'

const ROUNDS = 200
/** The last moment of a month of 31 days: no month has more to count. */
export const NOW_MS = Date.UTC(2026, 9, 31, 23, 59)
const MONTH_MS = 31 * 86_400_000
export const ORGANIZATION = '7'

const { openSqlite } = await load('store/sqlite/sqlite.ts')

function openWith(folder, rows) {
  const file = join(folder, `${rows}.db`)
  fillLedger(file, { organization: ORGANIZATION, rows, startMs: NOW_MS - MONTH_MS, endMs: NOW_MS })
  return { store: openSqlite(file), rows }
}

/** The median of many reads in ms. The stores take turns, so that other load affects all of them. */
async function timesOf(read, stores) {
  const times = stores.map(() => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { store, rows }] of stores.entries()) {
      const startMs = performance.now()
      await read(store, rows)
      times[index].push(performance.now() - startMs)
    }
  }
  return times.map((list) => list.toSorted((a, b) => a - b)[list.length / 2])
}

/** Prints each read with 1,000 rows and with many; fails over the target. `prepare` gets each store first. */
export async function compareReads(reads, { many, target, prepare }) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  try {
    const stores = [openWith(folder, 1000), openWith(folder, many)]
    for (const { store } of stores) await prepare?.(store)
    for (const [name, read] of Object.entries(reads)) {
      await timesOf(read, stores)
      const [fewMs, manyMs] = await timesOf(read, stores)
      const ratio = manyMs / fewMs
      console.log(
        `${name.padEnd(14)}  1,000 rows: ${fewMs.toFixed(3)} ms   ${many.toLocaleString('en')} rows: ${manyMs.toFixed(3)} ms   ` +
          `ratio ${ratio.toFixed(2)} of ${target}${ratio > target ? '  OVER' : ''}`,
      )
      if (ratio > target) process.exitCode = 1
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
