// The file of SQLite: how it is made, refused, closed and read again.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../src/store/engine/schema.ts'
import { assertUsable, makeFolder } from '../../src/store/sqlite/file.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { entry, FAR_MS, link, session as values, readNote } from '../kit/stores.ts'
import { file, folder } from '../kit/temp-folder.ts'
import { hold } from './_processes.ts'

const session = (byte: number) => values(Uint8Array.of(byte))
const COPY = { path: '/organizations', encrypted: Uint8Array.of(1, 2), atMs: 1000 }

test('everything is there after a restart', async () => {
  const store = openSqlite(file)
  await store.writeSession('a', session(1), 0)
  await store.addGrant('grant', Uint8Array.of(7))
  await store.writeCopy('grant', COPY)
  await store.addToCounter('a', 5, 0, FAR_MS)
  await store.addEntry(entry('a'))
  await store.settle('a', { outcome: 'settled', status: 200 }, 1001)
  await store.attribute('unproven b', '7', 1000)
  await store.addLink(link('h'))
  await store.changeNote('a', () => ({ limit: 60 }), FAR_MS)
  await store.close()

  const again = openSqlite(file)
  expect(await again.readSession('a')).toEqual({ ...session(1), version: 1 })
  expect([await again.readGrant('grant'), await again.readCopy('grant', COPY.path)]).toEqual([
    Uint8Array.of(7),
    COPY,
  ])
  expect(await again.addToCounter('a', 1, 0, FAR_MS)).toMatchObject({ count: 6 })
  expect(await again.countByKind('7', 0)).toEqual([
    { kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 },
  ])
  await again.addEntry(entry('b', { organization: 'unproven b' }))
  expect(await again.countByKind('7', 0)).toHaveLength(2)
  expect(await readNote(again, 'a')).toEqual({ limit: 60 })
  expect(await again.listLinks('7', 0)).toEqual([link('h')])
})

test('the file is for its owner only, and so are the files that SQLite creates beside it', async () => {
  await openSqlite(file).addToCounter('a', 1, 0, FAR_MS)
  const modes = readdirSync(dirname(file)).map((name) => statSync(join(dirname(file), name)).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o600])
})

test('after closing the file alone has everything (a copy of it is a backup)', async () => {
  const store = openSqlite(file)
  await store.changeNote('a', () => 1, FAR_MS)
  await store.close()
  const copy = join(folder, 'copy.db')
  copyFileSync(file, copy)
  expect(await readNote(openSqlite(copy), 'a')).toBe(1)
})

