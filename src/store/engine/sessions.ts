import type { Copies, Grants, ListedSession, Sessions, StoredCopy, StoredSession } from '../store.ts'
import { type Change, placesOf, type Scope } from './database.ts'

const COLUMNS = `ends_at_ms AS "endsAtMs", opened_at_ms AS "openedAtMs", seen_at_ms AS "seenAtMs", browser`

export const sessions = (scope: Scope): Sessions => ({
  async readSession(id) {
    const [row] = await scope.all<StoredSession>(
      `SELECT encrypted, version, owner, grant_id AS "grant", ${COLUMNS} FROM sessions WHERE id = $1`,
      [id],
    )
    return row && { ...row, encrypted: new Uint8Array(row.encrypted) }
  },

  async readSessionVersions(ids) {
    const rows = await scope.all<{ id: string; version: number }>(
      `SELECT id, version FROM sessions WHERE id IN (${placesOf(ids)})`,
      ids,
    )
    const versions = new Map(rows.map(({ id, version }) => [id, version]))
    return ids.map((id) => versions.get(id))
  },

  writeSession: (id, { encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser, grant }, seenVersion) =>
    scope.write(async (tx) => {
      const values = [encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser, id]
      if (seenVersion === 0) return (await tx.run(ADD, [...values, grant])) === 1
      const isWritten = (await tx.run(CHANGE, [...values, seenVersion])) === 1
      if (isWritten) await tx.changed(`session ${id}`)
      return isWritten
    }),

  endSession: (id) =>
    scope.write(async (tx) => {
      const [ended] = await tx.all<{ grant_id: string }>(END, [id])
      if (ended === undefined) return false
      await endUnused(tx, ended.grant_id)
      await tx.changed(`session ${id}`)
      return true
    }),

  listSessions: (owner, nowMs, grant = '') =>
    scope.all<ListedSession>(
      `SELECT id, ${COLUMNS} FROM sessions WHERE (owner = $1 OR grant_id = $3) AND ends_at_ms > $2
        ORDER BY opened_at_ms, id`,
      [owner, nowMs, grant],
    ),
})

export const grants = (scope: Scope): Grants => ({
  async readGrant(id) {
    const [row] = await scope.all<{ encrypted: Uint8Array }>('SELECT encrypted FROM grants WHERE id = $1', [
      id,
    ])
    return row && new Uint8Array(row.encrypted)
  },

  addGrant: (id, encrypted) =>
    scope.write(async (tx) => {
      await tx.run('INSERT INTO grants (id, encrypted) VALUES ($1, $2)', [id, encrypted])
    }),

  changeGrant: (id, encrypted) =>
    scope.write(async (tx) => {
      if ((await tx.run('UPDATE grants SET encrypted = $2 WHERE id = $1', [id, encrypted])) === 0)
        return false
      const sql = 'UPDATE sessions SET version = version + 1 WHERE grant_id = $1 RETURNING id'
      await changed(tx, await tx.all<{ id: string }>(sql, [id]))
      return true
    }),

  endGrant: (id) =>
    scope.write(async (tx) => {
      const ended = await tx.all<{ id: string }>('DELETE FROM sessions WHERE grant_id = $1 RETURNING id', [
        id,
      ])
      await endUnused(tx, id)
      await changed(tx, ended)
      return ended.length
    }),
})

async function changed(tx: Change, ids: readonly { id: string }[]): Promise<void> {
  for (const { id } of ids) await tx.changed(`session ${id}`)
}

async function endUnused(tx: Change, grant: string): Promise<void> {
  const isUnused = 'NOT EXISTS (SELECT 1 FROM sessions WHERE grant_id = $1)'
  await tx.run(`DELETE FROM grants WHERE id = $1 AND ${isUnused}`, [grant])
  await tx.run(`DELETE FROM copies WHERE grant_id = $1 AND ${isUnused}`, [grant])
}

/** With an API key a person may read any number of organizations. */
const MOST_COPIES = 20

export const copies = (scope: Scope): Copies => ({
  async readCopy(grant, path) {
    const [row] = await scope.all<StoredCopy>(READ_COPY, [grant, path])
    return row && { ...row, encrypted: new Uint8Array(row.encrypted) }
  },

  writeCopy: (grant, { path, encrypted, atMs }) =>
    scope.write(async (tx) => {
      await Promise.all([
        tx.run(WRITE_COPY, [grant, path, encrypted, atMs]),
        tx.run(DROP_COPIES, [grant, MOST_COPIES]),
      ])
    }),
})

const ADD = `
  INSERT INTO sessions
    (encrypted, ends_at_ms, owner, opened_at_ms, seen_at_ms, browser, id, grant_id, version)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1) ON CONFLICT DO NOTHING`
const END = 'DELETE FROM sessions WHERE id = $1 RETURNING grant_id'
const CHANGE = `
  UPDATE sessions SET encrypted = $1, ends_at_ms = $2, owner = $3, opened_at_ms = $4, seen_at_ms = $5,
    browser = $6, version = version + 1 WHERE id = $7 AND version = $8`
const READ_COPY = 'SELECT path, encrypted, at_ms AS "atMs" FROM copies WHERE grant_id = $1 AND path = $2'
const WRITE_COPY = `INSERT INTO copies (grant_id, path, encrypted, at_ms, nth)
  VALUES ($1, $2, $3, $4, (SELECT coalesce(max(nth), 0) + 1 FROM copies WHERE grant_id = $1))
  ON CONFLICT (grant_id, path) DO UPDATE
    SET encrypted = excluded.encrypted, at_ms = excluded.at_ms, nth = excluded.nth`
const DROP_COPIES = `DELETE FROM copies WHERE grant_id = $1 AND path NOT IN
  (SELECT path FROM copies WHERE grant_id = $1 ORDER BY nth DESC LIMIT $2)`
