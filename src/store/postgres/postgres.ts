/** The store of several machines: PostgreSQL 15 or newer. */
import { type CustomTypesConfig, DatabaseError, Pool, type PoolClient, types } from 'pg'
import { Problem } from '../../contract/problem.ts'
import type { Database, Reader, Value, Writer } from '../engine/database.ts'
import { createStore } from '../engine/engine.ts'
import { SCHEMA_VERSION, schemaOf } from '../engine/schema.ts'
import type { Store } from '../store.ts'

/** PostgreSQL 15, as its `server_version_num`. */
const OLDEST_VERSION = 150_000
const MOST_CONNECTIONS = 10
/** For a connection, and for a statement without an answer. */
const PATIENCE_MS = 5000
/** The server ends what nobody waits for any more, and the transaction of a process that has stopped. */
const LIMITS = `SET LOCAL lock_timeout = 3000; SET LOCAL statement_timeout = 4000;
  SET LOCAL idle_in_transaction_session_timeout = 5000`

/**
 * @param onNotice gets, in words, what an operator should change
 * @throws Error without the password if the server cannot be reached, or has tables of another version
 */
export async function openPostgres(
  url: string,
  onNotice: (notice: string) => void = () => {},
): Promise<Store> {
  const db = new PostgresDatabase(url)
  try {
    for (const notice of await db.write(prepareTables)) onNotice(notice)
  } catch (error) {
    await db.close()
    const { message } = (error instanceof Problem ? error.cause : error) as Error
    const reason = message || (error as Error).message
    throw new Error(`The PostgreSQL server ${new URL(url).host} cannot be used: ${reason}.`, { cause: error })
  }
  return createStore(db)
}

/** Makes the tables of an empty database. @returns what an operator should change */
export async function prepareTables(tx: Writer): Promise<string[]> {
  await tx.lock('plimsoll schema')
  const [server] = await tx.all<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  )
  if ((server?.version ?? 0) < OLDEST_VERSION) throw new Error('it is older than PostgreSQL 15')
  const [table] = await tx.all<{ found: unknown }>(`SELECT to_regclass('schema_version') AS found`)
  if (table?.found === null) await createTables(tx)
  else await assertVersion(tx)
  return noticesOf(tx)
}

async function createTables(tx: Writer): Promise<void> {
  for (const sql of schemaOf('postgres').split(/;\n/)) if (sql.trim() !== '') await tx.run(sql)
  await tx.run('CREATE TABLE schema_version (version INT NOT NULL)')
  await tx.run('INSERT INTO schema_version VALUES ($1)', [SCHEMA_VERSION])
}

async function assertVersion(tx: Reader): Promise<void> {
  const [row] = await tx.all<{ version: number }>('SELECT version FROM schema_version')
  if (row?.version !== SCHEMA_VERSION)
    throw new Error(`its tables were made by another version of Plimsoll (schema ${row?.version})`)
}

async function noticesOf(tx: Reader): Promise<string[]> {
  const [settings] = await tx.all<{ disk: string; answer: string }>(
    `SELECT current_setting('fsync') AS disk, current_setting('synchronous_commit') AS answer`,
  )
  return settings?.disk === 'off' || settings?.answer === 'off'
    ? ['PostgreSQL acknowledges what a power loss would lose: set fsync and synchronous_commit to on.']
    : []
}

/** Times and counts are safe integers. */
const NUMBERS: readonly number[] = [types.builtins.INT8, types.builtins.NUMERIC]
const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: Parameters<typeof types.getTypeParser>[0]) =>
    NUMBERS.includes(oid) ? Number : (types.getTypeParser(oid) as (text: string) => unknown),
}

class Connection implements Writer {
  readonly #client: PoolClient

  constructor(client: PoolClient) {
    this.#client = client
  }

  async all<Row>(sql: string, values: readonly Value[] = []): Promise<Row[]> {
    return (await this.#client.query(sql, [...values])).rows as Row[]
  }

  async run(sql: string, values: readonly Value[] = []): Promise<number> {
    return (await this.#client.query(sql, [...values])).rowCount ?? 0
  }

  async lock(name: string): Promise<void> {
    // Those of other schemas in the same database are others.
    const key = `hashtextextended(current_schema() || ' ' || $1::text, 0)`
    await this.#client.query(`SELECT pg_advisory_xact_lock(${key})`, [name])
  }
}

class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly #url: string
  #pool: Pool
  #closed: Promise<void> | undefined

  constructor(url: string) {
    this.#url = url
    this.#pool = openPool(url)
  }

  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]> {
    return this.#retried(async (client) => new Connection(client).all<Row>(sql, values))
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    return this.#retried(async (client, commits) => {
      const tx = new Connection(client)
      const begun = client.query(`BEGIN; ${LIMITS}`)
      try {
        const [result] = await Promise.all([work(tx), begun])
        commits()
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {})
        throw error
      }
    })
  }

  close(): Promise<void> {
    this.#closed ??= this.#pool.end()
    return this.#closed
  }

  /**
   * Tries once more what was certainly not committed; after a connection that has ended, on a new one.
   * @param work calls `commits` when its commit leaves
   * @throws Problem `store_unavailable`, or what `work` throws by itself
   */
  async #retried<T>(work: (client: PoolClient, commits: () => void) => Promise<T>): Promise<T> {
    for (let isLast = false; ; isLast = true) {
      let isCommitting = false
      const pool = this.#pool
      const client = await pool.connect().catch(unavailable)
      try {
        const result = await work(client, () => (isCommitting = true))
        client.release()
        return result
      } catch (error) {
        client.release(isOfConnection(error))
        if (!isOfServer(error) && !isOfConnection(error)) throw error
        // The pool's other connections may be dead too, and each costs a wait. Idle ones close by themselves.
        if (isOfConnection(error) && this.#pool === pool && !this.#closed) this.#pool = openPool(this.#url)
        // It may come from pgbouncer, which lost the server while that committed.
        const isSafe = !isCommitting || !isOfConnection(error)
        if (isLast || !isSafe || !isPassing(error)) unavailable(error)
      }
    }
  }
}

function openPool(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    keepAlive: true,
    application_name: 'plimsoll',
    // Statements that do not wait for each other share a round trip.
    pipeline: true,
    types: TYPES,
  })
  // A connection that breaks is replaced. Whoever uses it then gets the error from the statement.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function unavailable(cause: unknown): never {
  throw new Problem('store_unavailable', { cause })
}

const isOfServer = (error: unknown): error is DatabaseError => error instanceof DatabaseError

/** Codes of the system, such as EPIPE, and of Node's streams and TLS. A fault of our own has another. */
const OF_SOCKET = /^(?:E(?!RR_)|ERR_(?:SSL|TLS|STREAM|SOCKET)_)/

/** Errors of sockets have a code, and the driver's own name what has ended. */
const isOfConnection = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof Problem) &&
  (isOfServer(error)
    ? /^(?:08|57P|25P03|25006)/.test(error.code ?? '')
    : OF_SOCKET.test((error as { code?: string }).code ?? '') ||
      /^(?:Connection terminated|Query read timeout|Client (?:was closed|has encountered))/.test(
        error.message,
      ))

/** Two transactions waited for each other, or the connection has ended. */
const isPassing = (error: unknown): boolean =>
  isOfConnection(error) || (isOfServer(error) && /^40(?:001|P01)$/.test(error.code ?? ''))
