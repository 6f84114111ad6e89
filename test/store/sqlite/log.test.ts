import { readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import Database from 'libsql'
import { afterEach, expect, test } from 'vitest'
import { isBusy, isOutdated, retryWhileBusy } from '../../../src/store/sqlite/lock.ts'
import { Log, openLog } from '../../../src/store/sqlite/log.ts'
import { file } from '../../kit/temp-folder.ts'

function openWithLog() {
  const db = new Database(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (b)')
  return db
}

test('a log is synchronized as often as asked, and a file without one has none', async () => {
  expect(openLog(file)).toBeUndefined()
  const db = openWithLog()
  const log = openLog(file)
  await Promise.all([log?.sync(), log?.sync()])
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
  log?.close()
  db.close()
})

test('a log that is closed while the disk is awaited ends running calls, and refuses later ones', async () => {
  const db = openWithLog()
  const log = openLog(file)
  const running = log?.sync()
  log?.close()
  log?.close()
  expect(await running).toBeUndefined()
  await expect(log?.sync()).rejects.toThrow('is closed')
  db.close()
})

/** Counts the descriptors of this process on the log. */
const openLogs = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === `${file}-wal`
    } catch {
      // The descriptor of the listing itself is gone.
      return false
    }
  }).length

test('a log gives its descriptor back when it is closed and nothing waits for the disk any more', async () => {
  const db = openWithLog()
  const before = openLogs()
  const [idle, used] = [new Log(file), new Log(file)]
  expect(openLogs() - before).toBe(2)
  idle.close()
  idle.close()
  expect(openLogs() - before).toBe(1)
  const running = [used.sync(), used.sync()]
  used.close()
  expect(openLogs() - before).toBe(1)
  await Promise.all(running)
  expect(openLogs() - before).toBe(0)
  db.close()
})

test('a log that the system cannot bring to a disk is an error', async () => {
  // It has no disk.
  symlinkSync('/dev/null', `${file}-wal`)
  await expect(openLog(file)?.sync()).rejects.toMatchObject({ code: 'EINVAL' })
})

const opened: Database.Database[] = []
afterEach(() => {
  for (const db of opened.splice(0)) db.close()
})
function open(): Database.Database {
  const db = new Database(file)
  db.exec('PRAGMA journal_mode = WAL')
  opened.push(db)
  return db
}
const errorOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('a lock that is taken is known by whatever code SQLite calls it', () => {
  const [ours, other] = [open(), open()]
  ours.exec('CREATE TABLE notes (name)')
  ours.exec('BEGIN; SELECT name FROM notes')
  other.exec(`INSERT INTO notes VALUES ('a')`)
  const outdated = errorOf(() => ours.exec(`INSERT INTO notes VALUES ('b')`))
  ours.exec('ROLLBACK')
  other.exec('BEGIN IMMEDIATE')
  const busy = errorOf(() => ours.exec(`INSERT INTO notes VALUES ('b')`))
  expect([outdated, busy]).toMatchObject([{ code: 'SQLITE_BUSY_SNAPSHOT' }, { code: 'SQLITE_BUSY' }])
  const others = [new Database.SqliteError('full', 'SQLITE_FULL', 13), new Error('SQLITE_BUSY'), undefined]
  expect([outdated, busy, ...others].map(isBusy)).toEqual([true, true, false, false, false])
  expect([outdated, busy, ...others].map(isOutdated)).toEqual([true, false, false, false, false])
})

test('while a lock is taken the work is tried again so often, and another fault ends it at once', () => {
  const failing = (code: string, times: number) => {
    let runs = 0
    const outcome = errorOf(() =>
      retryWhileBusy(() => {
        runs += 1
        if (runs <= times) throw new Database.SqliteError('an error', code, 5)
      }, 3),
    )
    return [runs, outcome === undefined]
  }
  expect(failing('SQLITE_BUSY', 3)).toEqual([4, true])
  expect(failing('SQLITE_BUSY', 4)).toEqual([4, false])
  expect(failing('SQLITE_FULL', 1)).toEqual([1, false])
})
