import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  stat,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate as nextIteration } from 'node:timers/promises'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'libsql'
import { afterEach, expect, test, vi } from 'vitest'
import { makeFolder } from '../../../src/store/shared/make-folder.ts'
import { assertUsable } from '../../../src/store/sqlite/check.ts'
import { Connection } from '../../../src/store/sqlite/connection.ts'
import { openDatabase } from '../../../src/store/sqlite/database.ts'
import { IterationFlag } from '../../../src/store/sqlite/iteration-flag.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { file, folder } from '../../kit/temp-folder.ts'
import { hold } from '../_processes.ts'

const WRITE = `INSERT OR REPLACE INTO notes VALUES ('a', '1', 0)`
const unavailable = (cause: object) =>
  expect.objectContaining({ code: 'store_unavailable', cause: expect.objectContaining(cause) })

const settingOf = (connection: Connection, name: string) =>
  Object.values(connection.prepare(`PRAGMA ${name}`).all<object>()[0] ?? {})[0]

test('each commit is on the disk before it is acknowledged, so that it outlives a loss of power', () => {
  const connection = new Connection(file)
  // 2 is FULL, which syncs the log at each commit; WAL is the log.
  expect([settingOf(connection, 'synchronous'), settingOf(connection, 'journal_mode')]).toEqual([2, 'wal'])
})

test('a wrong statement and a closed connection are store_unavailable, with the cause for the log', () => {
  const connection = new Connection(file)
  const missing = expect.stringContaining('no such table: nowhere')
  expect(() => connection.prepare('SELECT id FROM nowhere')).toThrow(unavailable({ message: missing }))
  connection.close()
  connection.close()
  expect(() => connection.use(() => 1)).toThrow(unavailable({ message: `${file} is closed` }))
})

test('closing leaves one file, which has everything', async () => {
  const connection = new Connection(file)
  connection.prepare(WRITE).run()
  expect(existsSync(`${file}-wal`)).toBe(true)
  connection.close()
  // The driver closes a file once its statements are garbage-collected.
  v8.setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await expect.poll(() => [collect(), existsSync(`${file}-wal`)][1]).toBe(false)
  expect(new Connection(file).prepare('SELECT name FROM notes').all()).toEqual([{ name: 'a' }])
})

test('closing moves the log into the file, unless another process reads; then the log has the rest', async () => {
  for (const isRead of [true, false]) {
    const connection = new Connection(file)
    connection.prepare(WRITE).run()
    const reader = isRead && (await hold(file, [['BEGIN; SELECT * FROM notes', 60_000]]))
    connection.prepare(`INSERT INTO notes VALUES ('b', '1', 0)`).run()
    connection.close()
    expect(statSync(`${file}-wal`).size > 0).toBe(isRead)
    if (reader) reader.kill('SIGKILL')
    if (reader) await reader.ended
    expect(new Connection(file).prepare('SELECT name FROM notes').all()).toHaveLength(2)
    rmSync(file)
  }
})

test('the file is for its owner only, and so are the files that SQLite creates beside it', () => {
  new Connection(file).prepare(WRITE).run()
  for (const end of ['', '-wal', '-shm']) expect(statSync(file + end).mode & 0o777).toBe(0o600)
})

test('a file that is no database is refused by its whole path, and left as it is', () => {
  const garbage = join(folder, 'holiday.jpg')
  writeFileSync(garbage, 'no database'.repeat(1000))
  expect(() => new Connection(relative('.', garbage))).toThrow(
    expect.objectContaining({
      message: `The database ${garbage} cannot be used: file is not a database.`,
      cause: expect.objectContaining({ code: 'SQLITE_NOTADB' }),
    }),
  )
  expect(statSync(garbage).size).toBe(11_000)
})

test('a file of a newer version is refused by its name, and left as it is', () => {
  new Connection(file).close()
  const other = new Database(file)
  other.exec('PRAGMA user_version = 99')
  expect(() => new Connection(file)).toThrow(
    /plimsoll\.db cannot be used: it was written by a newer Plimsoll/,
  )
  expect(other.pragma('user_version')).toEqual([{ user_version: 99 }])
})

