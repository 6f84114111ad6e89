// A fixture that names no store gets its own database in Redis, and so do two processes that share one.
import { createClient } from 'redis'
import { afterAll, inject } from 'vitest'
import { openRedis } from '../../src/store/redis/redis.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'

const url = inject('redisUrl')
const numbers = createClient({ url })
const opened: Store[] = []
const connected = numbers.connect()

async function nextNumber(): Promise<number> {
  await connected
  return numbers.incr('databases')
}

async function open(number: number): Promise<Store> {
  const store = await openRedis(url.replace(/\d+$/, `${number}`))
  opened.push(store)
  return store
}

/** A store that is opened at its first use, because a fixture is created synchronously. */
function openLazily(number: Promise<number>): Store {
  let store: Promise<Store> | undefined
  const ask = async (name: keyof Store, args: unknown[]): Promise<unknown> => {
    const present = await (store ??= number.then(open))
    return (present[name] as (...given: unknown[]) => unknown)(...args)
  }
  const names = Object.keys(openSqlite(':memory:')) as (keyof Store)[]
  return Object.fromEntries(
    names.map((name) => [name, (...args: unknown[]) => ask(name, args)]),
  ) as unknown as Store
}

globalThis.openStoresOfFixture = (connections) => {
  const number = nextNumber()
  return Array.from({ length: connections }, () => openLazily(number))
}
afterAll(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
  // A test file may end before this is connected, and a fixture that is never used may still wait for its number.
  await connected
  await numbers.close()
})
