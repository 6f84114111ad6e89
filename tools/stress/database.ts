// The database of a setup: an SQLite file, or a database of one Redis server that all setups share.
import { join } from 'node:path'
import type { createClient } from 'redis'
import { openRedis } from '../../src/store/redis/redis.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { type RedisServer, startRedis } from '../../test/store/_redis-server.ts'
import { dropLeases, type LedgerCounts, leasesBeyond, quickCheck, readLedger } from './ledger-check.ts'
import * as redis from './redis-check.ts'

export const STORES = ['sqlite', 'redis'] as const
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
  /** Lets all leases lapse, as if 15 seconds had passed since their holder ended. */
  dropLeases: () => Promise<void>
  /** `ok`, or the fault that the database finds in itself. */
  check: () => Promise<string>
  close: () => Promise<void>
}

let kind: StoreKind = 'sqlite'
let server: Promise<RedisServer> | undefined
let databases = 0

/** The database of all further setups. */
export function useStore(wanted: StoreKind): void {
  kind = wanted
}

export const usedStore = (): StoreKind => kind

export async function endStore(): Promise<void> {
  await (await server)?.remove()
  server = undefined
}

export const fileIn = (folder: string): string => join(folder, 'plimsoll.db')

export const openDatabase = (folder: string): Promise<Database> =>
  kind === 'redis' ? openRedisDatabase() : Promise.resolve(sqliteDatabase(fileIn(folder)))

const sqliteDatabase = (path: string): Database => ({
  url: `sqlite:${path}`,
  open: async () => openSqlite(path),
  readLedger: async (organization) => readLedger(path, organization),
  leasesBeyond: async (nowMs) => leasesBeyond(path, nowMs),
  dropLeases: async () => dropLeases(path),
  check: async () => quickCheck(path),
  close: async () => {},
})

async function openRedisDatabase(): Promise<Database> {
  server ??= startShared()
  const url = (await server).url((databases += 1))
  let opened: ReturnType<typeof createClient> | undefined
  const client = async () => (opened ??= await redis.connect(url))
  return {
    url,
    open: () => openRedis(url),
    readLedger: async (organization) => redis.readLedger(await client(), organization),
    leasesBeyond: async (nowMs) => redis.leasesBeyond(await client(), nowMs),
    dropLeases: async () => redis.dropLeases(await client()),
    check: async () => redis.check(await client()),
    close: async () => opened?.destroy(),
  }
}

async function startShared(): Promise<RedisServer> {
  const started = await startRedis()
  // The exit of this process ends the server.
  process.once('exit', () => started.signal('SIGKILL'))
  return started
}
