// The database of a setup: an SQLite file, or a schema in the one PostgreSQL server that all setups share.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { Client } from 'pg'
import { isSuccess } from '../../src/contract/answer-meaning.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { type Store, UNPROVEN } from '../../src/store/store.ts'
import { type PostgresServer, startPostgres } from '../../test/store/_postgres-server.ts'

export const STORES = ['sqlite', 'postgres'] as const
export type StoreKind = (typeof STORES)[number]

/** Direct access of a suite to the database, beside the app. */
export interface Database {
  /** The value of PLIMSOLL_STORE. */
  readonly url: string
  open: () => Promise<Store>
  rows: <Row>(sql: string) => Promise<Row[]>
  /** All that is stored, as text. */
  text: () => Promise<string>
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

/** Files in memory are fast, and only one suite is about the disk. */
export const memoryFolder = (): string =>
  mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'plimsoll-stress-'))

export const fileIn = (folder: string): string => join(folder, 'plimsoll.db')

export async function openDatabase(folder: string): Promise<Database> {
  if (kind === 'sqlite') return sqliteAt(fileIn(folder))
  server ??= startShared()
  const schema = `s${(schemas += 1)}`
  await (await server).send(`CREATE SCHEMA ${schema}`)
  return postgresAt((await server).url(schema))
}

const sqliteAt = (path: string): Database => ({
  url: `sqlite:${path}`,
  open: async () => openSqlite(path),
  async rows<Row>(sql: string) {
    const db = new Sqlite(path, { timeout: 5000 })
    try {
      return db.prepare(sql).all() as Row[]
    } finally {
      db.close()
    }
  },
  text: async () =>
    ['', '-wal']
      .map((suffix) => path + suffix)
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'latin1'))
      .join('\n'),
})

export function postgresAt(url: string): Database {
  const rows = async <Row>(sql: string): Promise<Row[]> => {
    const client = new Client(url)
    await client.connect()
    try {
      return (await client.query(sql)).rows as Row[]
    } finally {
      await client.end()
    }
  }
  return {
    url,
    open: () => openPostgres(url),
    rows,
    async text() {
      const tables = await rows<{ name: string }>(
        'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
      )
      const all = await Promise.all(tables.map(({ name }) => rows(`SELECT t::text FROM "${name}" t`)))
      return JSON.stringify(all)
    },
  }
}

async function startShared(): Promise<PostgresServer> {
  const started = await startPostgres('-c', 'max_connections=300')
  // The exit of this process ends the server.
  process.once('exit', () => started.signal('SIGKILL'))
  return started
}

interface ReadRow {
  organization: string
  outcome: string
  /** PostgreSQL gives it as a text. */
  status: number | string | null
}

/** Counts the rows of API reads themselves, so that the check does not rely on the app's running counts. */
export async function readLedger({ rows }: Database, organization: string) {
  const all = await rows<ReadRow>(
    `SELECT organization, outcome, status FROM requests WHERE kind NOT LIKE 'token%'`,
  )
  const own = all.filter((row) => row.organization === organization)
  return {
    /** Requests that were answered with a success. */
    low: own.filter(({ status }) => isSuccess(Number(status))).length,
    /** All requests that the service may have counted. */
    high: own.filter(({ outcome }) => outcome !== 'void').length,
    /** Requests under an unproven name, which the service may have counted for this organization. */
    unproven: all.filter((row) => row.organization.startsWith(UNPROVEN) && row.outcome !== 'void').length,
  }
}

/** The lease of a refresh. */
const LONGEST_LEASE_MS = 51_000
const FAR_MS = 4e12

/** The notes that hold a lease, with its end. */
async function leased({ rows }: Database): Promise<{ name: string; untilMs: number }[]> {
  const notes = await rows<{ name: string; value: string }>(
    `SELECT name, value FROM notes WHERE name LIKE 'refresh %' OR name LIKE 'read %'`,
  )
  return notes.map(({ name, value }) => {
    const { value: note } = JSON.parse(value) as { value: { lease?: { untilMs: number } } }
    return { name, untilMs: note.lease?.untilMs ?? 0 }
  })
}

/** Counts leases that end later than any lease may. */
export const leasesBeyond = async (database: Database, nowMs: number): Promise<number> =>
  (await leased(database)).filter(({ untilMs }) => untilMs > nowMs + LONGEST_LEASE_MS).length

/** Ends all leases, as if their holders had ended long ago. */
export async function dropLeases(database: Database): Promise<void> {
  const store = await database.open()
  const end = (note: unknown) => {
    const { format, value } = note as { format: number; value: { lease?: object } }
    return { format, value: { ...value, ...(value.lease && { lease: { ...value.lease, untilMs: 0 } }) } }
  }
  for (const { name, untilMs } of await leased(database))
    if (untilMs > 0) await store.changeNote(name, (note) => note && end(note), FAR_MS)
  await store.close()
}
