import type { Copies, StoredCopy } from '../store.ts'
import type { Scope } from './database.ts'

/** With an API key a person may read any number of organizations. */
const MOST_COPIES = 20

export const copies = (scope: Scope): Copies => ({
  async readCopy(grant, path) {
    const [row] = await scope.all<StoredCopy>(READ, [grant, path])
    return row && { ...row, encrypted: new Uint8Array(row.encrypted) }
  },
  writeCopy: (grant, { path, encrypted, atMs }) =>
    scope.write(async (tx) => {
      await Promise.all([tx.run(WRITE, [grant, path, encrypted, atMs]), tx.run(DROP, [grant, MOST_COPIES])])
    }),
})

const READ = 'SELECT path, encrypted, at_ms AS "atMs" FROM copies WHERE grant_id = $1 AND path = $2'
const WRITE = `INSERT INTO copies (grant_id, path, encrypted, at_ms, nth)
  VALUES ($1, $2, $3, $4, (SELECT coalesce(max(nth), 0) + 1 FROM copies WHERE grant_id = $1))
  ON CONFLICT (grant_id, path) DO UPDATE
    SET encrypted = excluded.encrypted, at_ms = excluded.at_ms, nth = excluded.nth`
const DROP = `DELETE FROM copies WHERE grant_id = $1 AND path NOT IN
  (SELECT path FROM copies WHERE grant_id = $1 ORDER BY nth DESC LIMIT $2)`
