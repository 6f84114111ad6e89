// A store of both kinds for each size, in memory, so that no wait for a disk hides the growth.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../speed/open-store.mjs'
import { startRedis } from '../speed/redis.mjs'
import { usedMemory } from './fill-redis.mjs'

/** A file system in memory (shm_overview(7)). */
const MEMORY = '/dev/shm'

/** A folder in memory, until the process ends. */
export function folderInMemory() {
  const folder = mkdtempSync(join(MEMORY, 'plimsoll-scale-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * @param fill of each kind, gets `rowsOf` of the size
 * @returns by kind, for each size: `store`, its `url`, and the `bytes` that it takes after filling
 */
export async function openStores(folder, { name, sizes, fill, rowsOf }) {
  const server = await startRedis()
  const stores = { SQLite: [], Redis: [] }
  for (const [nth, size] of sizes.entries()) {
    const file = join(folder, `${name}-${size}.db`)
    fill.SQLite(file, rowsOf(size))
    stores.SQLite.push({ size, url: `sqlite:${file}`, bytes: statSync(file).size })
    const url = `${server.url}/${nth}`
    const before = await usedMemory(server.url)
    await (await openStore(url)).close()
    await fill.Redis(url, rowsOf(size))
    stores.Redis.push({ size, url, bytes: (await usedMemory(server.url)) - before })
  }
  for (const one of Object.values(stores).flat()) one.store = await openStore(one.url)
  const close = async () => {
    for (const { store } of Object.values(stores).flat()) await store.close()
    await server.stop()
  }
  return { stores, close }
}
