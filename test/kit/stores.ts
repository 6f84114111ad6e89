import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { LedgerEntry, Store, StoredLink, StoredReading } from '../../src/store/store.ts'
import { IS_WHOLE } from '../_extent.ts'
import { openPglite } from './pglite.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../store/_postgres-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
let files = 0
let postgres: Promise<PostgresServer> | undefined
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await (await postgres)?.remove()
})

/** The URL of a database without tables. */
async function emptyDatabase(): Promise<string> {
  postgres ??= startPostgres()
  const server = await postgres
  const schema = `s${(files += 1)}`
  await server.send(`CREATE SCHEMA ${schema}`)
  return server.url(schema)
}

const emptyFile = async (): Promise<string> => join(folder, `${(files += 1)}.db`)

/** Some projects of vitest run their tests over SQLite alone. */
const IS_FIRST_ALONE = process.env['STORES'] === 'SQLite'
/** Each makes an empty database, and returns its file or URL. The run reports if there is no PostgreSQL. */
export const DATABASES: [name: string, make: () => Promise<string>][] = [['SQLite', emptyFile]]
if (!IS_FIRST_ALONE && findPostgres() !== undefined) DATABASES.push(['PostgreSQL', emptyDatabase])

export const openDatabase = async (where: string): Promise<Store> =>
  where.startsWith('postgres:') ? openPostgres(where) : openSqlite(where)

/** Each opens an empty store. The tests of the bff use one in memory all the time. */
export const ADAPTERS: [name: string, open: () => Promise<Store>][] = [
  ...DATABASES.map(
    ([name, make]) => [name, async () => openDatabase(await make())] as (typeof ADAPTERS)[number],
  ),
  ...(IS_WHOLE
    ? [['SQLite in memory', async () => openSqlite(':memory:')] as (typeof ADAPTERS)[number]]
    : []),
]
if (IS_WHOLE || (!IS_FIRST_ALONE && findPostgres() === undefined)) ADAPTERS.push(['PGlite', openPglite])

/** Each opens an empty store twice, as two processes do. */
export const OPENED_TWICE: [name: string, open: () => Promise<[Store, Store]>][] = DATABASES.map(
  ([name, make]) => [
    name,
    async () => {
      const where = await make()
      return [await openDatabase(where), await openDatabase(where)]
    },
  ],
)

/** Later than everything in a test. */
export const FAR_MS = 4e12

export const session = (encrypted: Uint8Array, endsAtMs = 5000) => ({
  encrypted,
  endsAtMs,
  owner: 'owner',
  openedAtMs: 100,
  seenAtMs: 200,
  browser: 'Firefox on Linux',
  grant: 'grant',
})

export const entry = (id: string, differing: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id,
  press: 'press',
  organization: '7',
  token: 'print',
  kind: 'api.read',
  method: 'GET',
  path: '/organizations/{id}',
  initiator: 'person',
  atMs: 1000,
  ...differing,
})

export const reading = (id: string, differing: Partial<StoredReading> = {}): StoredReading => ({
  id,
  count: 32,
  readAtMs: 1000,
  inFlight: 0,
  monthWasReset: false,
  owner: 'owner',
  ...differing,
})

/** Of the organization `7`. It ends at 5000. */
export const link = (hash: string, differing: Partial<StoredLink> = {}): StoredLink => ({
  hash,
  organization: '7',
  name: `Link ${hash}`,
  madeBy: 'Firefox on Linux',
  madeAtMs: 1000,
  endsAtMs: 5000,
  usedDay: '',
  usedBy: '',
  ...differing,
})

export const readNote = async (store: Pick<Store, 'readNotes'>, name: string): Promise<unknown> =>
  (await store.readNotes([name]))[0]
