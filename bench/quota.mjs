// Prints how long the store needs for GET /bff/quota with 1,000 and with 400,000 requests of one organization in this month.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { runnerImport } from 'vite'

const TARGET = 1.3
const ROUNDS = 200
const FAR_MS = 4e12
/** The last moment of a month of 31 days: no month has more to count. */
const NOW_MS = Date.UTC(2026, 9, 31, 23, 59)
const MONTH_MS = 31 * 86_400_000

const source = (file) => fileURLToPath(new URL(`../src/${file}`, import.meta.url))
const load = async (file) =>
  (await runnerImport(source(file), { configFile: false, logLevel: 'error' })).module
const { openSqlite } = await load('store/sqlite.ts')
const { monthsAt } = await load('contract/month.ts')
const bounds = monthsAt(NOW_MS).map(({ startMs }) => startMs)
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))

/** A store with so many requests, of five kinds and outcomes, spread over the month. */
async function openWith(rows) {
  const file = join(folder, `${rows}.db`)
  const store = openSqlite(file)
  const db = new Database(file)
  db.exec(`PRAGMA synchronous = OFF; BEGIN;
    CREATE TEMP TABLE nths AS WITH RECURSIVE n (nth) AS (SELECT 0 UNION ALL SELECT nth + 1 FROM n WHERE nth < ${rows - 1}) SELECT nth FROM n;
    INSERT INTO requests SELECT 'entry-' || nth, '7', 'print-' || nth % 50,
      CASE nth % 5 WHEN 0 THEN 'token.refresh' WHEN 1 THEN 'api.update' ELSE 'api.read' END,
      'GET', '/organizations/{id}', 'person', ${NOW_MS - MONTH_MS} + nth * ${MONTH_MS} / ${rows} FROM nths;
    INSERT INTO settlements SELECT 'entry-' || nth, CASE nth % 5 WHEN 3 THEN 'uncertain' ELSE 'settled' END,
      CASE nth % 5 WHEN 3 THEN NULL WHEN 4 THEN 429 ELSE 200 END, ${NOW_MS} FROM nths;
    COMMIT`)
  db.close()
  const session = {
    encrypted: new Uint8Array(1500),
    endsAtMs: FAR_MS,
    owner: 'owner',
    openedAtMs: 0,
    seenAtMs: 0,
  }
  await store.writeSession('session', { ...session, browser: 'Firefox on Linux' }, 0)
  for (const name of ['limit', 'pause', 'window']) await store.changeNote(name, () => ({ limit: 60 }), FAR_MS)
  return store
}

const READS = {
  countByKind: (store) => store.countByKind('7', bounds[0]),
  'GET /bff/quota': (store) =>
    Promise.all([
      store.readSession('session'),
      ...['limit', 'pause', 'window'].map((name) => store.readNote(name)),
      ...bounds.map((startMs) => store.countByKind('7', startMs)),
    ]),
}

/** Milliseconds of each of many reads, the stores in turn, so that what else the machine does is the same for all. */
async function timesOf(read, stores) {
  const times = stores.map(() => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, store] of stores.entries()) {
      const startMs = performance.now()
      await read(store)
      times[index].push(performance.now() - startMs)
    }
  }
  return times.map((list) => list.toSorted((a, b) => a - b)[list.length / 2])
}

try {
  const stores = [await openWith(1000), await openWith(400_000)]
  for (const [name, read] of Object.entries(READS)) {
    await timesOf(read, stores)
    const [few, many] = await timesOf(read, stores)
    const ratio = many / few
    console.log(
      `${name.padEnd(14)}  1,000 rows: ${few.toFixed(3)} ms   400,000 rows: ${many.toFixed(3)} ms   ` +
        `ratio ${ratio.toFixed(2)} of ${TARGET}${ratio > TARGET ? '  OVER' : ''}`,
    )
    if (ratio > TARGET) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true })
}
