import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/sqlite-database.ts'

const HOLDER = fileURLToPath(new URL('./_holder.mjs', import.meta.url))
const WRITE = `INSERT OR REPLACE INTO notes VALUES ('a', '1', 0)`
const unavailable = (cause: object) =>
  expect.objectContaining({ code: 'store_unavailable', cause: expect.objectContaining(cause) })

type Step = [sql: string, waitMs: number]

/** Another process that runs SQL on the file, with a wait after each step; resolves when the first has run. */
async function hold(steps: Step[]): Promise<{ ended: Promise<unknown> }> {
  const holder = spawn(process.execPath, [HOLDER, file, JSON.stringify(steps)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'close')
  await once(holder.stdout, 'data')
  return { ended }
}

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  file = join(folder, 'plimsoll.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('each commit is on the disk before it is acknowledged, so that it outlives a loss of power', () => {
  const db = openDatabase(file)
  // SQLite's numbers: 2 is FULL, which synchronizes the log at each commit; WAL is the log.
  expect([db.pragma('synchronous'), db.pragma('journal_mode')]).toEqual([2, 'wal'])
})

test('a transaction that throws changes nothing, and the next one works', () => {
  const db = openDatabase(file)
  const insert = db.prepare(`INSERT INTO notes VALUES (?, '1', 0)`)
  const error = new RangeError('ours')
  const failing = () =>
    db.transaction(() => {
      insert.run('a')
      throw error
    })
  expect(failing).toThrow(error)
  db.transaction(() => insert.run('b'))
  expect(db.prepare('SELECT name FROM notes').all()).toEqual([{ name: 'b' }])
})

test('an error that ended the transaction itself is the one that is thrown', () => {
  const db = openDatabase(file)
  const insert = db.prepare(`INSERT OR ROLLBACK INTO notes VALUES ('a', '1', 0)`)
  const failing = () => db.transaction(() => [insert.run(), insert.run()])
  expect(failing).toThrow(unavailable({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }))
  db.transaction(() => insert.run())
})

test('a wrong statement and a closed database are store_unavailable, with the cause for the log', () => {
  const db = openDatabase(file)
  const missing = expect.stringContaining('no such table: nowhere')
  expect(() => db.prepare('SELECT id FROM nowhere')).toThrow(unavailable({ message: missing }))
  db.close()
  expect(() => db.pragma('user_version')).toThrow(unavailable({ message: `${file} is closed` }))
})

test('closing leaves one file, which has everything', async () => {
  const db = openDatabase(file)
  expect(existsSync(`${file}-wal`)).toBe(true)
  db.close()
  db.close()
  // The driver closes a file once its statements are collected.
  v8.setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await expect.poll(() => [collect(), existsSync(`${file}-wal`)][1]).toBe(false)
})

test('a database in memory makes no file', () => {
  rmSync(':memory:', { force: true })
  expect(openDatabase(':memory:').prepare('SELECT name FROM notes').all()).toEqual([])
  const made = existsSync(':memory:')
  rmSync(':memory:', { force: true })
  expect(made).toBe(false)
})

test('the file is for its owner alone, and so are its folders and what SQLite creates beside it', () => {
  openDatabase(file).transaction(() => undefined)
  for (const end of ['', '-wal', '-shm']) expect(statSync(file + end).mode & 0o777).toBe(0o600)
})

test('a file that is no database is refused by its whole path, and left as it is', () => {
  const garbage = join(folder, 'holiday.jpg')
  writeFileSync(garbage, 'no database'.repeat(1000))
  expect(() => openDatabase(relative('.', garbage))).toThrow(
    expect.objectContaining({
      message: `The database ${garbage} cannot be used: file is not a database.`,
      cause: expect.objectContaining({ code: 'SQLITE_NOTADB' }),
    }),
  )
  expect(statSync(garbage).size).toBe(11_000)
})

test('a file of a newer version is refused by its name, and left as it is', () => {
  openDatabase(file)
  const other = new Database(file)
  other.exec('PRAGMA user_version = 99')
  expect(() => openDatabase(file)).toThrow(/plimsoll\.db cannot be used: it was written by a newer Plimsoll/)
  expect(other.pragma('user_version')).toEqual([{ user_version: 99 }])
})

test('a path that cannot be opened is refused by its name', () => {
  expect(() => openDatabase(folder)).toThrow(folder)
})

test('the address of a remote database is only a file name', () => {
  const db = openDatabase(join(folder, 'http:', 'db.example'))
  expect(db.prepare('SELECT name FROM notes').all()).toEqual([])
})

test('a process that has the lock is waited for two seconds, and longer while others commit', async () => {
  const db = openDatabase(file)
  const other = new Database(file)
  const startMs = performance.now()
  other.exec('BEGIN IMMEDIATE')
  expect(() => db.transaction(() => undefined)).toThrow(unavailable({ code: 'SQLITE_BUSY' }))
  other.exec('ROLLBACK')
  const waitedMs = performance.now() - startMs
  expect(waitedMs).toBeGreaterThan(1900)

  // For longer than that, which is more than 2 s on a busy machine, and below the 10 s after which it gives up.
  const commits = Math.ceil(Math.min(waitedMs * 1.3, 8000) / 600)
  const { ended } = await hold([
    [`BEGIN IMMEDIATE; ${WRITE}`, 600],
    ...Array.from({ length: commits }, (): Step => [`COMMIT; BEGIN IMMEDIATE; ${WRITE}`, 600]),
    ['COMMIT', 0],
  ])
  expect(db.prepare(WRITE).run()).toBe(1)
  await ended
}, 60_000)

test('a lock is waited for by whatever code SQLite calls it', () => {
  const db = openDatabase(file)
  const [write, other] = [db.prepare(WRITE), openDatabase(file)]
  db.prepare('BEGIN').all()
  db.prepare('SELECT name FROM notes').all()
  other.prepare(WRITE).run()
  const startMs = performance.now()
  expect(() => write.run()).toThrow(unavailable({ code: 'SQLITE_BUSY_SNAPSHOT' }))
  expect(performance.now() - startMs).toBeGreaterThan(1900)
}, 15_000)

test('a new file that another process has for itself is opened when it is free', async () => {
  const { ended } = await hold([
    ['BEGIN EXCLUSIVE; CREATE TABLE other (id)', 500],
    ['COMMIT', 0],
  ])
  expect(openDatabase(file).pragma('user_version')).toBe(2)
  await ended
}, 15_000)

test('opening the file twice does not let another process take the log away', async () => {
  const db = openDatabase(file)
  openDatabase(file)
  await (await hold([[WRITE, 0]])).ended
  // The last one to close removes it, and the other process must not think it is.
  expect(existsSync(`${file}-wal`)).toBe(true)
  expect(db.prepare('SELECT name FROM notes').all()).toEqual([{ name: 'a' }])
}, 15_000)
