/** Every SQL statement of the store. */
import type { SqliteDatabase } from './sqlite-database.ts'

const SQL = {
  readSession: 'SELECT encrypted, ends_at_ms, version FROM sessions WHERE id = ?',
  addSession:
    'INSERT INTO sessions (encrypted, ends_at_ms, id, version) VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING',
  changeSession:
    'UPDATE sessions SET encrypted = ?, ends_at_ms = ?, version = version + 1 WHERE id = ? AND version = ?',
  endSession: 'DELETE FROM sessions WHERE id = ?',
  claim: `INSERT INTO claims (name, lapses_at_ms) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET lapses_at_ms = excluded.lapses_at_ms WHERE lapses_at_ms <= ?`,
  reserve: `INSERT INTO requests (id, organization, token, kind, method, path, initiator, at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  settle:
    'INSERT INTO settlements (entry, outcome, status, at_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  countByKind: `SELECT kind, coalesce(outcome, 'reserved') AS outcome,
      coalesce(status BETWEEN 200 AND 299, 0) AS succeeded, count(*) AS count
    FROM requests LEFT JOIN settlements ON entry = id
    WHERE organization = ? AND requests.at_ms >= ? GROUP BY 1, 2, 3`,
  countSent: `SELECT count(*) AS count FROM requests
    WHERE token = ? AND kind IN (SELECT value FROM json_each(?)) AND at_ms >= ?`,
  readNote: 'SELECT value FROM notes WHERE name = ?',
  writeNote: `INSERT INTO notes (name, value, lapses_at_ms) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, lapses_at_ms = excluded.lapses_at_ms`,
  removeNote: 'DELETE FROM notes WHERE name = ?',
  sweepSessions: 'DELETE FROM sessions WHERE ends_at_ms <= ?',
  sweepClaims: 'DELETE FROM claims WHERE lapses_at_ms <= ?',
  sweepNotes: 'DELETE FROM notes WHERE lapses_at_ms <= ?',
} as const

export type Statements = Record<keyof typeof SQL, ReturnType<SqliteDatabase['prepare']>>

/** Prepares each statement once. */
export const prepareStatements = ({ prepare }: SqliteDatabase): Statements =>
  Object.fromEntries(Object.entries(SQL).map(([name, sql]) => [name, prepare(sql)])) as Statements
