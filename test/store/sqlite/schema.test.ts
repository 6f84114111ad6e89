import { readFileSync } from 'node:fs'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/sqlite/database.ts'
import { createTables } from '../../../src/store/sqlite/schema.ts'
import { prepareStatements, prepareSweeps } from '../../../src/store/sqlite/statements.ts'
import { file } from '../../kit/temp-folder.ts'

const VERSION_2 = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, encrypted BLOB NOT NULL, ends_at_ms INTEGER NOT NULL, version INTEGER NOT NULL);
  CREATE TABLE claims (name TEXT PRIMARY KEY, lapses_at_ms INTEGER NOT NULL);
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL, lapses_at_ms INTEGER NOT NULL);
  CREATE TABLE requests (
    id TEXT PRIMARY KEY, organization TEXT NOT NULL, token TEXT, kind TEXT NOT NULL, method TEXT NOT NULL,
    path TEXT NOT NULL, initiator TEXT NOT NULL, at_ms INTEGER NOT NULL
  );
  CREATE TABLE settlements (entry TEXT PRIMARY KEY, outcome TEXT NOT NULL, status INTEGER, at_ms INTEGER NOT NULL);
  CREATE INDEX requests_by_organization ON requests (organization, at_ms);
  CREATE INDEX requests_by_token ON requests (token, at_ms);
  CREATE TRIGGER requests_no_UPDATE BEFORE UPDATE ON requests BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER requests_no_DELETE BEFORE DELETE ON requests BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER settlements_no_UPDATE BEFORE UPDATE ON settlements BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER settlements_no_DELETE BEFORE DELETE ON settlements BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  PRAGMA user_version = 2;
`
const VERSION_3 = readFileSync(new URL('../_version-3.sql', import.meta.url), 'utf8')
const VERSION_4 = readFileSync(new URL('../_version-4.sql', import.meta.url), 'utf8')
const VERSION_6 = VERSION_4 + readFileSync(new URL('../_version-6.sql', import.meta.url), 'utf8')
const ROWS = `
  INSERT INTO sessions VALUES ('a', x'01', 5000, 4);
  INSERT INTO claims VALUES ('a', 5000);
  INSERT INTO notes VALUES ('a', '{"limit":60}', 5000);
  INSERT INTO requests VALUES ('a', '7', NULL, 'api.read', 'GET', '/organizations', 'person', 1000),
    ('b', '7', 'print', 'api.read', 'GET', '/organizations', 'person', 900000),
    ('c', '7', 'print', 'api.read', 'GET', '/organizations', 'person', 86400000),
    ('d', '8', 'print', 'api.read', 'GET', '/organizations', 'person', 1000);
  INSERT INTO settlements VALUES ('a', 'settled', 200, 1001), ('b', 'settled', 429, 900001), ('d', 'uncertain', NULL, 1001);
`

/** The same, with the columns of version 3, and of version 4. */
const ROWS_3 = ROWS.replace(`('a', x'01', 5000, 4)`, `('a', x'01', 5000, 4, '', 0, 0, '')`)
const ROWS_4 = ROWS_3.replaceAll(/('person', \d+)/g, '$1, NULL')

const rowsOf = (db: Database.Database, sql: string): unknown[] => db.prepare(sql).raw().all()
const namesOf = (db: Database.Database, type: string) =>
  rowsOf(
    db,
    `SELECT name FROM sqlite_master WHERE type = '${type}' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  )
const triggersOf = (db: Database.Database) =>
  rowsOf(db, `SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name`).map((row) =>
    String(row).replaceAll(/\s+/g, ' '),
  )
const COUNTS = 'SELECT organization, length_ms, start_ms, kind, outcome, succeeded, count FROM request_counts'
const versionOf = (db: Database.Database) => rowsOf(db, 'PRAGMA user_version')

function opened(sql = ''): Database.Database {
  const db = new Database(':memory:')
  db.exec(sql)
  createTables(db)
  return db
}

test('a database with tables needs no write lock, which another process may have', () => {
  const db = opened()
  db.exec('BEGIN')
  // A second BEGIN would throw.
  createTables(db)
  expect(db.inTransaction).toBe(true)
})

