/** The store of several machines: PostgreSQL 15 or newer. */
import { createHash } from 'node:crypto'
import { type CustomTypesConfig, DatabaseError, Pool, type PoolClient, types } from 'pg'
import { Problem } from '../../contract/problem.ts'
import { createStore } from '../engine/engine.ts'
import type { Database, Reader, Value, Writer } from '../engine/database.ts'
import type { Store } from '../store.ts'
import { prepareTables } from './tables.ts'

const MOST_CONNECTIONS = 10
/** For a connection, and for a statement without an answer. */
const PATIENCE_MS = 5000
/** A process that stops inside a transaction holds its locks no longer than this. */
const LIMITS = 'SET LOCAL lock_timeout = 3000; SET LOCAL idle_in_transaction_session_timeout = 5000'
const TRIES = 3

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
    const key = createHash('sha256').update(name).digest().readBigInt64BE()
    await this.#client.query('SELECT pg_advisory_xact_lock($1)', [key])
  }
}

class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly #pool: Pool
  #closed: Promise<void> | undefined

  constructor(url: string) {
    this.#pool = new Pool({
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
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]> {
    return this.#retried(async (client) => new Connection(client).all<Row>(sql, values))
  }

  read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work)
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN', work)
  }

  close(): Promise<void> {
    this.#closed ??= this.#pool.end()
    return this.#closed
  }

  #transaction<T>(begin: string, work: (tx: Connection) => Promise<T>): Promise<T> {
    return this.#retried(async (client, commits) => {
      const tx = new Connection(client)
      const begun = client.query(`${begin}; ${LIMITS}`)
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

  /**
   * Tries again, on another connection, what was certainly not committed.
   * @param work calls `commits` when its commit leaves
   * @throws Problem `store_unavailable`, or what `work` throws by itself
   */
  async #retried<T>(work: (client: PoolClient, commits: () => void) => Promise<T>): Promise<T> {
    for (let left = TRIES; ; left -= 1) {
      let isCommitting = false
      const client = await this.#connect()
      try {
        const result = await work(client, () => (isCommitting = true))
        client.release()
        return result
      } catch (error) {
        const isOfDriver = isOfServer(error) || isOfConnection(error)
        client.release(isOfConnection(error))
        if (!isOfDriver) throw error
        const isSafe = !isCommitting || isOfServer(error)
        if (left === 1 || !isSafe || !isPassing(error))
          throw new Problem('store_unavailable', { cause: error })
      }
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (cause) {
      throw new Problem('store_unavailable', { cause })
    }
  }
}

const isOfServer = (error: unknown): error is DatabaseError => error instanceof DatabaseError

/** Errors of sockets have a code, and the driver's own name what has ended. */
const isOfConnection = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof Problem) &&
  (isOfServer(error)
    ? /^(?:08|57P|25P03|25006)/.test(error.code ?? '')
    : 'errno' in error ||
      /^(?:Connection terminated|Query read timeout|Client (?:was closed|has encountered))/.test(
        error.message,
      ))

/** Two transactions waited for each other, or the connection has ended. */
const isPassing = (error: unknown): boolean =>
  isOfConnection(error) || (isOfServer(error) && /^40(?:001|P01)$/.test(error.code ?? ''))
