// Opens a store by the value of PLIMSOLL_STORE, and compiles only that one.
import { load } from '../_load.mjs'

export async function openStore(url) {
  if (url.startsWith('redis')) return (await load('store/redis/redis.ts')).openRedis(url, () => {})
  return (await load('store/sqlite/sqlite.ts')).openSqlite(url.slice('sqlite:'.length))
}
