import type Database from 'libsql'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/duration.ts'
import { UNPROVEN } from '../store.ts'

const SCHEMA_VERSION = 7

/** Watchers look far more often than so many take. */
export const STORED_CHANGES = 10_000

/** Unproven names, as a range, so that the index finds them. */
export const IS_UNPROVEN = (column: string): string =>
  `(${column} >= '${UNPROVEN}' AND ${column} < '${UNPROVEN.slice(0, -1)}!')`

const QUARTER_MS = 15 * MINUTE_MS
const BLOCK_MS = 2 * HOUR_MS
/** Periods of the counts. Zones are multiples of the shortest from UTC; a month has few of the longest. */
export const LENGTHS_MS = [QUARTER_MS, BLOCK_MS, DAY_MS] as const

export const OUTCOME = `coalesce(outcome, 'reserved')`
export const SUCCEEDED = 'coalesce(status BETWEEN 200 AND 299, 0)'

/** Adds `by` to the counts of some requests. */
const count = (where: string, by: number): string => `
  INSERT INTO request_counts (organization, length_ms, start_ms, kind, outcome, succeeded, count)
  SELECT organization, length_ms, requests.at_ms - requests.at_ms % length_ms, kind, ${OUTCOME}, ${SUCCEEDED}, ${by} * count(*)
  FROM requests CROSS JOIN (SELECT value AS length_ms FROM json_each('[${LENGTHS_MS.join()}]')) LEFT JOIN settlements ON entry = id
  WHERE ${where} GROUP BY 1, 2, 3, 4, 5, 6 ON CONFLICT DO UPDATE SET count = count + excluded.count;`

// Only requests of unproven names may be changed, once.
const APPEND_ONLY = `
  CREATE TRIGGER requests_no_update BEFORE UPDATE ON requests
    WHEN NOT ${IS_UNPROVEN('old.organization')} OR new.id <> old.id OR new.at_ms <> old.at_ms OR new.kind <> old.kind
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER settlements_no_update BEFORE UPDATE ON settlements
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
`

/** A row may be removed if its name is unproven, or if it is folded. */
const IS_REMOVABLE = (row: string): string =>
  `(${IS_UNPROVEN(`${row}.organization`)} OR ${row}.at_ms < (SELECT before_ms FROM folded))`
const countsAround = (lengthMs: number): string =>
  `request_counts WHERE organization = old.organization AND length_ms = ${lengthMs} AND start_ms = old.at_ms - old.at_ms % ${lengthMs}`

// A removed row before `before_ms` keeps its count of the day; the counts of shorter periods go with it.
const REMOVAL = `
  CREATE TABLE folded (before_ms INTEGER NOT NULL);
  INSERT INTO folded VALUES (0);
  CREATE INDEX requests_by_time ON requests (at_ms);
  CREATE TRIGGER requests_no_delete BEFORE DELETE ON requests WHEN NOT ${IS_REMOVABLE('old')}
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER settlements_no_delete BEFORE DELETE ON settlements
    WHEN EXISTS (SELECT 1 FROM requests WHERE id = old.entry AND NOT ${IS_REMOVABLE('requests')})
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER requests_remove BEFORE DELETE ON requests WHEN ${IS_UNPROVEN('old.organization')} BEGIN
    ${count('id = old.id', -1)}
    DELETE FROM settlements WHERE entry = old.id;
  END;
  CREATE TRIGGER requests_fold BEFORE DELETE ON requests WHEN NOT ${IS_UNPROVEN('old.organization')} BEGIN
    DELETE FROM ${countsAround(QUARTER_MS)};
    DELETE FROM ${countsAround(BLOCK_MS)};
    DELETE FROM ${countsAround(DAY_MS)} AND count = 0;
    DELETE FROM settlements WHERE entry = old.id;
  END;
`

const COUNTS = `
  CREATE TABLE request_counts (
    organization TEXT NOT NULL, length_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL, kind TEXT NOT NULL,
    outcome TEXT NOT NULL, succeeded INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (organization, length_ms, start_ms, kind, outcome, succeeded)
  ) WITHOUT ROWID;
`

const LENGTHS = `(VALUES ${LENGTHS_MS.map((lengthMs) => `(${lengthMs})`).join()})`
const SETTLED_REQUEST = 'CROSS JOIN requests WHERE id = new.entry'

