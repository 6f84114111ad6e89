// Prints the bytes of many organizations' ledgers before and after their fold, and the time of a step of it.
// The store is a new SQLite file, or an empty Redis: node tools/bench/fold.mjs redis://127.0.0.1:6379/0
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { createClient } from 'redis'
import { load } from './_load.mjs'

const [url] = process.argv.slice(2)
const { foldedBeforeMs } = await load('contract/ledger-fold.ts')
const [ORGANIZATIONS, REQUESTS, WORKDAYS, DAY_MS] = [100, 100, 22, 86_400_000]
const NOW_MS = Date.UTC(2026, 10, 22)
const OLD_MS = foldedBeforeMs(NOW_MS) - 31 * DAY_MS
const print = (nth) => `${nth}`.padStart(43, 'print')

/** Standard plan: 4 or 5 requests in 8 hours of each workday; 1 in 10 renews a token, 1 in 30 fails. */
async function addMonth(store, organization) {
  const add = async (nth) => {
    const atMs = OLD_MS + (nth % WORKDAYS) * DAY_MS + Math.floor(((nth * 7919) % 97) * 296_907)
    const id = `${atMs.toString(36)}-${organization}${`${nth}`.padStart(8, '0')}`
    await store.reserve({
      id,
      organization: `${organization}`,
      token: print(organization * 100 + (nth % 20)),
      kind: nth % 10 === 0 ? 'token.refresh' : nth % 10 === 1 ? 'api.update' : 'api.read',
      method: 'GET',
      path: '/organizations/{id}',
      initiator: 'person',
      owner: print(organization),
      atMs,
    })
    await store.settle(id, { outcome: 'settled', status: nth % 30 === 0 ? 429 : 200 }, atMs + 300)
  }
  await Promise.all(Array.from({ length: REQUESTS }, (_, nth) => add(nth)))
}

async function openSqlite(folder) {
  const file = join(folder, 'plimsoll.db')
  const store = (await load('store/sqlite/sqlite.ts')).openSqlite(file)
  const bytes = async () => {
    const copy = join(folder, `${Math.random()}.db`)
    const db = new Database(file)
    db.exec(`VACUUM INTO '${copy}'`)
    const [{ page_count: pages }] = new Database(copy).pragma('page_count')
    return { file: pages * 4096 }
  }
  return { store, bytes }
}

async function openRedis() {
  const store = await (await load('store/redis/redis.ts')).openRedis(url)
  const client = await createClient({ url }).connect()
  const infoOf = async (section, name) =>
    Number(new RegExp(`${name}:(\\d+)`).exec(await client.sendCommand(['INFO', section]))?.[1])
  const bytes = async () => {
    await client.sendCommand(['BGREWRITEAOF'])
    while ((await infoOf('persistence', 'aof_rewrite_in_progress')) !== 0)
      await new Promise((done) => setTimeout(done, 50))
    return {
      memory: await infoOf('memory', 'used_memory'),
      file: await infoOf('persistence', 'aof_current_size'),
    }
  }
  const close = () => client.destroy()
  return { store, bytes, close }
}

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
const { store, bytes, close } = url ? await openRedis() : await openSqlite(folder)
const report = (name, before, after, divisor) => {
  for (const key of Object.keys(after))
    console.log(`${name}, ${key}: ${((after[key] - before[key]) / divisor).toFixed(0)} bytes`)
}
const empty = await bytes()
for (let organization = 1; organization <= ORGANIZATIONS; organization += 1)
  await addMonth(store, 1000 + organization)
const full = await bytes()
report('a row, with its counts', empty, full, ORGANIZATIONS * REQUESTS)
let sweeps = 0
const startMs = performance.now()
while (
  (
    await Promise.all(
      Array.from({ length: ORGANIZATIONS }, (_, nth) =>
        store.listEntries(`${1001 + nth}`, { sinceMs: 0, most: 1 }),
      ),
    )
  ).flat().length > 0
) {
  await store.sweep(NOW_MS)
  sweeps += 1
}
console.log(
  `${sweeps} sweeps, ${(performance.now() - startMs).toFixed(0)} ms for ${ORGANIZATIONS * REQUESTS} rows`,
)
const folded = await bytes()
report('a day of an organization, folded', empty, folded, ORGANIZATIONS * WORKDAYS)
await store.close()
close?.()
rmSync(folder, { recursive: true })
