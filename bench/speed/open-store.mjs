// The stores of src by the value of PLIMSOLL_STORE.
import { load } from '../_load.mjs'

const { openSqlite } = await load('store/sqlite.ts')
const { openRedis } = await load('store/redis.ts')

export const openStore = (url) =>
  url.startsWith('redis') ? openRedis(url, () => {}) : openSqlite(url.slice('sqlite:'.length))
