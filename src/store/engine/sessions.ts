import type { ListedSession, Sessions, StoredSession } from '../store.ts'
import { placesOf, type Scope } from './database.ts'

const COLUMNS = `ends_at_ms AS "endsAtMs", opened_at_ms AS "openedAtMs", seen_at_ms AS "seenAtMs", browser`

export const sessions = (scope: Scope): Sessions => ({
  async readSession(id) {
    const [row] = await scope.all<StoredSession>(
      `SELECT encrypted, version, owner, ${COLUMNS} FROM sessions WHERE id = $1`,
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

  writeSession: (id, { encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser }, seenVersion) =>
    scope.write(async (tx) => {
      const values = [encrypted, endsAtMs, owner, openedAtMs, seenAtMs, browser, id]
      if (seenVersion === 0) return (await tx.run(ADD, values)) === 1
      const isWritten = (await tx.run(CHANGE, [...values, seenVersion])) === 1
      if (isWritten) await tx.changed(`session ${id}`)
      return isWritten
    }),

  endSession: (id) =>
    scope.write(async (tx) => {
      const ended = await tx.run('DELETE FROM sessions WHERE id = $1', [id])
      await tx.run('DELETE FROM copies WHERE session = $1', [id])
      if (ended > 0) await tx.changed(`session ${id}`)
    }),

  listSessions: (owner, nowMs) =>
    scope.all<ListedSession>(
      `SELECT id, ${COLUMNS} FROM sessions WHERE owner = $1 AND ends_at_ms > $2 ORDER BY opened_at_ms, id`,
      [owner, nowMs],
    ),
})

const ADD = `
  INSERT INTO sessions (encrypted, ends_at_ms, owner, opened_at_ms, seen_at_ms, browser, id, version)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 1) ON CONFLICT DO NOTHING`
const CHANGE = `
  UPDATE sessions SET encrypted = $1, ends_at_ms = $2, owner = $3, opened_at_ms = $4, seen_at_ms = $5,
    browser = $6, version = version + 1 WHERE id = $7 AND version = $8`
