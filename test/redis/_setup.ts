// A fixture that names no store gets a database of its own in Redis.
import { createClient } from 'redis'
import { afterAll, inject } from 'vitest'
import { openRedis } from '../../src/store/redis.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import type { Store } from '../../src/store/store.ts'

const url = inject('redisUrl')
const numbers = createClient({ url })
const opened: Store[] = []
const connected = numbers.connect()

async function openNext(): Promise<Store> {
  await connected
  const number = await numbers.incr('databases')
  const store = await openRedis(url.replace(/\d+$/, `${number}`))
  opened.push(store)
  return store
}

/** A store that is opened when it is first asked, since a fixture is made at once. */
function openLazily(): Store {
  let store: Promise<Store> | undefined
  const ask = async (name: keyof Store, args: unknown[]): Promise<unknown> => {
    const present = await (store ??= openNext())
    return (present[name] as (...given: unknown[]) => unknown)(...args)
  }
  const names = Object.keys(openSqlite(':memory:')) as (keyof Store)[]
  return Object.fromEntries(
    names.map((name) => [name, (...args: unknown[]) => ask(name, args)]),
  ) as unknown as Store
}

globalThis.openStoreOfFixture = openLazily
afterAll(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
  numbers.destroy()
})
