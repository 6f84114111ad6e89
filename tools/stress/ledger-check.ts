// Compares the app's count with the service's count (8.3).
import Database from 'libsql'
import { UNPROVEN } from '../../src/store/store.ts'

/** Requests in the ledger of one organization, and requests that are not proven to belong to any. */
export interface LedgerCounts {
  /** Requests that were answered with a success. */
  low: number
  /** All requests that the service may have counted. */
  high: number
  /** Requests under an unproven name, which the service may have counted for this organization. */
  unproven: number
}

/** Counts the rows of API reads themselves, so that the check does not rely on the app's running counts. */
export function readLedger(storePath: string, organization: string): LedgerCounts {
  return withDatabase(storePath, (db) => {
    const rows = db
      .prepare(
        `SELECT organization, outcome, status FROM requests LEFT JOIN settlements ON entry = requests.id
         WHERE kind NOT LIKE 'token%'`,
      )
      .all() as { organization: string; outcome: string | null; status: number | null }[]
    const own = rows.filter((row) => row.organization === organization)
    return {
      low: own.filter(({ status }) => status !== null && status >= 200 && status < 300).length,
      high: own.filter(({ outcome }) => outcome !== 'void').length,
      unproven: rows.filter((row) => row.organization.startsWith(UNPROVEN) && row.outcome !== 'void').length,
    }
  })
}

export const LONGEST_LEASE_MS = 16_000

export const leasesBeyond = (storePath: string, nowMs: number): number =>
  withDatabase(storePath, (db) => {
    const [row] = db
      .prepare('SELECT count(*) AS n FROM leases WHERE lapses_at_ms > ?')
      .all(nowMs + LONGEST_LEASE_MS) as [{ n: number }]
    return row.n
  })

export const dropLeases = (storePath: string): void =>
  withDatabase(storePath, (db) => void db.prepare('DELETE FROM leases').run())

/** `ok`, or the fault that SQLite finds in the file. */
export const quickCheck = (storePath: string): string =>
  withDatabase(storePath, (db) => {
    const [row] = db.pragma('quick_check') as [{ quick_check: string }]
    return row.quick_check
  })

function withDatabase<T>(storePath: string, read: (db: Database.Database) => T): T {
  const db = new Database(storePath, { timeout: 5000 })
  try {
    return read(db)
  } finally {
    db.close()
  }
}
