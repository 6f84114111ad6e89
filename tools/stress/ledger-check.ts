// Compares the app's count with the service's count (8.3).
import type { Store } from '../../src/store/store.ts'
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

/** That of a refresh. */
const LONGEST_LEASE_MS = 51_000

/** The notes that may hold a lease. */
export const LEASED = `SELECT name, value FROM notes WHERE name LIKE 'refresh %' OR name LIKE 'read %'`

const FAR_MS = 4e12

export interface LeasedRow {
  name: string
  value: string
}

const untilOf = ({ value }: LeasedRow): number =>
  (JSON.parse(value) as { value: { lease?: { untilMs: number } } }).value.lease?.untilMs ?? 0

/** Counts leases that end later than any lease may. */
export const leasesBeyond = (rows: readonly LeasedRow[], nowMs: number): number =>
  rows.filter((row) => untilOf(row) > nowMs + LONGEST_LEASE_MS).length

/** Ends all leases, as if their holders had ended long ago. */
export async function dropLeases(store: Store, rows: readonly LeasedRow[]): Promise<void> {
  const end = (note: unknown) => {
    const { format, value } = note as { format: number; value: { lease?: object } }
    return { format, value: { ...value, ...(value.lease && { lease: { ...value.lease, untilMs: 0 } }) } }
  }
  for (const row of rows)
    if (untilOf(row) > 0) await store.changeNote(row.name, (note) => note && end(note), FAR_MS)
  await store.close()
}

export const readLeased = (storePath: string): LeasedRow[] =>
  withDatabase(storePath, (db) => db.prepare(LEASED).all() as LeasedRow[])

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
