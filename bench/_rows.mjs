// Stores with many requests of one organization in one month, and how long a read takes with few and with many of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { runnerImport } from 'vite'

const ROUNDS = 200
/** The last moment of a month of 31 days: no month has more to count. */
export const NOW_MS = Date.UTC(2026, 9, 31, 23, 59)
const MONTH_MS = 31 * 86_400_000
export const ORGANIZATION = '7'

const source = (file) => fileURLToPath(new URL(`../src/${file}`, import.meta.url))
export const load = async (file) =>
  (await runnerImport(source(file), { configFile: false, logLevel: 'error' })).module
const { openSqlite } = await load('store/sqlite.ts')

/** A store with so many requests, of five kinds and outcomes, spread over the month. */
function openWith(folder, rows) {
  const file = join(folder, `${rows}.db`)
  const store = openSqlite(file)
  const db = new Database(file)
  db.exec(`PRAGMA synchronous = OFF; BEGIN;
    CREATE TEMP TABLE nths AS WITH RECURSIVE n (nth) AS (SELECT 0 UNION ALL SELECT nth + 1 FROM n WHERE nth < ${rows - 1}) SELECT nth FROM n;
    INSERT INTO requests (id, organization, token, kind, method, path, initiator, at_ms, owner)
      SELECT 'entry-' || nth, '${ORGANIZATION}', 'print-' || nth % 50,
        CASE nth % 5 WHEN 0 THEN 'token.refresh' WHEN 1 THEN 'api.update' ELSE 'api.read' END,
        'GET', '/organizations/{id}', 'person', ${NOW_MS - MONTH_MS} + nth * ${MONTH_MS} / ${rows}, 'browser ' || nth % 7 FROM nths;
    INSERT INTO settlements SELECT 'entry-' || nth, CASE nth % 5 WHEN 3 THEN 'uncertain' ELSE 'settled' END,
      CASE nth % 5 WHEN 3 THEN NULL WHEN 4 THEN 429 ELSE 200 END, ${NOW_MS} FROM nths;
    COMMIT`)
  db.close()
  return { store, rows }
}

/** Milliseconds of the median of many reads, the stores in turn, so that what else the machine does is the same for all. */
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

/** Prints each read with 1,000 rows and with many; beyond the target ratio the process fails. `prepare` gets each store first. */
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
