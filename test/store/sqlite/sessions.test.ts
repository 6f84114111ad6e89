import { setImmediate as nextIteration } from 'node:timers/promises'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../../src/store/store.ts'
import { file } from '../../kit/temp-folder.ts'

let stores: [Store, Store]
beforeEach(() => {
  stores = [openSqlite(file), openSqlite(file)]
})
afterEach(() => Promise.all(stores.map((store) => store.close())))

const session = {
  encrypted: new Uint8Array([1, 2, 3]),
  endsAtMs: 1000,
  owner: 'o',
  openedAtMs: 1,
  seenAtMs: 2,
  browser: 'Firefox on Linux',
}

test('a session is as it was written last, by whichever process, and none once it has ended', async () => {
  const [ours, other] = stores
  await ours.writeSession('s', session, 0)
  expect(await other.readSession('s')).toEqual({ ...session, version: 1 })
  expect(await ours.writeSession('s', { ...session, seenAtMs: 3 }, 1)).toBe(true)
  expect(await other.readSession('s')).toEqual({ ...session, seenAtMs: 3, version: 2 })
  // Its former version is refused, and the row stays.
  expect(await other.writeSession('s', session, 1)).toBe(false)
  expect(await other.readSession('s')).toMatchObject({ seenAtMs: 3, version: 2 })
  await ours.endSession('s')
  expect([await ours.readSession('s'), await other.readSession('s')]).toEqual([undefined, undefined])
})

test.each([
  ['its record', { encrypted: new Uint8Array([4]) }],
  ['when it was seen', { seenAtMs: 3 }],
  ['its end', { endsAtMs: 2000 }],
  ['its owner', { owner: 'p' }],
  ['when it was opened', { openedAtMs: 5 }],
  ['its browser', { browser: 'Safari' }],
])('a session that this process has read is written whole where %s changes', async (_, differing) => {
  const [ours, other] = stores
  await ours.writeSession('s', session, 0)
  await ours.readSession('s')
  expect(await ours.writeSession('s', { ...session, ...differing }, 1)).toBe(true)
  expect(await other.readSession('s')).toEqual({ ...session, ...differing, version: 2 })
  await ours.readSession('s')
  expect(await ours.writeSession('s', session, 1)).toBe(false)
  await other.writeSession('s', { ...session, owner: 'q' }, 2)
  expect(await ours.writeSession('s', { ...session, ...differing }, 3)).toBe(true)
  expect(await other.readSession('s')).toEqual({ ...session, ...differing, version: 4 })
})

test('a session whose change is rolled back is as it was before', async () => {
  const [ours] = stores
  await ours.writeSession('s', session, 0)
  // SQLite refuses the last write, and rolls back the earlier writes of the same commit.
  const full = new Database(file)
  full.exec(`CREATE TRIGGER full AFTER INSERT ON notes BEGIN SELECT RAISE(ROLLBACK, 'full'); END;
    CREATE TRIGGER full_too AFTER UPDATE ON sessions WHEN new.version = 3 BEGIN SELECT RAISE(ROLLBACK, 'full'); END`)
  full.close()
  const both = [
    ours.writeSession('s', { ...session, seenAtMs: 3 }, 1),
    ours.writeSession('s', { ...session, seenAtMs: 4 }, 2),
    ours.changeNote('n', () => 1, 1000),
  ]
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ])
  await nextIteration()
  expect(await ours.readSession('s')).toEqual({ ...session, seenAtMs: 3, version: 2 })
  expect(await ours.readSessionVersions(['s'])).toEqual([2])
})

test('the versions of sessions are those of the file, whichever process wrote them', async () => {
  const [ours, other] = stores
  for (const id of ['a', 'b', 'c']) await ours.writeSession(id, session, 0)
  expect(await ours.readSessionVersions(['c', 'a', 'b'])).toEqual([1, 1, 1])
  await other.writeSession('a', session, 1)
  await other.endSession('b')
  expect(await ours.readSessionVersions(['c', 'a', 'b'])).toEqual([1, 2, undefined])
  await ours.writeSession('a', session, 2)
  await ours.endSession('c')
  expect(await ours.readSessionVersions(['c', 'a', 'b'])).toEqual([undefined, 3, undefined])
  expect(await other.readSessionVersions(['c', 'a', 'b'])).toEqual([undefined, 3, undefined])
})
