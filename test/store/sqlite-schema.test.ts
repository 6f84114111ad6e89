import Database from 'libsql'
import { expect, test } from 'vitest'
import { createTables } from '../../src/store/sqlite-schema.ts'

const tablesOf = (db: Database.Database) =>
  db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all()
    .map(String)
    .toSorted()

test('the tables are created once', () => {
  const db = new Database(':memory:')
  createTables(db)
  const tables = tablesOf(db)
  expect(tables).toEqual(['claims', 'notes', 'requests', 'sessions', 'settlements'])
  createTables(db)
  expect(tablesOf(db)).toEqual(tables)
})

test('a database with tables needs no write lock, which another process may have', () => {
  const db = new Database(':memory:')
  createTables(db)
  db.exec('BEGIN')
  // A second BEGIN would throw.
  createTables(db)
  expect(db.inTransaction).toBe(true)
})

test('a database of a newer version is left as it is', () => {
  const db = new Database(':memory:')
  db.exec('PRAGMA user_version = 2')
  expect(() => createTables(db)).toThrow('newer Plimsoll (schema 2)')
  expect(tablesOf(db)).toEqual([])
})
