// The bytes of one of each: ledger rows and folded days by tools/bench/fold.mjs, notes here.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Database from 'libsql'
import { load } from '../_load.mjs'
import { openStore } from '../speed/open-store.mjs'
import { usedMemory } from './fill-redis.mjs'
import { startRedis } from '../speed/redis.mjs'

const { changeTokenNote } = await load('bff/limits/note.ts')
const { fold } = await load('contract/gauge.ts')

const FOLD = fileURLToPath(new URL('../fold.mjs', import.meta.url))
const NOTES = 5000
const run = promisify(execFile)

/** The output of `node tools/bench/fold.mjs` for the SQLite file, or for the memory of a Redis. */
async function bytesByFold(of, args = []) {
  const { stdout } = await run(process.execPath, [FOLD, ...args])
  const number = (what) => Number(new RegExp(`^${what}, ${of}: (\\d+) bytes$`, 'm').exec(stdout)[1])
  return { row: number('a row, with its counts'), day: number('a day of an organization, folded') }
}

/** Adds notes of tokens, each as one answer of the service leaves it. */
async function addNotes(url) {
  const store = await openStore(url)
  const nowMs = Date.now()
  const [context, servedAtSeconds] = [{ store, now: () => nowMs }, Math.floor(nowMs / 1000)]
  const answer = { limit: 600, remaining: 599, resetAtSeconds: servedAtSeconds + 60, servedAtSeconds }
  const gauges = fold({}, [{ class: 'read', ...answer, assumed: true, notes: [] }])
  const add = (nth) => changeTokenNote(context, `${nth}`.padStart(22, '0'), () => ({ gauges, pauses: {} }))
  for (let from = 0; from < NOTES; from += 100)
    await Promise.all(Array.from({ length: 100 }, (_, nth) => add(from + nth)))
  await store.close()
}

function fileBytes(file) {
  const [{ page_count: pages }] = new Database(file).pragma('page_count')
  return pages * 4096
}

/** @returns by store: the bytes of a ledger row with its counts, of a folded day, and of a note */
export async function measureBytes(folder) {
  const server = await startRedis(folder)
  const [sqlite, redis] = await Promise.all([bytesByFold('file'), bytesByFold('memory', [`${server.url}/0`])])
  const file = join(folder, 'notes.db')
  await addNotes(`sqlite:${file}`)
  await (await openStore(`${server.url}/1`)).close()
  const before = await usedMemory(server.url)
  await addNotes(`${server.url}/1`)
  const after = await usedMemory(server.url)
  await server.stop()
  return {
    SQLite: { ...sqlite, note: fileBytes(file) / NOTES },
    Redis: { ...redis, note: (after - before) / NOTES },
  }
}
