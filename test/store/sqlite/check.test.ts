import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'libsql'
import { expect, test, vi } from 'vitest'
import { assertUsable } from '../../../src/store/sqlite/check.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { file } from '../../kit/temp-folder.ts'

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

test('the file is closed afterwards, also one that is not usable', () => {
  const close = vi.spyOn(Database.prototype, 'close')
  assertUsable(file)
  writeFileSync(`${file}.text`, 'no database '.repeat(900))
  expect(() => assertUsable(`${file}.text`)).toThrow('not a database')
  expect(close.mock.calls).toHaveLength(2)
  vi.restoreAllMocks()
})
