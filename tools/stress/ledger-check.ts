// Compares the app's count with the service's count (8.3).
import Database from 'libsql'
import { isSuccess } from '../../src/contract/answer-meaning.ts'
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

/** The rows of API reads, in either database. */
export const READS = `SELECT organization, outcome, status FROM requests WHERE kind NOT LIKE 'token%'`

export interface ReadRow {
  organization: string
  outcome: string
  /** PostgreSQL gives it as a text. */
  status: number | string | null
}

/** Counts the rows themselves, so that the check does not rely on the app's running counts. */
export function countReads(rows: readonly ReadRow[], organization: string): LedgerCounts {
  const own = rows.filter((row) => row.organization === organization)
  return {
    low: own.filter(({ status }) => isSuccess(Number(status))).length,
    high: own.filter(({ outcome }) => outcome !== 'void').length,
    unproven: rows.filter((row) => row.organization.startsWith(UNPROVEN) && row.outcome !== 'void').length,
  }
}

export const readLedger = (storePath: string, organization: string): LedgerCounts =>
  withDatabase(storePath, (db) => countReads(db.prepare(READS).all() as ReadRow[], organization))

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