test.each([
  [
    '1',
    `${VERSION_2}${ROWS}ALTER TABLE sessions RENAME COLUMN encrypted TO sealed; PRAGMA user_version = 1;`,
  ],
  ['2', VERSION_2 + ROWS],
  ['3', VERSION_3 + ROWS_3],
  ['4', VERSION_4 + ROWS_4],
  ['6', VERSION_6 + ROWS_4],
])(
  'a database of version %s is brought up to date with all its data, and its requests are counted',
  (_, sql) => {
    const db = opened(sql)
    expect(versionOf(db)).toEqual([[7]])
    expect(rowsOf(db, 'SELECT * FROM sessions')).toEqual([['a', expect.anything(), 5000, 4, '', 0, 0, '']])
    expect(rowsOf(db, 'SELECT length(encrypted) FROM sessions')).toEqual([[1]])
    expect(rowsOf(db, 'SELECT * FROM claims')).toEqual([['a', 5000]])
    expect(rowsOf(db, 'SELECT * FROM notes')).toEqual([['a', '{"limit":60}', 5000]])
    expect(rowsOf(db, 'SELECT count(*) FROM requests')).toEqual([[4]])
    expect(rowsOf(db, 'SELECT count(*) FROM settlements')).toEqual([[3]])
    const [quarter, block, day] = [900_000, 7_200_000, 86_400_000]
    const counts = [
      ['7', quarter, 0, 'api.read', 'settled', 1, 1],
      ['7', quarter, quarter, 'api.read', 'settled', 0, 1],
      ['7', quarter, day, 'api.read', 'reserved', 0, 1],
      ['7', block, 0, 'api.read', 'settled', 0, 1],
      ['7', block, 0, 'api.read', 'settled', 1, 1],
      ['7', block, day, 'api.read', 'reserved', 0, 1],
      ['7', day, 0, 'api.read', 'settled', 0, 1],
      ['7', day, 0, 'api.read', 'settled', 1, 1],
      ['7', day, day, 'api.read', 'reserved', 0, 1],
      ['8', quarter, 0, 'api.read', 'uncertain', 0, 1],
      ['8', block, 0, 'api.read', 'uncertain', 0, 1],
      ['8', day, 0, 'api.read', 'uncertain', 0, 1],
    ]
    expect(rowsOf(db, `${COUNTS} WHERE count <> 0`)).toEqual(counts)
    expect(triggersOf(db)).toEqual(triggersOf(opened()))
    expect(namesOf(db, 'index')).toEqual(namesOf(opened(), 'index'))
  },
)

test('a database of version 5 gets the indexes by which a sweep finds what has ended', () => {
  const db = opened()
  db.exec('DROP INDEX sessions_by_end; DROP INDEX notes_by_lapse; PRAGMA user_version = 5')
  createTables(db)
  expect(versionOf(db)).toEqual([[7]])
  expect(namesOf(db, 'index')).toEqual(namesOf(opened(), 'index'))
})

test('the changes of version 6 are still known, and the next one has a number above them', () => {
  const db = opened(`${VERSION_6}${ROWS_4}`)
  const changes = () => rowsOf(db, 'SELECT number, topic FROM changes')
  expect(changes()).toEqual([
    [6, 'organization 7'],
    [7, 'organization 8'],
  ])
  db.exec(`INSERT INTO settlements VALUES ('c', 'void', NULL, 86400001)`)
  expect(changes().at(-1)).toEqual([8, 'organization 7'])
  expect(rowsOf(db, 'SELECT name, seq FROM sqlite_sequence')).toEqual([['changes', 8]])
})

test.each(['sessions WHERE ends_at_ms', 'notes WHERE lapses_at_ms'])(
  'a sweep goes through none of the %s that have not ended',
  (rows) => {
    const [plan] = opened().prepare(`EXPLAIN QUERY PLAN DELETE FROM ${rows} <= 1`).all()
    expect(plan).toMatchObject({ detail: expect.stringMatching(/^SEARCH .* INDEX/) })
  },
)

test('rows that are written to a new database are counted as those of an older one are', () => {
  const current = opened()
  current.exec(ROWS_4)
  expect(rowsOf(current, `${COUNTS} WHERE count <> 0`)).toEqual(rowsOf(opened(VERSION_2 + ROWS), COUNTS))
})

