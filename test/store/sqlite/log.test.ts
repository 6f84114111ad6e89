import { readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { Log, openLog } from '../../../src/store/sqlite/log.ts'
import { file } from '../../kit/temp-folder.ts'

function openDatabase() {
  const db = new Database(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (b)')
  return db
}

test('a log is synchronized as often as asked, and a file without one has none', async () => {
  expect(openLog(file)).toBeUndefined()
  const db = openDatabase()
  const log = openLog(file)
  await Promise.all([log?.sync(), log?.sync()])
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
  log?.close()
  db.close()
})

test('a log that is closed while the disk is awaited ends running calls, and refuses later ones', async () => {
  const db = openDatabase()
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
  const db = openDatabase()
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