test('a damaged index, which no query would notice at once, is found at the start', () => {
  new Connection(file).close()
  const other = new Database(file)
  other.exec(`INSERT INTO claims VALUES ('a', 1);
    PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'notes') WHERE name = 'claims'`)
  expect(() => new Connection(file)).toThrow(
    / cannot be used: it is damaged \(.*\); restore a copy, or move it away\.$/s,
  )
})

test('the address of a remote database is only a file name', () => {
  const connection = new Connection(join(folder, 'http:', 'db.example'))
  expect(connection.prepare('SELECT name FROM notes').all()).toEqual([])
})

test('a new file that another process has for itself is opened when it is free', async () => {
  const { ended } = await hold(file, [
    ['BEGIN EXCLUSIVE; CREATE TABLE other (id)', 500],
    ['COMMIT', 0],
  ])
  expect(settingOf(new Connection(file), 'user_version')).toBe(7)
  await ended
})

test('a folder in place of the file is refused in words, one in place of its log by its name', () => {
  expect(() => new Connection(folder)).toThrow(`The database ${folder} cannot be used: it is a folder.`)
  mkdirSync(`${file}-wal`)
  expect(() => new Connection(file)).toThrow(file)
})

test('opening the file twice does not let another process take the log away', async () => {
  const connection = new Connection(file)
  const twice = new Connection(file)
  await (await hold(file, [[WRITE, 0]])).ended
  // The last connection removes the log; the other process must not believe that it is the last.
  expect(existsSync(`${file}-wal`)).toBe(true)
  expect(connection.prepare('SELECT name FROM notes').all()).toEqual([{ name: 'a' }])
  twice.close()
})

test('a statement that fails leaves the connection as it was, with no file more', () => {
  const connection = new Connection(file)
  const insert = connection.prepare(`INSERT INTO notes VALUES ('a', '1', 0)`)
  insert.run()
  const db = connection.use((opened) => opened)
  expect(() => insert.run()).toThrow(unavailable({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }))
  expect(connection.use((opened) => opened)).toBe(db)
})

test('a transaction ends in the file in which it began, also when the file is moved away meanwhile', async () => {
  const connection = new Connection(file)
  const insert = connection.prepare(WRITE)
  connection.use((db) => db.exec('BEGIN IMMEDIATE'))
  rmSync(file)
  writeFileSync(file, '')
  expect(insert.run()).toBe(1)
  connection.use((db) => db.exec('COMMIT'))
  await nextIteration()
  expect(connection.prepare('SELECT name FROM notes').all()).toEqual([])
})

afterEach(() => void vi.useRealTimers())

const openOf = (connection: Connection) => connection.use((db) => db)

test('after an error that an opening may cure the file is opened again 5 s later, after others it is not', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const connection = new Connection(file)
  const isOpenedAfter = (code: string) => {
    const before = openOf(connection)
    const fail = () =>
      connection.use(() => {
        throw new Database.SqliteError('an error', code, 0)
      })
    expect(fail).toThrow(unavailable({ code }))
    vi.advanceTimersByTime(2500)
    expect(fail).toThrow(unavailable({ code }))
    vi.advanceTimersByTime(2499)
    expect(openOf(connection)).toBe(before)
    vi.advanceTimersByTime(1)
    return openOf(connection) !== before
  }
  const cured = ['CORRUPT', 'NOTADB', 'IOERR_READ', 'READONLY', 'CANTOPEN', 'PROTOCOL']
  expect(cured.filter((code) => !isOpenedAfter(`SQLITE_${code}`))).toEqual([])
  expect(['SQLITE_FULL', 'SQLITE_BUSY', 'NO_SQLITE_IOERR'].filter(isOpenedAfter)).toEqual([])
})

test('a file that cannot be opened is tried again 5 s later, and not before', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const connection = new Connection(file)
  const read = () => connection.prepare('SELECT name FROM notes').all()
  rmSync(file)
  writeFileSync(file, 'no database'.repeat(1000))
  expect(read).toThrow(unavailable({ code: 'SQLITE_NOTADB' }))
  rmSync(file)
  writeFileSync(file, '')
  vi.advanceTimersByTime(4999)
  expect(read).toThrow(unavailable({ code: 'SQLITE_NOTADB' }))
  vi.advanceTimersByTime(1)
  expect(read()).toEqual([])
})

