import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineFileSystem, examineStore, storeLimits } from '../../../src/serve/doctor/store.ts'
import { readSettings } from '../../../src/serve/settings/settings.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { findPostgres, startPostgres } from '../../store/_postgres-server.ts'
import { file, folder } from '../../kit/temp-folder.ts'

const examine = (store: string, limits = storeLimits(Date.now())) =>
  examineStore(readSettings({ PLIMSOLL_STORE: store }, String), limits)
const levels = async (store: string, limits = storeLimits(Date.now())) =>
  (await examine(store, limits)).map(({ level, about }) => `${level} ${about}`)

test('a store that is not there yet is not made, and neither is its folder', async () => {
  const path = join(folder, 'one/two/plimsoll.db')
  expect((await examine(`sqlite:${path}`))[0]?.text).toBe(`${path} will be made at the first start`)
  expect(readdirSync(folder)).toEqual([])
})

test('a store in use is examined beside the app', async () => {
  const store = openSqlite(file)
  await store.addToCounter('a', 1, 0, 1)
  expect(await levels(`sqlite:${file}`)).toEqual(['ok store', 'ok disk'])
  expect(await store.addToCounter('b', 1, 0, 1)).toMatchObject({ count: 1 })
  await store.close()
})

test('free room is a finding, below one limit a warning and below the other a fault', async () => {
  const limits = storeLimits(Date.now())
  expect(await levels(`sqlite:${file}`, { ...limits, warnBelowBytes: Infinity })).toContain('warning disk')
  expect(await levels(`sqlite:${file}`, { ...limits, faultBelowBytes: Infinity })).toContain('fault disk')
})

test('a database that every user may read is a warning', async () => {
  await openSqlite(file).close()
  chmodSync(file, 0o644)
  expect(await levels(`sqlite:${file}`)).toContain('warning store')
})

test('a folder in place of the database is a fault, and nothing else is said of it', async () => {
  const [found, ...others] = await examine(`sqlite:${folder}`)
  expect(found).toMatchObject({ level: 'fault', text: `${folder} is a folder` })
  expect(others.map(({ about }) => about)).toEqual(['disk'])
})

test('a network file system is a fault (statfs(2))', () => {
  for (const type of [0x6969, 0xff534d42, -11_317_950]) expect(examineFileSystem(type)).toHaveLength(1)
  for (const type of [0xef53, 0x01021994, 0x794c7630]) expect(examineFileSystem(type)).toEqual([])
})

test('in memory is a warning with the sandbox', async () => {
  expect(await levels('sqlite::memory:')).toEqual(['warning store'])
})

// The run reports that PostgreSQL is missing.
test.each(findPostgres() === undefined ? [] : ['PostgreSQL'])(
  '%s is examined as at a start: whether it answers, and what a loss of power costs',
  async () => {
    const durable = await startPostgres()
    expect(await levels(durable.url())).toEqual(['ok store'])
    await durable.send('ALTER SYSTEM SET synchronous_commit = off')
    await durable.send('SELECT pg_reload_conf()')
    await expect.poll(() => levels(durable.url())).toEqual(['ok store', 'warning store'])
    await durable.remove()
    expect(await levels(durable.url())).toEqual(['fault store'])
  },
)
