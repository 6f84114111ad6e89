/** The tables of the SQLite database. */
import type Database from 'libsql'

const SCHEMA_VERSION = 2

const APPEND_ONLY = ['requests', 'settlements'].flatMap((table) =>
  ['UPDATE', 'DELETE'].map(
    (change) =>
      `CREATE TRIGGER ${table}_no_${change} BEFORE ${change} ON ${table}
       BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;`,
  ),
)

// `entry` is the primary key of a settlement, so the first one stays.
const SCHEMA = `
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
  ${APPEND_ONLY.join('')}
  PRAGMA user_version = ${SCHEMA_VERSION};
`

const FROM_VERSION_1 = `
  ALTER TABLE sessions RENAME COLUMN sealed TO encrypted;
  PRAGMA user_version = 2;
`

/**
 * Creates the tables where there are none, or brings those of an older version up to date, in one transaction.
 * @throws Error for a database of a newer version
 */
export function createTables(db: Database.Database): void {
  // Without the write lock, which others may have, where there is nothing to write.
  if (versionOf(db) === SCHEMA_VERSION) return
  db.transaction(() => {
    const version = versionOf(db)
    if (version === 0) db.exec(SCHEMA)
    if (version === 1) db.exec(FROM_VERSION_1)
  }).immediate()
}

/** 0 where there are no tables yet. */
function versionOf(db: Database.Database): number {
  const [{ user_version: version }] = db.pragma('user_version') as [{ user_version: number }]
  if (version > SCHEMA_VERSION) throw new Error(`it was written by a newer Plimsoll (schema ${version})`)
  return version
}
