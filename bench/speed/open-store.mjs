// The stores of src, which Node cannot load as they are.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A module of src. */
export const load = async (file) =>
  (await runnerImport(`${ROOT}src/${file}`, { configFile: false, logLevel: 'error' })).module
const { openSqlite } = await load('store/sqlite.ts')
const { openRedis } = await load('store/redis.ts')

/** Opens a store by the value of PLIMSOLL_STORE. */
export const openStore = (url) =>
  url.startsWith('redis') ? openRedis(url, () => {}) : openSqlite(url.slice('sqlite:'.length))
