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
  db.exec('PRAGMA user_version = 3')
  expect(() => createTables(db)).toThrow('newer Plimsoll (schema 3)')
  expect(tablesOf(db)).toEqual([])
})

test('a database of version 1 keeps its sessions', () => {
  const db = new Database(':memory:')
  createTables(db)
  db.exec(`ALTER TABLE sessions RENAME COLUMN encrypted TO sealed;
    INSERT INTO sessions VALUES ('a', x'01', 5000, 1);
    PRAGMA user_version = 1;`)
  createTables(db)
  expect(db.prepare('SELECT id, encrypted FROM sessions').raw().all()).toEqual([['a', expect.anything()]])
  expect(db.pragma('user_version')).toEqual([{ user_version: 2 }])
})

test('no row of the ledger is changed or removed, not even by SQL', () => {
  const db = new Database(':memory:')
  createTables(db)
  db.exec(`INSERT INTO requests VALUES ('a', '7', NULL, 'api.read', 'GET', '/organizations', 'person', 1000);
    INSERT INTO settlements VALUES ('a', 'uncertain', NULL, 1001)`)
  for (const sql of [
    'DELETE FROM requests',
    'DELETE FROM settlements',
    'UPDATE requests SET at_ms = 0',
    `UPDATE settlements SET outcome = 'void'`,
  ]) {
    expect(() => db.exec(sql)).toThrow('the ledger is append-only')
  }
})