/** As `count`, for one request, in half the time. It runs for every recorded and every settled request. */
const countOne = (request: string, from: string, by: number, outcome: string, succeeded: string): string => `
  INSERT INTO request_counts (organization, length_ms, start_ms, kind, outcome, succeeded, count)
  SELECT ${request}.organization, column1, ${request}.at_ms - ${request}.at_ms % column1, ${request}.kind, ${outcome}, ${succeeded}, ${by}
  FROM ${LENGTHS} ${from} ON CONFLICT DO UPDATE SET count = count + excluded.count;`

const COUNTING = `
  CREATE TRIGGER requests_count AFTER INSERT ON requests BEGIN ${countOne('new', 'WHERE true', 1, `'reserved'`, '0')} END;
  CREATE TRIGGER settlements_count AFTER INSERT ON settlements BEGIN
    ${countOne('requests', SETTLED_REQUEST, -1, `'reserved'`, '0')}
    ${countOne('requests', SETTLED_REQUEST, 1, 'new.outcome', SUCCEEDED.replace('status', 'new.status'))}
  END;
  CREATE TRIGGER requests_leave BEFORE UPDATE OF organization ON requests BEGIN ${count('id = old.id', -1)} END;
  CREATE TRIGGER requests_join AFTER UPDATE OF organization ON requests BEGIN ${count('id = new.id', 1)} END;
`

const SHARED = `
  CREATE TABLE leases (name TEXT PRIMARY KEY, fence INTEGER NOT NULL, lapses_at_ms INTEGER NOT NULL);
  CREATE TABLE fences (newest INTEGER NOT NULL);
  INSERT INTO fences VALUES (0);
  CREATE TABLE counters (name TEXT PRIMARY KEY, count INTEGER NOT NULL, lapses_at_ms INTEGER NOT NULL);
  CREATE TABLE attributions (unproven TEXT PRIMARY KEY, organization TEXT NOT NULL, lapses_at_ms INTEGER NOT NULL);
  CREATE INDEX sessions_by_owner ON sessions (owner, opened_at_ms);
`

// A row for each change of a topic: finding the previous one would cost more than the rest of a change.
const CHANGES = 'CREATE TABLE changes (number INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL);'

// A change gets a number above all earlier ones, including those that are no longer stored.
const change = (topic: string): string =>
  `INSERT INTO changes (topic) VALUES (${topic}); DELETE FROM changes WHERE number <= last_insert_rowid() - ${STORED_CHANGES};`
const IS_WATCHED = (name: string): string =>
  `substr(${name}, 1, instr(${name}, ' ')) IN ('organization ', 'token ', 'service ')`

const ANNOUNCING = `
  CREATE TRIGGER requests_changed AFTER INSERT ON requests BEGIN ${change(`'organization ' || new.organization`)} END;
  CREATE TRIGGER requests_moved AFTER UPDATE OF organization ON requests BEGIN ${change(`'organization ' || new.organization`)} END;
  CREATE TRIGGER settlements_changed AFTER INSERT ON settlements BEGIN
    ${change(`'organization ' || (SELECT organization FROM requests WHERE id = new.entry)`)}
  END;
  CREATE TRIGGER readings_changed AFTER INSERT ON readings BEGIN ${change(`'organization ' || new.organization`)} END;
  CREATE TRIGGER readings_removed AFTER UPDATE ON readings BEGIN ${change(`'organization ' || new.organization`)} END;
  CREATE TRIGGER notes_changed AFTER INSERT ON notes WHEN ${IS_WATCHED('new.name')} BEGIN ${change('new.name')} END;
  CREATE TRIGGER notes_written AFTER UPDATE ON notes WHEN ${IS_WATCHED('new.name')} BEGIN ${change('new.name')} END;
  CREATE TRIGGER notes_removed AFTER DELETE ON notes WHEN ${IS_WATCHED('old.name')} BEGIN ${change('old.name')} END;
  CREATE TRIGGER sessions_changed AFTER UPDATE ON sessions BEGIN ${change(`'session ' || new.id`)} END;
  CREATE TRIGGER sessions_ended AFTER DELETE ON sessions BEGIN ${change(`'session ' || old.id`)} END;
`

const READINGS = `
  CREATE TABLE readings (
    id TEXT PRIMARY KEY, organization TEXT NOT NULL, count INTEGER NOT NULL, read_at_ms INTEGER NOT NULL,
    in_flight INTEGER NOT NULL, month_was_reset INTEGER NOT NULL, owner TEXT NOT NULL, removed_at_ms INTEGER
  );
  CREATE INDEX readings_by_organization ON readings (organization, read_at_ms);
`