test('a file that is opened again waits for a lock for 0.1 s, in which nothing else runs', () => {
  const connection = new Connection(file)
  rmSync(file)
  const other = new Database(file)
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE other (id)')
  const startMs = performance.now()
  expect(() => openOf(connection)).toThrow(unavailable({ code: 'SQLITE_BUSY' }))
  expect(performance.now() - startMs).toBeGreaterThan(90)
  other.exec('ROLLBACK')
})

test('another file in place of the file is used, even if only a part of the files beside it is left', async () => {
  const connection = new Connection(file)
  connection.prepare(WRITE).run()
  for (const end of ['', '-shm']) rmSync(file + end)
  writeFileSync(file, '')
  await nextIteration()
  expect(connection.prepare('SELECT name FROM notes').all()).toEqual([])
})

test('its generation rises when reads may be outdated; it looks once in an event-loop iteration (8.2)', async () => {
  const connection = new Connection(file)
  const other = new Database(file)
  const fail = (code: string) => {
    const error = new Database.SqliteError('an error', code, 0)
    expect(() =>
      connection.use(() => {
        throw error
      }),
    ).toThrow(unavailable({ code }))
  }
  let last = connection.generation()
  const isHigher = () => {
    const [before, now] = [last, connection.generation()]
    last = now
    return now > before
  }
  connection.prepare(WRITE).run()
  await nextIteration()
  expect(isHigher()).toBe(false)
  other.exec(`INSERT INTO notes VALUES ('b', '1', 0)`)
  expect(isHigher()).toBe(false)
  await nextIteration()
  expect(isHigher()).toBe(true)
  fail('SQLITE_BUSY')
  expect(isHigher()).toBe(false)
  fail('SQLITE_FULL')
  expect(isHigher()).toBe(true)
  connection.forget()
  expect(isHigher()).toBe(true)
  other.exec(`INSERT INTO notes VALUES ('c', '1', 0)`)
  connection.look()
  expect(isHigher()).toBe(true)
  connection.look()
  expect(isHigher()).toBe(false)
  await nextIteration()
  connection.look()
  other.exec(`INSERT INTO notes VALUES ('d', '1', 0)`)
  expect(isHigher()).toBe(false)
  rmSync(file)
  writeFileSync(file, '')
  await nextIteration()
  expect(isHigher()).toBe(true)
})

test('a file that is gone is not made again, and used when it is back', async () => {
  const connection = new Connection(file)
  connection.prepare(WRITE).run()
  renameSync(file, `${file}.away`)
  await nextIteration()
  expect(() => openOf(connection)).toThrow(unavailable({ message: `${file} is gone` }))
  expect(existsSync(file)).toBe(false)
  renameSync(`${file}.away`, file)
  await nextIteration()
  expect(connection.prepare('SELECT name FROM notes').all()).toEqual([{ name: 'a' }])
})

test('a file that is moved away has all that was written, and the one in its place nothing of it', async () => {
  const connection = new Connection(file)
  connection.prepare(WRITE).run()
  const away = join(folder, 'away.db')
  renameSync(file, away)
  writeFileSync(file, '')
  await nextIteration()
  expect(connection.prepare('SELECT name FROM notes').all()).toEqual([])
  expect(new Connection(away).prepare('SELECT name FROM notes').all()).toEqual([{ name: 'a' }])
})

test('the log of the file in its place, which another process has opened before, is left alone', async () => {
  const connection = new Connection(file)
  connection.prepare(WRITE).run()
  for (const end of ['', '-wal', '-shm']) renameSync(file + end, `${file}.away${end}`)
  const other = new Connection(file)
  other.prepare(`INSERT INTO notes VALUES ('of the other', '1', 0)`).run()
  const log = statSync(`${file}-wal`).ino
  await nextIteration()
  expect(connection.prepare('SELECT name FROM notes').all()).toEqual([{ name: 'of the other' }])
  expect(statSync(`${file}-wal`).ino).toBe(log)
})

