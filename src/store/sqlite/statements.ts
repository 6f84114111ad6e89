import type { SqliteDatabase } from './database.ts'
import { IS_UNPROVEN, LENGTHS_MS, OUTCOME, STORED_CHANGES, SUCCEEDED } from './schema.ts'

const SQL = {
  readSession: `SELECT encrypted, ends_at_ms AS endsAtMs, version, owner, opened_at_ms AS openedAtMs, seen_at_ms AS seenAtMs, browser
    FROM sessions WHERE id = ?`,
  readSessionVersions: 'SELECT id, version FROM sessions WHERE id IN (SELECT value FROM json_each(?))',
  addSession: `INSERT INTO sessions (encrypted, ends_at_ms, owner, opened_at_ms, seen_at_ms, browser, id, version)
    VALUES (?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING`,
  changeSession: `UPDATE sessions SET encrypted = ?, ends_at_ms = ?, owner = ?, opened_at_ms = ?, seen_at_ms = ?, browser = ?,
    version = version + 1 WHERE id = ? AND version = ?`,
  // Without the indexed columns, so that no index is written.
  changeRecord:
    'UPDATE sessions SET encrypted = ?, seen_at_ms = ?, version = version + 1 WHERE id = ? AND version = ?',
  endSession: 'DELETE FROM sessions WHERE id = ?',
  listSessions: `SELECT id, ends_at_ms AS endsAtMs, opened_at_ms AS openedAtMs, seen_at_ms AS seenAtMs, browser
    FROM sessions WHERE owner = ? AND ends_at_ms > ? ORDER BY opened_at_ms, id`,
  claim: `INSERT INTO claims (name, lapses_at_ms) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET lapses_at_ms = excluded.lapses_at_ms WHERE lapses_at_ms <= ?`,
  readClaim: 'SELECT lapses_at_ms AS lapsesAtMs FROM claims WHERE name = ?',
  nextFence: 'UPDATE fences SET newest = newest + 1 RETURNING newest',
  acquireLease: `INSERT INTO leases (name, fence, lapses_at_ms) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET fence = excluded.fence, lapses_at_ms = excluded.lapses_at_ms WHERE lapses_at_ms <= ?`,
  renewLease: 'UPDATE leases SET lapses_at_ms = ? WHERE name = ? AND fence = ?',
  releaseLease: 'DELETE FROM leases WHERE name = ? AND fence = ?',
  addToCounter: `INSERT INTO counters (name, count, lapses_at_ms) VALUES (?1, ?2, ?4)
    ON CONFLICT DO UPDATE SET count = iif(lapses_at_ms <= ?3, 0, count) + excluded.count,
      lapses_at_ms = iif(lapses_at_ms <= ?3, excluded.lapses_at_ms, lapses_at_ms)
    RETURNING count, lapses_at_ms AS lapsesAtMs`,
  removeCounter: 'DELETE FROM counters WHERE name = ?',
  reserve: `INSERT INTO requests (id, organization, token, kind, method, path, initiator, at_ms, owner)
    VALUES (?, coalesce((SELECT organization FROM attributions WHERE unproven = ?2), ?2), ?, ?, ?, ?, ?, ?, ?)`,
  settle: `INSERT INTO settlements (entry, outcome, status, at_ms) SELECT ?1, ?2, ?3, ?4
    WHERE EXISTS (SELECT 1 FROM requests WHERE id = ?1) ON CONFLICT DO NOTHING`,
  addAttribution:
    'INSERT INTO attributions (unproven, organization, lapses_at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  attributeRequests: 'UPDATE requests SET organization = ? WHERE organization = ?',
  countByKind: `SELECT kind, outcome, succeeded, sum(count) AS count FROM (
      SELECT kind, outcome, succeeded, count FROM request_counts
        WHERE organization = ?1 AND length_ms = ${LENGTHS_MS[0]} AND start_ms >= ?2 AND start_ms < ?3
      UNION ALL SELECT kind, outcome, succeeded, count FROM request_counts
        WHERE organization = ?1 AND length_ms = ${LENGTHS_MS[1]} AND start_ms >= ?3 AND start_ms < ?4
      UNION ALL SELECT kind, outcome, succeeded, count FROM request_counts
        WHERE organization = ?1 AND length_ms = ${LENGTHS_MS[2]} AND start_ms >= ?4
      UNION ALL SELECT kind, ${OUTCOME}, ${SUCCEEDED}, 1 FROM requests LEFT JOIN settlements ON entry = id
        WHERE organization = ?1 AND requests.at_ms >= ?5 AND requests.at_ms < ?2
    ) GROUP BY 1, 2, 3 HAVING sum(count) <> 0`,
  countByDay: `SELECT start_ms AS startMs, kind, outcome, succeeded, count FROM request_counts
    WHERE organization = ? AND length_ms = ${LENGTHS_MS[2]} AND start_ms >= ? AND count <> 0 ORDER BY start_ms DESC, kind, outcome`,
  countUnanswered: `SELECT count(*) AS count FROM requests WHERE organization = ? AND at_ms >= ?2 AND at_ms <= ?3
    AND NOT EXISTS (SELECT 1 FROM settlements WHERE entry = id AND settlements.at_ms <= ?3)`,
  listEntries: `SELECT id, organization, token, kind, method, path, initiator, owner, requests.at_ms AS atMs, ${OUTCOME} AS outcome, status
    FROM requests LEFT JOIN settlements ON entry = id
    WHERE organization = ?1 AND requests.at_ms >= ?2 AND (requests.at_ms, id) < (?3, ?4)
    ORDER BY requests.at_ms DESC, id DESC LIMIT ?5`,
  readEntryTime: 'SELECT at_ms AS atMs FROM requests WHERE id = ? AND organization = ?',
  addReading: `INSERT INTO readings (id, organization, count, read_at_ms, in_flight, month_was_reset, owner)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  listReadings: `SELECT id, count, read_at_ms AS readAtMs, in_flight AS inFlight, month_was_reset AS monthWasReset, owner
    FROM readings WHERE organization = ? AND read_at_ms >= ? AND removed_at_ms IS NULL
    ORDER BY read_at_ms DESC, rowid DESC LIMIT ?`,
  removeReading:
    'UPDATE readings SET removed_at_ms = ? WHERE organization = ? AND id = ? AND removed_at_ms IS NULL',
  readVersion: `SELECT coalesce(max(seq), 0) AS version FROM sqlite_sequence WHERE name = 'changes'`,
  changedSince: 'SELECT topic FROM changes WHERE number > ?',
  countSent: `SELECT count(*) AS count FROM requests
    WHERE token = ? AND kind IN (SELECT value FROM json_each(?)) AND at_ms >= ?`,
  listInFlight: `SELECT id, kind, at_ms AS atMs FROM requests
    WHERE token = ? AND at_ms >= ? AND NOT EXISTS (SELECT 1 FROM settlements WHERE entry = id)`,
  listEachInFlight: `SELECT id, token, kind, at_ms AS atMs FROM requests
    WHERE token IN (SELECT value FROM json_each(?)) AND at_ms >= ?
      AND NOT EXISTS (SELECT 1 FROM settlements WHERE entry = id)`,
  newestAtMs: `SELECT at_ms AS newest FROM requests WHERE organization = ? AND kind NOT LIKE 'token.%'
    ORDER BY at_ms DESC LIMIT 1`,
  readNote: 'SELECT value FROM notes WHERE name = ?',
  readNotes: 'SELECT name, value FROM notes WHERE name IN (SELECT value FROM json_each(?))',
  writeNote: `INSERT INTO notes (name, value, lapses_at_ms) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, lapses_at_ms = excluded.lapses_at_ms`,
  removeNote: 'DELETE FROM notes WHERE name = ?',
} as const

const lapsed = (table: string, column = 'lapses_at_ms') => `DELETE FROM ${table} WHERE ${column} <= ?1`

const LAPSED = [lapsed('claims'), lapsed('counters')]
const ENDED = [lapsed('sessions', 'ends_at_ms'), lapsed('notes'), lapsed('attributions')]
const LONG_ENDED = [
  `DELETE FROM requests WHERE ${IS_UNPROVEN('organization')} AND at_ms <= ?1`,
  `DELETE FROM request_counts WHERE ${IS_UNPROVEN('organization')} AND count = 0 AND start_ms <= ?1`,
]

const ORGANIZATION = `substr(topic, ${1 + 'organization '.length})`

/**
 * Keeps the newest change of each topic, for as many topics as watchers may have missed. Only its own session
 * watches an unproven name; that session ended long before the requests of the name are removed, or changed
 * when they were attributed.
 */
const SURPLUS = `DELETE FROM changes WHERE number NOT IN
    (SELECT max(number) FROM changes GROUP BY topic ORDER BY 1 DESC LIMIT ${STORED_CHANGES})
  OR topic LIKE 'organization %' AND ${IS_UNPROVEN(ORGANIZATION)}
    AND NOT EXISTS (SELECT 1 FROM requests WHERE organization = ${ORGANIZATION})`

/** An old row leaves its count of the day (schema.ts). */
const FOLD = {
  fold: 'UPDATE folded SET before_ms = max(before_ms, ?)',
  removeFolded: `DELETE FROM requests WHERE rowid IN (SELECT rowid FROM requests
    WHERE at_ms < ? AND NOT ${IS_UNPROVEN('organization')} ORDER BY at_ms LIMIT ?)`,
} as const

type Prepared = ReturnType<SqliteDatabase['prepare']>

export interface Sweeps extends Record<keyof typeof FOLD, Prepared> {
  /** Each removes names that have lapsed by an instant. */
  lapsed: readonly Prepared[]
  /** A lapsed lease may still be renewed, so it is removed later. */
  lapsedLeases: Prepared
  /** Each removes what has ended by an instant. */
  ended: readonly Prepared[]
  /** Each removes requests of unproven names, or their counts, well after. */
  longEnded: readonly Prepared[]
  /** Removes the changes that nobody needs. */
  surplus: Prepared
}

export type Statements = Record<keyof typeof SQL, Prepared>

export const prepareStatements = ({ prepare }: SqliteDatabase): Statements =>
  Object.fromEntries(Object.entries(SQL).map(([name, sql]) => [name, prepare(sql)])) as Statements

export const prepareSweeps = ({ prepare }: SqliteDatabase): Sweeps => ({
  lapsed: LAPSED.map((sql) => prepare(sql)),
  lapsedLeases: prepare(lapsed('leases')),
  ended: ENDED.map((sql) => prepare(sql)),
  longEnded: LONG_ENDED.map((sql) => prepare(sql)),
  surplus: prepare(SURPLUS),
  fold: prepare(FOLD.fold),
  removeFolded: prepare(FOLD.removeFolded),
})