test('a process that finds the migration done by another one, while it waited for the lock, does nothing', () => {
  const [db, other] = [new Database(file), new Database(file)]
  db.exec(VERSION_3)
  const transaction = db.transaction.bind(db)
  db.transaction = ((work: () => void) => {
    createTables(other)
    return transaction(work)
  }) as typeof db.transaction
  createTables(db)
  expect(versionOf(db)).toEqual([[7]])
})

test('a migration that fails leaves the older version as it was', () => {
  const db = new Database(':memory:')
  db.exec(`${VERSION_2}${ROWS}CREATE TABLE leases (other TEXT);`)
  expect(() => createTables(db)).toThrow('leases')
  expect(versionOf(db)).toEqual([[2]])
  expect(rowsOf(db, 'SELECT * FROM sessions')).toEqual([['a', expect.anything(), 5000, 4]])
})

test('no row of the ledger is changed or removed, not even by SQL', () => {
  const db = opened()
  db.exec(`INSERT INTO requests VALUES ('a', '7', NULL, 'api.read', 'GET', '/organizations', 'person', 1000, NULL),
      ('b', 'unproven x', NULL, 'api.read', 'GET', '/organizations', 'person', 1000, NULL);
    INSERT INTO settlements VALUES ('a', 'uncertain', NULL, 1001), ('b', 'uncertain', NULL, 1001)`)
  for (const sql of [
    'DELETE FROM requests',
    'DELETE FROM settlements',
    'UPDATE requests SET at_ms = 0',
    `UPDATE requests SET organization = '8' WHERE id = 'a'`,
    `UPDATE requests SET organization = 'unproven x' WHERE id = 'a'`,
    `UPDATE requests SET at_ms = 0 WHERE id = 'b'`,
    `UPDATE requests SET kind = 'api.update' WHERE id = 'b'`,
    `UPDATE requests SET id = 'c' WHERE id = 'b'`,
    `UPDATE settlements SET outcome = 'void'`,
  ]) {
    expect(() => db.exec(sql)).toThrow('the ledger is append-only')
  }
  db.exec(`DELETE FROM requests WHERE id = 'b'`)
  expect(rowsOf(db, 'SELECT entry FROM settlements')).toEqual([['a']])
})

test.each([
  ['newestAtMs', 'requests_by_organization'],
  ['countSent', 'requests_by_token'],
  ['listInFlight', 'requests_by_token'],
  ['listEachInFlight', 'requests_by_token'],
  ['readSessionVersions', 'sqlite_autoindex_sessions_1'],
  ['readNotes', 'sqlite_autoindex_notes_1'],
  ['attributeRequests', 'requests_by_organization'],
  ['listSessions', 'sessions_by_owner'],
  ['listEntries', 'requests_by_organization'],
  ['countUnanswered', 'requests_by_organization'],
  ['listReadings', 'readings_by_organization'],
  ['changedSince', 'PRIMARY KEY (rowid>?)'],
  ['countByKind', 'PRIMARY KEY (organization=? AND length_ms=? AND start_ms>?'],
] as const)('%s reads by the index %s, and no table as a whole', (name, index) => {
  const db = openDatabase(':memory:')
  const texts: string[] = []
  const statements = prepareStatements({
    ...db,
    prepare(sql) {
      texts.push(sql)
      return db.prepare(sql)
    },
  })
  const text = texts[Object.keys(statements).indexOf(name)]
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all<{ detail: string }>()
  const details = plan.map(({ detail }) => detail).join('\n')
  expect(details).toContain(index)
  expect(details).not.toMatch(/SCAN (requests|sessions|settlements|request_counts|readings|changes)/)
})

test('a fold finds the old rows by the index of time', () => {
  const db = openDatabase(':memory:')
  let text = ''
  prepareSweeps({
    ...db,
    prepare(sql) {
      if (sql.includes('ORDER BY at_ms')) text = sql
      return db.prepare(sql)
    },
  })
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all<{ detail: string }>()
  expect(plan.map(({ detail }) => detail).join('\n')).toContain('requests_by_time (at_ms<?)')
})
