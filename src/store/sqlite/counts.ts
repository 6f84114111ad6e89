/** Counts the ledger in SQLite, and caches the counts until another connection commits. */
import { LRUCache } from 'lru-cache'
import { isSuccess } from '../../contract/answer-meaning.ts'
import type { KindCount } from '../../contract/month.ts'
import { LedgerCache, sortOf } from '../shared/ledger-cache.ts'
import type { SqliteDatabase } from './database.ts'
import { LENGTHS_MS } from './schema.ts'
import type { Statements } from './statements.ts'
import { type LedgerEntry, type Settlement, type StoredReading, UNPROVEN } from '../store.ts'

/** SQLite has no booleans. */
export type CountRow<T extends KindCount> = Omit<T, 'succeeded'> & { succeeded: 0 | 1 }

/** Recently recorded requests of this process that have no answer yet. */
const MOST_OPEN = 10_000

type Recorded = Pick<LedgerEntry, 'organization' | 'kind' | 'atMs'>

export class Counts {
  readonly #db: Pick<SqliteDatabase, 'generation' | 'forget'>
  readonly #sql: Pick<Statements, 'countByKind'>
  readonly #known = new LedgerCache<number>()
  readonly #open = new LRUCache<string, Recorded>({ max: MOST_OPEN })

  constructor(db: Pick<SqliteDatabase, 'generation' | 'forget'>, sql: Pick<Statements, 'countByKind'>) {
    this.#db = db
    this.#sql = sql
  }

  countByKind(organization: string, sinceMs: number): KindCount[] {
    const generation = this.#db.generation()
    const known = this.#known.counts(organization, sinceMs, generation)
    if (known !== undefined) return known
    const starts = LENGTHS_MS.map((lengthMs) => Math.ceil(sinceMs / lengthMs) * lengthMs)
    const rows = this.#sql.countByKind.all<CountRow<KindCount>>(organization, ...starts, sinceMs)
    const counts = rows.map((row) => ({ ...row, succeeded: row.succeeded === 1 }))
    this.#known.counted(organization, sinceMs, generation, counts)
    return counts
  }

  /** @param read is called if it is not cached */
  newestReading(organization: string, read: () => StoredReading | undefined): StoredReading | undefined {
    const generation = this.#db.generation()
    const known = this.#known.newest(organization, generation)
    if (known !== undefined) return known.reading
    const reading = read()
    this.#known.readNewest(organization, generation, reading)
    return reading
  }

  /** Adds a request that this connection has recorded in the open transaction. */
  recorded(id: string, { organization, kind, atMs }: Recorded): void {
    // It may count for the organization that the name was attributed to.
    if (organization.startsWith(UNPROVEN)) return this.#db.forget()
    this.#open.set(id, { organization, kind, atMs })
    this.#add({ organization, atMs }, [[sortOf(kind, 'reserved', false), 1]])
  }

  settled(id: string, { outcome, status = 0 }: Settlement): void {
    const request = this.#open.get(id)
    if (request === undefined) return this.#db.forget()
    this.#open.delete(id)
    const { kind } = request
    this.#add(request, [
      [sortOf(kind, 'reserved', false), -1],
      [sortOf(kind, outcome, isSuccess(status)), 1],
    ])
  }

  #add({ organization, atMs }: Pick<Recorded, 'organization' | 'atMs'>, changes: [string, number][]): void {
    const generation = this.#db.generation()
    this.#known.add(organization, atMs, changes, [generation, generation])
  }
}
