/** The tables, the same in SQLite and PostgreSQL but for the names of three types. */
import { UNPROVEN } from '../store.ts'
import type { Dialect } from './database.ts'

/** Raised with each change of the tables. Plimsoll 2 began again at 1. */
export const SCHEMA_VERSION = 4

/** Names under which requests count until they are attributed, as a range that an index finds. */
export const isUnproven = (column: string): string =>
  `(${column} >= '${UNPROVEN}' AND ${column} < '${UNPROVEN.slice(0, -1)}!')`

/** By bytes, so that both order and compare ids alike. */
const TYPES: Record<Dialect, Record<'TEXT' | 'BYTES' | 'INT', string>> = {
  sqlite: { TEXT: 'TEXT', BYTES: 'BLOB', INT: 'INTEGER' },
  postgres: { TEXT: 'TEXT COLLATE "C"', BYTES: 'BYTEA', INT: 'BIGINT' },
}

const TABLES = `
  CREATE TABLE sessions (
    id {TEXT} PRIMARY KEY, encrypted {BYTES} NOT NULL, ends_at_ms {INT} NOT NULL, version {INT} NOT NULL,
    owner {TEXT} NOT NULL, opened_at_ms {INT} NOT NULL, seen_at_ms {INT} NOT NULL, browser {TEXT} NOT NULL,
    grant_id {TEXT} NOT NULL
  );
  CREATE INDEX sessions_by_owner ON sessions (owner, opened_at_ms);
  CREATE INDEX sessions_by_end ON sessions (ends_at_ms);
  CREATE INDEX sessions_by_grant ON sessions (grant_id);

  -- The credential of a sign-in, which its browser and those that it has paired share.
  CREATE TABLE grants (id {TEXT} PRIMARY KEY, encrypted {BYTES} NOT NULL);
  CREATE TABLE copies (
    grant_id {TEXT} NOT NULL, path {TEXT} NOT NULL, encrypted {BYTES} NOT NULL, at_ms {INT} NOT NULL,
    nth {INT} NOT NULL, PRIMARY KEY (grant_id, path)
  );

  CREATE TABLE requests (
    id {TEXT} PRIMARY KEY, press {TEXT} NOT NULL, organization {TEXT} NOT NULL, token {TEXT},
    kind {TEXT} NOT NULL, method {TEXT} NOT NULL, path {TEXT} NOT NULL, initiator {TEXT} NOT NULL,
    owner {TEXT}, at_ms {INT} NOT NULL, outcome {TEXT} NOT NULL, status {INT}, settled_at_ms {INT}
  );
  CREATE INDEX requests_by_organization ON requests (organization, at_ms, id);
  CREATE INDEX requests_by_token ON requests (token, at_ms);
  CREATE INDEX requests_by_time ON requests (at_ms);

  -- Each request counts here from its record on; its row is removed three months later.
  CREATE TABLE day_counts (
    organization {TEXT} NOT NULL, day_ms {INT} NOT NULL, kind {TEXT} NOT NULL, outcome {TEXT} NOT NULL,
    succeeded {INT} NOT NULL, count {INT} NOT NULL,
    PRIMARY KEY (organization, day_ms, kind, outcome, succeeded)
  );

  CREATE TABLE attributions (
    unproven {TEXT} PRIMARY KEY, organization {TEXT} NOT NULL, lapses_at_ms {INT} NOT NULL
  );

  CREATE TABLE readings (
    id {TEXT} PRIMARY KEY, organization {TEXT} NOT NULL, nth {INT} NOT NULL, count {INT} NOT NULL,
    read_at_ms {INT} NOT NULL, in_flight {INT} NOT NULL, month_was_reset {INT} NOT NULL,
    owner {TEXT} NOT NULL, removed_at_ms {INT}
  );
  CREATE INDEX readings_by_organization ON readings (organization, read_at_ms);

  CREATE TABLE watch_links (
    hash {TEXT} PRIMARY KEY, organization {TEXT} NOT NULL, name {TEXT} NOT NULL, made_by {TEXT} NOT NULL,
    made_at_ms {INT} NOT NULL, ends_at_ms {INT} NOT NULL, used_day {TEXT} NOT NULL, used_by {TEXT} NOT NULL
  );
  CREATE INDEX watch_links_by_organization ON watch_links (organization, made_at_ms);
  CREATE INDEX watch_links_by_end ON watch_links (ends_at_ms);

  CREATE TABLE notes (name {TEXT} PRIMARY KEY, value {TEXT} NOT NULL, lapses_at_ms {INT} NOT NULL);
  CREATE INDEX notes_by_lapse ON notes (lapses_at_ms);
  CREATE TABLE counters (name {TEXT} PRIMARY KEY, count {INT} NOT NULL, lapses_at_ms {INT} NOT NULL);

  -- Another one where the numbers of changes begin anew: the database is another one, or an older copy.
  CREATE TABLE epoch (id {TEXT} NOT NULL);
  -- The number of the newest change of each topic.
  CREATE TABLE topics (topic {TEXT} PRIMARY KEY, number {INT} NOT NULL);
  CREATE INDEX topics_by_number ON topics (number);
`

/** The statements that make the tables in an empty database. */
export const schemaOf = (dialect: Dialect): string =>
  TABLES.replaceAll(/\{(\w+)\}/g, (_, name: 'TEXT' | 'BYTES' | 'INT') => TYPES[dialect][name]) +
  (dialect === 'postgres' ? 'CREATE SEQUENCE numbers;' : '')

/** A number above all earlier ones. In SQLite one transaction at a time writes. */
export const NEXT_NUMBER: Record<Dialect, string> = {
  sqlite: '(SELECT coalesce(max(number), 0) + 1 FROM topics)',
  postgres: `nextval('numbers')`,
}
