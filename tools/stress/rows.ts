import { statSync } from 'node:fs'
import Database from 'libsql'

export const countRows = (storePath: string): Record<string, number> =>
  withDatabase(storePath, (db) => {
    const tables = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all() as { name: string }[]
    return Object.fromEntries(
      tables.map(({ name }) => {
        const [row] = db.prepare(`SELECT count(*) AS rows FROM "${name}"`).all() as { rows: number }[]
        return [name, row?.rows ?? 0]
      }),
    )
  })

/** Every row that names an organization, as text that can be compared. */
export const rowsOf = (storePath: string, organization: string): string =>
  withDatabase(storePath, (db) => {
    const requests = db.prepare('SELECT * FROM requests WHERE organization = ? ORDER BY id').all(organization)
    const counts = db
      .prepare('SELECT * FROM day_counts WHERE organization = ? AND count <> 0 ORDER BY 2, 3, 4, 5')
      .all(organization)
    const notes = db.prepare('SELECT * FROM notes WHERE name = ?').all(`organization ${organization}`)
    return JSON.stringify({ requests, counts, notes }, undefined, 1)
  })

/** Claims that lapse later than any may. */
export const claimsBeyond = (storePath: string, atMs: number): number =>
  withDatabase(storePath, (db) => {
    const [row] = db.prepare('SELECT count(*) AS rows FROM claims WHERE lapses_at_ms > ?').all(atMs) as {
      rows: number
    }[]
    return row?.rows ?? 0
  })

export const bytesOf = (storePath: string): number => statSync(storePath).size

function withDatabase<T>(storePath: string, read: (db: Database.Database) => T): T {
  const db = new Database(storePath)
  try {
    return read(db)
  } finally {
    db.close()
  }
}
