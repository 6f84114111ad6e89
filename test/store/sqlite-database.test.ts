import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/sqlite-database.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  file = join(folder, 'plimsoll.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('each commit is on the disk before it is acknowledged, so that it outlives a loss of power', () => {
  const db = openDatabase(file)
  // SQLite's numbers: 2 is FULL, which synchronizes the log at each commit; WAL is the log.
  expect([db.pragma('synchronous'), db.pragma('journal_mode')]).toEqual([2, 'wal'])
})

test('a transaction that throws changes nothing, and the next one works', () => {
  const db = openDatabase(file)
  const insert = db.prepare(`INSERT INTO notes VALUES (?, '1', 0)`)
  const error = new RangeError('ours')
  const failing = () =>
    db.transaction(() => {
      insert.run('a')
      throw error
    })
  expect(failing).toThrow(error)
  db.transaction(() => insert.run('b'))
  expect(db.prepare('SELECT name FROM notes').all()).toEqual([{ name: 'b' }])
})

test('a wrong statement and a closed database are store_unavailable', () => {
  const db = openDatabase(file)
  const unavailable = expect.objectContaining({ code: 'store_unavailable' })
  expect(() => db.prepare('SELECT nothing FROM nowhere')).toThrow(unavailable)
  db.close()
  db.close()
  expect(() => db.pragma('user_version')).toThrow(unavailable)
})
