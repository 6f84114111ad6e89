import type { Copies, StoredCopy } from '../store.ts'
import type { Scope } from './database.ts'

/** With an API key a person may read any number of organizations. */
const MOST_COPIES = 20

export const copies = (scope: Scope): Copies => ({
  async readCopies(session, path) {
    const rows = await scope.all<StoredCopy>(READ, [session, path])
    return rows.map((row) => ({ ...row, encrypted: new Uint8Array(row.encrypted) }))
  },
  writeCopy: (session, { path, encrypted, atMs }) =>
    scope.write(async (tx) => {
      await tx.run(WRITE, [session, path, encrypted, atMs])
      await tx.run(DROP, [session, MOST_COPIES])
    }),
})

const READ = `SELECT path, encrypted, at_ms AS "atMs" FROM copies
  WHERE session = $1 AND path = coalesce($2, path) ORDER BY nth DESC`
const WRITE = `INSERT INTO copies (session, path, encrypted, at_ms, nth)
  VALUES ($1, $2, $3, $4, (SELECT coalesce(max(nth), 0) + 1 FROM copies WHERE session = $1))
  ON CONFLICT (session, path) DO UPDATE
    SET encrypted = excluded.encrypted, at_ms = excluded.at_ms, nth = excluded.nth`
const DROP = `DELETE FROM copies WHERE session = $1 AND path NOT IN
  (SELECT path FROM copies WHERE session = $1 ORDER BY nth DESC LIMIT $2)`
