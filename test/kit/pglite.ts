// PostgreSQL in this process, where no server is installed: the same SQL, over one connection.
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { Problem } from '../../src/contract/problem.ts'
import type { Database, Value, Writer } from '../../src/store/engine/database.ts'
import { createStore } from '../../src/store/engine/engine.ts'
import { prepareTables } from '../../src/store/postgres/postgres.ts'
import type { Store } from '../../src/store/store.ts'

const INT8 = 20
const NUMERIC = 1700
const parsers = { [INT8]: Number, [NUMERIC]: Number }

const writerOf = (tx: Pick<Transaction, 'query'>): Writer => ({
  all: async <Row>(sql: string, values: readonly Value[] = []) =>
    (await tx.query<Row>(sql, [...values], { parsers })).rows,
  run: async (sql, values = []) => (await tx.query(sql, [...values], { parsers })).affectedRows ?? 0,
  lock: async () => {},
})

/** It takes seconds to start, so a file of tests has one. */
let shared: PGlite | undefined
let schemas = 0

class PgliteDatabase implements Database {
  readonly dialect = 'postgres'
  readonly #db = (shared ??= new PGlite())
  readonly #schema = `s${(schemas += 1)}`
  #isClosed = false

  async create(): Promise<void> {
    await this.#db.exec(`CREATE SCHEMA ${this.#schema}`)
    await this.write(prepareTables)
  }

  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]> {
    return this.write((tx) => tx.all<Row>(sql, values))
  }

  async write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Problem('store_unavailable', { cause: new Error('it is closed') })
    let own: unknown
    try {
      return await this.#db.transaction(async (tx) => {
        await tx.exec(`SET LOCAL search_path = ${this.#schema}`)
        return work(writerOf(tx)).catch((error: unknown) => {
          own = error
          throw error
        })
      })
    } catch (cause) {
      if (own === cause && !(cause instanceof Error && 'severity' in cause)) throw cause
      throw new Problem('store_unavailable', { cause })
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }
}

export async function openPglite(): Promise<Store> {
  const db = new PgliteDatabase()
  await db.create()
  return createStore(db)
}
