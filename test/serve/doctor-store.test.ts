import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineFileSystem, examineStore, storeLimits } from '../../src/serve/doctor-store.ts'
import { readSettings } from '../../src/serve/settings.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { file, folder } from '../_temp-folder.ts'

const examine = (store: string, limits = storeLimits(Date.now())) =>
  examineStore(readSettings({ PLIMSOLL_STORE: store }, String), limits)
const levels = (store: string, limits = storeLimits(Date.now())) =>
  examine(store, limits).map(({ level, about }) => `${level} ${about}`)

test('a store that is not there yet is not made, and neither is its folder', () => {
  const path = join(folder, 'one/two/plimsoll.db')
  expect(examine(`sqlite:${path}`)[0]?.text).toBe(`${path} will be made at the first start`)
  expect(readdirSync(folder)).toEqual([])
})

test('a store in use is examined beside the app', async () => {
  const store = openSqlite(file)
  await store.claim('a', 0, 1)
  expect(levels(`sqlite:${file}`)).toEqual(['ok store', 'ok disk'])
  expect(await store.claim('b', 0, 1)).toBe(true)
  await store.close()
})

test('free room is a finding, below one limit a warning and below the other a fault', () => {
  const limits = storeLimits(Date.now())
  expect(levels(`sqlite:${file}`, { ...limits, warnBelowBytes: Infinity })).toContain('warning disk')
  expect(levels(`sqlite:${file}`, { ...limits, faultBelowBytes: Infinity })).toContain('fault disk')
})

test('a database that every user may read is a warning', async () => {
  await openSqlite(file).close()
  chmodSync(file, 0o644)
  expect(levels(`sqlite:${file}`)).toContain('warning store')
})

test('a network file system is a fault (statfs(2))', () => {
  for (const type of [0x6969, 0xff534d42, -11_317_950]) expect(examineFileSystem(type)).toHaveLength(1)
  for (const type of [0xef53, 0x01021994, 0x794c7630]) expect(examineFileSystem(type)).toEqual([])
})

test('in memory is a warning with the sandbox, and Redis is not examined', () => {
  expect(levels('sqlite::memory:')).toEqual(['warning store'])
  expect(levels('redis://127.0.0.1')).toEqual(['warning store'])
  expect(existsSync('redis:')).toBe(false)
})
