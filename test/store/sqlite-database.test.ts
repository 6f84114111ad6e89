import { existsSync, mkdtempSync, rmSync } from 'node:fs'
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

test('closing waits for the writes that were asked for, and a later one is refused', async () => {
  const db = openDatabase(file)
  const insert = db.prepare(`INSERT INTO notes VALUES (?, '1', 0)`)
  const written = db.write(() => insert.run('a'))
  const closed = db.close()
  expect(await written).toBe(1)
  await closed
  await db.close()
  await expect(db.write(() => insert.run('b'))).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(openDatabase(file).prepare('SELECT name FROM notes').all()).toEqual([{ name: 'a' }])
})

test('a database in memory makes no file', async () => {
  rmSync(':memory:', { force: true })
  const db = openDatabase(':memory:')
  const insert = db.prepare(`INSERT INTO notes VALUES ('a', '1', 0)`)
  await db.write(() => insert.run())
  expect(db.prepare('SELECT name FROM notes').all()).toEqual([{ name: 'a' }])
  const made = existsSync(':memory:')
  rmSync(':memory:', { force: true })
  expect(made).toBe(false)
})
