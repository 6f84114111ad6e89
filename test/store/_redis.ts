// A Redis server for the tests of one file, empty before each test, and the stores that a test opens.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { openRedis } from '../../src/store/redis/redis.ts'
import type { Store } from '../../src/store/store.ts'
import { findRedisServer, type RedisServer, startRedis } from './_redis-server.ts'

export let server: RedisServer
const stores: Store[] = []

if (findRedisServer() !== undefined) {
  beforeAll(async () => {
    server = await startRedis()
  })
  beforeEach(async () => {
    await server.send('FLUSHALL')
  })
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
  })
  afterAll(() => server.remove())
}

/** Opens a store that is closed after the test. */
export async function opened(url = server.url()): Promise<Store> {
  const store = await openRedis(url)
  stores.push(store)
  return store
}