// A sweep holds the write lock, so these indexes let it skip sessions and notes that have not ended.
const SWEPT = `
  CREATE INDEX sessions_by_end ON sessions (ends_at_ms);
  CREATE INDEX notes_by_lapse ON notes (lapses_at_ms);
`

// `entry` is the primary key of a settlement, so the first one counts.
const SCHEMA = `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, encrypted BLOB NOT NULL, ends_at_ms INTEGER NOT NULL, version INTEGER NOT NULL,
    owner TEXT NOT NULL, opened_at_ms INTEGER NOT NULL, seen_at_ms INTEGER NOT NULL, browser TEXT NOT NULL
  );
  CREATE TABLE claims (name TEXT PRIMARY KEY, lapses_at_ms INTEGER NOT NULL);
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL, lapses_at_ms INTEGER NOT NULL);
  CREATE TABLE requests (
    id TEXT PRIMARY KEY, organization TEXT NOT NULL, token TEXT, kind TEXT NOT NULL, method TEXT NOT NULL,
    path TEXT NOT NULL, initiator TEXT NOT NULL, at_ms INTEGER NOT NULL, owner TEXT
  );
  CREATE TABLE settlements (entry TEXT PRIMARY KEY, outcome TEXT NOT NULL, status INTEGER, at_ms INTEGER NOT NULL);
  CREATE INDEX requests_by_organization ON requests (organization, at_ms);
  CREATE INDEX requests_by_token ON requests (token, at_ms);
  ${COUNTS}${COUNTING}${SHARED}${APPEND_ONLY}${REMOVAL}${READINGS}${CHANGES}${ANNOUNCING}${SWEPT}
  PRAGMA user_version = ${SCHEMA_VERSION};
`

const FROM_VERSION_1 = `
  ALTER TABLE sessions RENAME COLUMN sealed TO encrypted;
`

const FROM_VERSION_2 = `
  ALTER TABLE sessions ADD COLUMN owner TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN opened_at_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN seen_at_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN browser TEXT NOT NULL DEFAULT '';
  DROP TRIGGER requests_no_UPDATE;
  DROP TRIGGER settlements_no_UPDATE;
  ${COUNTS}${SHARED}${APPEND_ONLY}
  ${count('true', 1)}
`

const FROM_VERSION_3 = `
  ALTER TABLE requests ADD COLUMN owner TEXT;
  ${READINGS}${CHANGES}
`

const FROM_VERSION_4 = `
  DROP TRIGGER requests_no_delete;
  DROP TRIGGER settlements_no_delete;
  DROP TRIGGER IF EXISTS requests_remove;
  ${REMOVAL}
`

const FROM_VERSION_5 = SWEPT

const NAMES_OF_TRIGGERS = [...`${COUNTING}${ANNOUNCING}`.matchAll(/CREATE TRIGGER (\w+)/g)].map(
  ([, name]) => name,
)

// Versions 1 and 2 have none of these triggers.
const FROM_VERSION_6 = `
  ${NAMES_OF_TRIGGERS.map((name) => `DROP TRIGGER IF EXISTS ${name};`).join('')}
  ALTER TABLE changes RENAME TO former_changes;
  ${CHANGES}
  INSERT INTO changes SELECT number, topic FROM former_changes;
  DROP TABLE former_changes;
  ${COUNTING}${ANNOUNCING}
  PRAGMA user_version = ${SCHEMA_VERSION};
`

/** Each upgrades from one version to the next. */
const UPGRADES = [
  FROM_VERSION_1,
  FROM_VERSION_2,
  FROM_VERSION_3,
  FROM_VERSION_4,
  FROM_VERSION_5,
  FROM_VERSION_6,
]

/** Creates or upgrades them in one transaction. @throws Error for a database of a newer version */
export function createTables(db: Database.Database): void {
  // Do not take the write lock if there is nothing to write: another process may hold it.
  if (versionOf(db) === SCHEMA_VERSION) return
  db.transaction(() => {
    const version = versionOf(db)
    for (const sql of version === 0 ? [SCHEMA] : UPGRADES.slice(version - 1)) db.exec(sql)
  }).immediate()
}

/** @returns 0 if there are no tables yet */
export function versionOf(db: Database.Database): number {
  const [{ user_version: version }] = db.pragma('user_version') as [{ user_version: number }]
  if (version > SCHEMA_VERSION) throw new Error(`it was written by a newer Plimsoll (schema ${version})`)
  return version
}