test.each([
  ['SQLITE_BUSY_SNAPSHOT', 1],
  ['SQLITE_BUSY', 0],
])('an opening that meets %s closes the file %i times before it tries again', (code, closed) => {
  const close = vi.spyOn(Database.prototype, 'close')
  vi.spyOn(Database.prototype, 'transaction').mockImplementationOnce(() => {
    throw new Database.SqliteError('an error', code, 0)
  })
  const connection = new Connection(file)
  expect([close.mock.calls.length, settingOf(connection, 'synchronous')]).toEqual([closed, 2])
  expect(connection.prepare('SELECT name FROM notes').all()).toEqual([])
  vi.restoreAllMocks()
})

test('a whole database is usable, one that is cut, no database, or newer is not', async () => {
  await openSqlite(file).close()
  expect(() => assertUsable(file)).not.toThrow()
  const cut = `${file}.cut`
  const written = new Database(cut)
  written.exec(`CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(90000)); PRAGMA user_version = 1`)
  written.close()
  writeFileSync(cut, readFileSync(cut).subarray(0, 16_384))
  expect(() => assertUsable(cut)).toThrow(/damaged|malformed/)
  writeFileSync(cut, 'no database '.repeat(900))
  expect(() => assertUsable(cut)).toThrow('not a database')
  const newer = new Database(`${file}.newer`)
  newer.exec('PRAGMA user_version = 9999')
  newer.close()
  expect(() => assertUsable(`${file}.newer`)).toThrow('newer Plimsoll')
})

test('the tables of an older version are not brought up to date', () => {
  const older = new Database(file)
  older.exec('PRAGMA user_version = 3')
  assertUsable(file)
  expect(older.pragma('user_version')).toEqual([{ user_version: 3 }])
  older.close()
})

test('nothing can be written while the file is examined', () => {
  const refused: unknown[] = []
  const pragma = vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (
    this: Database.Database,
  ) {
    try {
      this.exec('CREATE TABLE t (a)')
    } catch (error) {
      refused.push((error as Error).message)
    }
    return []
  })
  try {
    assertUsable(file)
  } catch {
    // The answers of the examination are unchanged.
  }
  pragma.mockRestore()
  expect(refused[0]).toContain('readonly')
})

test('closing waits for the writes that were asked for, and a later one is refused', async () => {
  const db = openDatabase(file)
  const insert = db.prepare(`INSERT INTO notes VALUES (?, '1', 0)`)
  const written = db.write(() => insert.run('a'))
  const closed = db.close()
  expect(await written).toBe(1)
  await closed
  await db.close()
  await expect(db.write(() => insert.run('b'))).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(openDatabase(file).prepare('SELECT name FROM notes').all()).toEqual([{ name: 'a' }])
})

test('a database in memory makes no file', async () => {
  rmSync(':memory:', { force: true })
  const db = openDatabase(':memory:')
  const insert = db.prepare(`INSERT INTO notes VALUES ('a', '1', 0)`)
  await db.write(() => insert.run())
  expect(db.prepare('SELECT name FROM notes').all()).toEqual([{ name: 'a' }])
  const made = existsSync(':memory:')
  rmSync(':memory:', { force: true })
  expect(made).toBe(false)
})

test('a flag that is set at the end of an iteration is not set for requests that arrive after it', async () => {
  await nextIteration()
  const mark = new IterationFlag()
  mark.set()
  const order: unknown[] = []
  setImmediate(() => order.push('the end of the next iteration'))
  const arrived = new Promise<void>((resolve) => {
    stat('.', () => {
      order.push(mark.isSet)
      resolve()
    })
  })
  // It arrives meanwhile, and is handled at the beginning of the next iteration.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  await arrived
  await nextIteration()
  expect(order).toEqual([false, 'the end of the next iteration'])
})

test('a folder that another process makes at the same moment is no error', () => {
  // A dangling link acts like such a folder: existsSync does not see it, and mkdir fails.
  symlinkSync(join(folder, 'nothing'), join(folder, 'link'))
  expect(() => makeFolder(join(folder, 'link'))).not.toThrow()
})

test.runIf(process.platform === 'linux')('a folder below /proc is an error, and not an endless loop', () => {
  expect(() => makeFolder('/proc/nope/x')).toThrow('ENOENT')
})