test('closing waits for the writes that were asked for, and a later one is refused', async () => {
  const store = openSqlite(file)
  const written = store.changeNote('a', () => 1, FAR_MS)
  await Promise.all([store.close(), store.close()])
  expect(await written).toBe(1)
  await expect(store.changeNote('b', () => 1, FAR_MS)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(await readNote(openSqlite(file), 'a')).toBe(1)
})

test('a database in memory makes no file', async () => {
  await openSqlite(':memory:').changeNote('a', () => 1, FAR_MS)
  expect(existsSync(':memory:')).toBe(false)
})

test('the address of a remote database is only a file name', async () => {
  const store = openSqlite(relative('.', join(folder, 'libsql:', 'host')))
  expect(await store.changeNote('a', () => 1, FAR_MS)).toBe(1)
  expect(existsSync(join(folder, 'libsql:', 'host'))).toBe(true)
})

const cannot = (reason: string) =>
  new RegExp(`^The database ${file.replaceAll('.', '\\.')} cannot be used: [^.]*${reason}`)

test.each<[string, string, () => void]>([
  [
    'of Plimsoll 1',
    'Plimsoll 1',
    () => new Database(file).exec('CREATE TABLE notes (name); PRAGMA user_version = 7'),
  ],
  [
    'of an unfinished Plimsoll 2',
    'unfinished Plimsoll 2',
    () =>
      new Database(file).exec(
        `PRAGMA application_id = 0x506c6d32; PRAGMA user_version = ${SCHEMA_VERSION - 1}`,
      ),
  ],
  [
    'of a newer Plimsoll',
    'newer Plimsoll',
    () =>
      new Database(file).exec(
        `PRAGMA application_id = 0x506c6d32; PRAGMA user_version = ${SCHEMA_VERSION + 1}`,
      ),
  ],
  ['that is no database', 'not a database', () => writeFileSync(file, 'no database '.repeat(900))],
])('a file %s is refused in words, and left as it is (attack 74)', (_, reason, write) => {
  write()
  const bytes = readFileSync(file)
  expect(() => openSqlite(file)).toThrow(cannot(reason))
  expect(() => assertUsable(file)).toThrow(reason)
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

test('a damaged index, which no query would notice, is found at the start, and left as it is', async () => {
  const store = openSqlite(file)
  for (let nth = 0; nth < 200; nth += 1) await store.changeNote(`${nth}`, () => nth, FAR_MS)
  await store.close()
  const db = new Database(file)
  db.exec(
    `PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 3 WHERE name = 'requests_by_time'`,
  )
  db.close()
  const bytes = readFileSync(file)
  expect(() => openSqlite(file)).toThrow(/cannot be used: it is damaged/)
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

test('a new file that another process has for itself is opened when it is free', async () => {
  const holder = await hold(file, [
    ['BEGIN EXCLUSIVE', 500],
    ['ROLLBACK', 0],
  ])
  const store = openSqlite(file)
  expect(await store.changeNote('a', () => 1, FAR_MS)).toBe(1)
  await holder.ended
})

test('a folder in place of the file is refused in words', () => {
  mkdirSync(file, { recursive: true })
  expect(() => openSqlite(file)).toThrow(cannot('it is a folder'))
})

test.each([
  ['sessions WHERE ends_at_ms <= 1', 'DELETE FROM'],
  ['notes WHERE lapses_at_ms <= 1', 'DELETE FROM'],
  ['watch_links WHERE ends_at_ms <= 1', 'DELETE FROM'],
  [`watch_links WHERE ends_at_ms > 1 AND hash IN ('a', 'b')`, 'SELECT name FROM'],
  [`watch_links WHERE ends_at_ms > 1 AND organization = '7' ORDER BY made_at_ms DESC`, 'SELECT name FROM'],
  ['requests WHERE at_ms < 1', 'DELETE FROM'],
  [`requests WHERE organization = '7' AND at_ms > 1`, 'SELECT kind FROM'],
  [`requests WHERE token = 'x' AND at_ms > 1`, 'SELECT kind FROM'],
  ['topics WHERE number > 1', 'SELECT topic FROM'],
])('%s is found by an index, and no table is read as a whole', async (rows, verb) => {
  await openSqlite(file).close()
  const plan = new Database(file).prepare(`EXPLAIN QUERY PLAN ${verb} ${rows}`).all()
  expect(plan).toMatchObject([{ detail: expect.stringMatching(/^SEARCH .* INDEX/) }])
})

test('a folder that another process makes at the same moment is no error', () => {
  // A dangling link acts like such a folder: existsSync does not see it, and mkdir fails.
  symlinkSync(join(folder, 'nothing'), join(folder, 'link'))
  expect(() => makeFolder(join(folder, 'link'))).not.toThrow()
})

test('a folder below /proc is an error, and not an endless loop', () => {
  expect(() => makeFolder('/proc/nope/x')).toThrow(/ENOENT|EPERM|EACCES/)
})

/** A store that has seen changes, and the calls of a watcher that none of them concerned. */
async function openWatched() {
  const store = openSqlite(file)
  for (const id of ['a', 'b', 'c']) await store.addEntry(entry(id))
  let calls = 0
  await store.watch(['session never-seen'], () => (calls += 1))
  // The looks from here on know the newest change.
  await delay(250)
  return { store, calls: () => calls }
}

test('where an older copy takes the place of the file, watchers are called, and its numbers begin anew', async () => {
  const { store, calls } = await openWatched()
  await store.renewEpoch()
  const epoch = await store.readEpoch()
  new Database(file).exec("DELETE FROM topics; INSERT INTO topics VALUES ('token x', 1)")
  await expect.poll(calls).toBe(1)
  expect([epoch, await store.readEpoch()]).not.toEqual([epoch, epoch])
  await store.changeNote('token x', () => 1, FAR_MS)
  await delay(250)
  expect(calls()).toBe(1)
  await store.close()
})

test('a watcher that begins while the file is out of reach is called once it is back', async () => {
  const store = openSqlite(file)
  await store.changeNote('token x', () => 1, FAR_MS)
  renameSync(file, `${file}.away`)
  let calls = 0
  await store.watch(['token x'], () => (calls += 1))
  await delay(250)
  expect(calls).toBe(0)
  renameSync(`${file}.away`, file)
  await expect.poll(() => calls).toBe(1)
  await store.close()
})
