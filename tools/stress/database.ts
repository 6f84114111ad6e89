// The database of a setup: an SQLite file, or tables of its own in one PostgreSQL server that all setups share.
import { join } from 'node:path'
import { Client } from 'pg'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { type PostgresServer, startPostgres } from '../../test/store/_postgres-server.ts'
import {
  countReads,
  dropLeases,
  type LedgerCounts,
  leasesBeyond,
  LEASED,
  type LeasedRow,
  quickCheck,
  type ReadRow,
  readLeased,
  readLedger,
  READS,
} from './ledger-check.ts'

export const STORES = ['sqlite', 'postgres'] as const
export type StoreKind = (typeof STORES)[number]

/** Direct access of a suite to the database, beside the app. */
export interface Database {
  /** The value of PLIMSOLL_STORE. */
  readonly url: string
  open: () => Promise<Store>
  /** Counts the rows of API reads themselves, so that the check does not rely on the app's running counts. */
  readLedger: (organization: string) => Promise<LedgerCounts>
  /** Counts leases that lapse later than any lease may. */
  leasesBeyond: (nowMs: number) => Promise<number>
  /** Ends all leases, as if their holders had ended long ago. */
  dropLeases: () => Promise<void>
  /** `ok`, or the fault that the database finds in itself. */
  check: () => Promise<string>
  close: () => Promise<void>
}

let kind: StoreKind = 'sqlite'
let server: Promise<PostgresServer> | undefined
let schemas = 0

/** The database of all further setups. */
export function useStore(wanted: StoreKind): void {
  kind = wanted
}

export async function endStore(): Promise<void> {
  await (await server)?.remove()
  server = undefined
}

export const fileIn = (folder: string): string => join(folder, 'plimsoll.db')

export const openDatabase = (folder: string): Promise<Database> =>
  kind === 'postgres' ? openPostgresDatabase() : Promise.resolve(sqliteDatabase(fileIn(folder)))

const sqliteDatabase = (path: string): Database => ({
  url: `sqlite:${path}`,
  open: async () => openSqlite(path),
  readLedger: async (organization) => readLedger(path, organization),
  leasesBeyond: async (nowMs) => leasesBeyond(readLeased(path), nowMs),
  dropLeases: async () => dropLeases(openSqlite(path), readLeased(path)),
  check: async () => quickCheck(path),
  close: async () => {},
})

async function openPostgresDatabase(): Promise<Database> {
  server ??= startShared()
  const schema = `s${(schemas += 1)}`
  await (await server).send(`CREATE SCHEMA ${schema}`)
  const url = (await server).url(schema)
  const rowsOf = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => {
    const client = new Client(url)
    await client.connect()
    try {
      return (await client.query(sql, values)).rows as Row[]
    } finally {
      await client.end()
    }
  }
  const open = () => openPostgres(url)
  return {
    url,
    open,
    readLedger: async (organization) => countReads(await rowsOf<ReadRow>(READS), organization),
    leasesBeyond: async (nowMs) => leasesBeyond(await rowsOf<LeasedRow>(LEASED), nowMs),
    dropLeases: async () => dropLeases(await open(), await rowsOf<LeasedRow>(LEASED)),
    check: async () => 'ok',
    close: async () => {},
  }
}

async function startShared(): Promise<PostgresServer> {
  const started = await startPostgres('-c', 'max_connections=300')
  // The exit of this process ends the server.
  process.once('exit', () => started.signal('SIGKILL'))
  return started
}
