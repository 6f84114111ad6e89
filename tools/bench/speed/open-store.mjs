// The stores of src by the value of PLIMSOLL_STORE. Only the one that is opened is compiled.
import { load } from '../_load.mjs'

export async function openStore(url) {
  if (url.startsWith('redis')) return (await load('store/redis/redis.ts')).openRedis(url, () => {})
  return (await load('store/sqlite/sqlite.ts')).openSqlite(url.slice('sqlite:'.length))
}
