import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openRedis } from '../../src/store/redis/redis.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { LedgerEntry, Store, StoredReading } from '../../src/store/store.ts'
import { IS_WHOLE } from '../_extent.ts'
import { findRedisServer, type RedisServer, startRedis } from '../store/_redis-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
let files = 0
let redis: Promise<RedisServer> | undefined
let databases = 0
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await (await redis)?.remove()
})

const IN_REDIS: [name: string, open: () => Promise<Store>][] = [
  [
    'Redis',
    async () => {
      redis ??= startRedis()
      return openRedis((await redis).url((databases += 1)))
    },
  ],
]

/** Other tests use it all the time, so only `npm run test:whole` runs the suites over it. */
const IN_MEMORY: [name: string, open: () => Store] = ['SQLite in memory', () => openSqlite(':memory:')]

/** Each opens an empty store. The run reports if there is no Redis. */
export const ADAPTERS: [name: string, open: () => Store | Promise<Store>][] = [
  ['SQLite in a file', () => openSqlite(join(folder, `${(files += 1)}.db`))],
  ...(IS_WHOLE ? [IN_MEMORY] : []),
  ...(findRedisServer() === undefined ? [] : IN_REDIS),
]

const openRedisTwice = async (): Promise<[Store, Store]> => {
  redis ??= startRedis()
  const url = (await redis).url((databases += 1))
  return Promise.all([openRedis(url), openRedis(url)])
}
const openSqliteTwice = async (): Promise<[Store, Store]> => {
  const path = join(folder, `${(files += 1)}.db`)
  return [openSqlite(path), openSqlite(path)]
}

/** Each opens an empty store twice, as two processes do. */
export const OPENED_TWICE: [name: string, open: () => Promise<[Store, Store]>][] = [
  ['SQLite', openSqliteTwice],
  ...(findRedisServer() === undefined ? [] : [['Redis', openRedisTwice] as [string, typeof openRedisTwice]]),
]

/** Later than everything in a test. */
export const FAR_MS = 4e12

export const session = (encrypted: Uint8Array, endsAtMs = 5000) => ({
  encrypted,
  endsAtMs,
  owner: 'owner',
  openedAtMs: 100,
  seenAtMs: 200,
  browser: 'Firefox on Linux',
})

export const entry = (id: string, differing: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id,
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
