/** Caches the requests without an answer by token, until another connection commits. */
import { LRUCache } from 'lru-cache'
import type { RequestKind } from '../../contract/month.ts'
import type { SqliteDatabase } from './database.ts'
import type { Statements } from './statements.ts'
import type { LedgerEntry } from '../store.ts'

/** Recently used tokens: enough for the sessions of ten thousand event streams. */
const MOST_TOKENS = 20_000
/** Recently recorded requests of this process. */
const MOST_OPEN = 10_000
/** The token of a request to the token endpoint, which carries none. */
const NO_TOKEN = ''

interface Open extends Pick<LedgerEntry, 'id' | 'kind' | 'atMs'> {}

/** The requests of a token without an answer, as read last, with the later changes of this connection. */
interface CachedToken {
  /** The entry is valid while the connection has the same generation. */
  generation: number
  /** The instant from which they were read. */
  sinceMs: number
  open: Open[]
}

type Sql = Pick<Statements, 'listInFlight' | 'listEachInFlight'>

/** All methods throw the errors of reading. */
export class InFlight {
  readonly #db: Pick<SqliteDatabase, 'generation' | 'forget'>
  readonly #sql: Sql
  readonly #known = new LRUCache<string, CachedToken>({ max: MOST_TOKENS })
  /** The token of each request that this connection has recorded and not settled. */
  readonly #tokens = new LRUCache<string, string>({ max: MOST_OPEN })

  constructor(db: Pick<SqliteDatabase, 'generation' | 'forget'>, sql: Sql) {
    this.#db = db
    this.#sql = sql
  }

  count(token: string, kinds: readonly RequestKind[], sinceMs: number): number {
    const generation = this.#db.generation()
    const known =
      this.#find(token, sinceMs, generation) ??
      this.#remember(token, { generation, sinceMs, open: this.#sql.listInFlight.all(token, sinceMs) })
    return countOf(known, kinds, sinceMs)
  }

  countEach(tokens: readonly string[], kinds: readonly RequestKind[], sinceMs: number): number[] {
    const generation = this.#db.generation()
    const found = new Map(tokens.map((token) => [token, this.#find(token, sinceMs, generation)]))
    const unsure = [...found].flatMap(([token, known]) => (known === undefined ? [token] : []))
    if (unsure.length > 0) {
      const open = new Map<string, Open[]>(unsure.map((token) => [token, []]))
      const rows = this.#sql.listEachInFlight.all<Open & { token: string }>(JSON.stringify(unsure), sinceMs)
      for (const { token, ...one } of rows) open.get(token)?.push(one)
      for (const [token, own] of open)
        found.set(token, this.#remember(token, { generation, sinceMs, open: own }))
    }
    return tokens.map((token) => countOf(found.get(token) as CachedToken, kinds, sinceMs))
  }

  /** Adds a request that this connection has recorded in the open transaction. */
  recorded({ id, token = NO_TOKEN, kind, atMs }: Pick<LedgerEntry, 'id' | 'token' | 'kind' | 'atMs'>): void {
    this.#tokens.set(id, token)
    this.#known.get(token)?.open.push({ id, kind, atMs })
  }

  settled(id: string): void {
    const token = this.#tokens.get(id)
    // Another process recorded it, or it is so old that its token was dropped.
    if (token === undefined) return this.#db.forget()
    this.#tokens.delete(id)
    const known = this.#known.get(token)
    if (known !== undefined) known.open = known.open.filter((one) => one.id !== id)
  }

  #find(token: string, sinceMs: number, generation: number): CachedToken | undefined {
    const known = this.#known.get(token)
    return known?.generation === generation && known.sinceMs <= sinceMs ? known : undefined
  }

  #remember(token: string, known: CachedToken): CachedToken {
    this.#known.set(token, known)
    return known
  }
}

function countOf({ open }: CachedToken, kinds: readonly RequestKind[], sinceMs: number): number {
  return open.filter(({ kind, atMs }) => atMs >= sinceMs && kinds.includes(kind)).length
}
