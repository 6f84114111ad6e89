// Compares what the app counted with what the service counted (8.3).
import Database from 'libsql'
import { UNPROVEN } from '../../src/store/store.ts'

/** Requests in the ledger of one organization, and those that no organization was proven to have sent. */
export interface LedgerCounts {
  /** Answered with a success. */
  low: number
  /** All that may have been counted. */
  high: number
  /** Recorded under an unproven name, and so perhaps counted by the service for this organization. */
  unproven: number
}

/** Reads the rows themselves, so that the running counts of the app are not taken for granted. Reads of the API only. */
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

/** `ok`, or what SQLite finds wrong with the file. */
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
