import { setImmediate as nextIteration } from 'node:timers/promises'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sessions } from '../../../src/store/sqlite/sessions.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import type { Statements } from '../../../src/store/sqlite/statements.ts'
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

/** `read` counts the reads of each. A statement changes `changes` rows. */
function fromRows(rows: Map<string, object>) {
  const read: string[] = []
  const db = { generation: 1, changes: 1 }
  const run = () => 1
  const changing = { all: () => [], run }
  const changingSome = { all: () => [], run: () => db.changes }
  const all = (id: string) => {
    read.push(id)
    return rows.has(id) ? [rows.get(id)] : []
  }
  const store = sessions(
    {
      generation: () => db.generation,
      write: async <T>(work: () => T) => work(),
      prepare: () => changing,
      forget() {},
      async close() {},
    },
    {
      readSession: { all, run },
      readSessionVersions: {
        all(ids: string) {
          read.push(ids)
          return (JSON.parse(ids) as string[]).flatMap((id) => rows.get(id) ?? [])
        },
        run,
      },
      changeSession: changingSome,
      changeRecord: changingSome,
      endSession: changing,
    } as unknown as Statements,
  )
  return { store, read, db }
}

test('a session is read once in a generation, and is known as this process has written or ended it', async () => {
  const row = { ...session, encrypted: session.encrypted.buffer, version: 1 }
  const rows = new Map([['s', row]])
  const { store, read, db } = fromRows(rows)
  const readsOf = async (id: string) => {
    const found = await store.readSession(id)
    return [found?.seenAtMs, read.splice(0).length]
  }
  expect([await readsOf('s'), await readsOf('s')]).toEqual([
    [2, 1],
    [2, 0],
  ])
  rows.set('s', { ...row, seenAtMs: 3 })
  expect(await readsOf('s')).toEqual([2, 0])
  db.generation = 2
  expect([await readsOf('s'), await readsOf('s')]).toEqual([
    [3, 1],
    [3, 0],
  ])
  expect(await store.writeSession('s', { ...session, seenAtMs: 4 }, 1)).toBe(true)
  expect(await readsOf('s')).toEqual([4, 0])
  // The cache of this process is wrong.
  db.changes = 0
  rows.set('s', { ...row, seenAtMs: 5 })
  expect(await store.writeSession('s', session, 1)).toBe(false)
  expect(await readsOf('s')).toEqual([5, 1])
  rows.delete('s')
  await store.endSession('s')
  expect([await readsOf('s'), await readsOf('s')]).toEqual([
    [undefined, 1],
    [undefined, 1],
  ])
})

test('only those versions are read that may have changed, and the answer is in the order of the ids (8.4)', async () => {
  const rowOf = (id: string) => ({ ...session, encrypted: session.encrypted.buffer, id, version: 3 })
  const { store, read, db } = fromRows(new Map(['a', 'b'].map((id) => [id, rowOf(id)])))
  await store.readSession('b')
  await store.writeSession('c', session, 7)
  read.splice(0)
  expect(await store.readSessionVersions(['c', 'b'])).toEqual([8, 3])
  expect(read).toEqual([])
  expect(await store.readSessionVersions(['none', 'c', 'a', 'b'])).toEqual([undefined, 8, 3, 3])
  expect(read.splice(0)).toEqual(['["none","a"]'])
  db.generation = 2
  expect(await store.readSessionVersions(['c', 'b'])).toEqual([undefined, 3])
  expect(read).toEqual(['["c","b"]'])
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

test('of the sessions that were read as many are known as have 32 MiB, those that were used last', async () => {
  const encrypted = new ArrayBuffer(1_000_000)
  const names = Array.from({ length: 34 }, (_, nth) => `${nth}`)
  const { store, read } = fromRows(new Map(names.map((name) => [name, { ...session, encrypted }])))
  for (const name of names) await store.readSession(name)
  for (const name of ['33', '1', '0']) await store.readSession(name)
  expect(read).toEqual([...names, '0'])
})
