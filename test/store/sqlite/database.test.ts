import { existsSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/sqlite/database.ts'
import { file } from '../../kit/temp-folder.ts'

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
