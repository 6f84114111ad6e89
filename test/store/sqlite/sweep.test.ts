import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { foldedBeforeMs } from '../../../src/contract/ledger-fold.ts'
import { openDatabase } from '../../../src/store/sqlite/database.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { prepareSweeps } from '../../../src/store/sqlite/statements.ts'
import { sweep } from '../../../src/store/sqlite/sweep.ts'
import { file } from '../../kit/temp-folder.ts'
import { entry } from '../../kit/stores.ts'
import { startWriter } from '../_processes.ts'

const NOW_MS = Date.UTC(2026, 10, 22)
const OLD_MS = foldedBeforeMs(NOW_MS) - 1
const DAY_MS = 86_400_000

/** Adds requests of one organization on the last three old days. */
const addRequests = (count: number) => `
  WITH RECURSIVE n (nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM n WHERE nth < ${count})
  INSERT INTO requests (id, organization, kind, method, path, initiator, at_ms)
    SELECT 'entry-' || nth, '7', 'api.read', 'GET', '/', 'person', ${OLD_MS} - nth % 3 * ${DAY_MS} FROM n;`
const countRows = (db: Database.Database, table: string) =>
  (db.prepare(`SELECT count(*) AS count FROM ${table}`).all() as [{ count: number }])[0].count

test('a folded row leaves one count of its day, and nothing else in any table', async () => {
  const store = openSqlite(file)
  await store.reserve(entry('old', { atMs: OLD_MS, token: 'its token' }))
  await store.settle('old', { outcome: 'settled', status: 200 }, OLD_MS)
  await store.sweep(NOW_MS)
  await store.close()
  const db = new Database(file)
  expect(['requests', 'settlements', 'request_counts'].map((table) => countRows(db, table))).toEqual([
    0, 0, 1,
  ])
})

test('a file of version 4 is folded by this version, and a process that has it open since before goes on', async () => {
  const db = new Database(file)
  db.exec(readFileSync(new URL('../_version-4.sql', import.meta.url), 'utf8'))
  db.exec(addRequests(9))
  // The statements that a process of version 4 has prepared.
  const reserve = db.prepare(
    `INSERT INTO requests (id, organization, kind, method, path, initiator, at_ms) VALUES (?, '7', 'api.read', 'GET', '/', 'person', ?)`,
  )
  const store = openSqlite(file)
  await store.sweep(NOW_MS)
  expect(await store.listEntries('7', { sinceMs: 0, most: 99 })).toEqual([])
  expect(await store.countByKind('7', 0)).toMatchObject([{ count: 9 }])
  reserve.run('late', OLD_MS)
  reserve.run('new', NOW_MS)
  await store.sweep(NOW_MS)
  expect(await store.listEntries('7', { sinceMs: 0, most: 99 })).toMatchObject([{ id: 'new' }])
  expect(await store.countByKind('7', 0)).toMatchObject([{ count: 11 }])
  await store.close()
})

test('a sweep has an end: of many rows it folds 10,000, in steps of 500 with a commit for each', async () => {
  const opened = openDatabase(':memory:')
  const insert = opened.prepare(addRequests(10_300))
  await opened.write(() => insert.run())
  const left = opened.prepare('SELECT count(*) AS count FROM requests')
  const sweeps = prepareSweeps(opened)
  const steps: number[] = []
  const counting = {
    ...opened,
    write: async <T>(work: () => T) => {
      const result = await opened.write(work)
      steps.push(left.all<{ count: number }>()[0]?.count as number)
      return result
    },
  }
  await sweep(counting, sweeps, NOW_MS)
  expect(steps).toEqual([10_300, ...Array.from({ length: 20 }, (_, nth) => 9_800 - nth * 500)])
  await sweep(counting, sweeps, NOW_MS)
  expect(steps.slice(21)).toEqual([300, 0])
})

test('before their time no SQL removes rows, not even while others are folded', async () => {
  const store = openSqlite(file)
  await store.reserve(entry('old', { atMs: OLD_MS }))
  await store.reserve(entry('new', { atMs: OLD_MS + 1 }))
  await store.settle('new', { outcome: 'void' }, NOW_MS)
  await store.sweep(NOW_MS)
  await store.close()
  const db = new Database(file)
  for (const sql of ['DELETE FROM requests', 'DELETE FROM settlements'])
    expect(() => db.exec(sql)).toThrow('the ledger is append-only')
})

test('a process that is killed while it folds counts no row twice and loses none (8.3)', async () => {
  const store = openSqlite(file)
  const db = new Database(file)
  db.exec(addRequests(5000))
  const days = await store.countByDay('7', 0)
  const child = startWriter(file, 'sweep', 1)
  const ended = once(child, 'close')
  child.stdin.end()
  while (child.exitCode === null && countRows(db, 'requests') === 5000) await delay(1)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  const left = countRows(db, 'requests')
  expect(left).toBeGreaterThan(0)
  expect(left % 500).toBe(0)
  expect(await store.countByDay('7', 0)).toEqual(days)
  expect(days.map(({ count }) => count)).toEqual([1666, 1667, 1667])
  await store.sweep(NOW_MS)
  expect(countRows(db, 'requests')).toBe(0)
  expect(await store.countByDay('7', 0)).toEqual(days)
  await store.close()
})
