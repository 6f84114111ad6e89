import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite.ts'
import { sessions } from '../../src/store/sqlite-sessions.ts'
import type { Statements } from '../../src/store/sqlite-statements.ts'
import type { Store } from '../../src/store/store.ts'
import { file } from '../_temp-folder.ts'

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
  // Its former version is refused, and what is there stays.
  expect(await other.writeSession('s', session, 1)).toBe(false)
  expect(await other.readSession('s')).toMatchObject({ seenAtMs: 3, version: 2 })
  await ours.endSession('s')
  expect([await ours.readSession('s'), await other.readSession('s')]).toEqual([undefined, undefined])
})

test('a session is read once until the generation is another one, or this process has written or ended it', async () => {
  let generation = 1
  let reads = 0
  const row = { ...session, encrypted: session.encrypted.buffer, version: 1 }
  const rows = new Map([['s', row]])
  const read = (id: string) => {
    reads += 1
    return rows.has(id) ? [rows.get(id)] : []
  }
  const run = () => 1
  const changing = { all: () => [], run }
  const store = sessions(
    {
      generation: () => generation,
      write: async <T>(work: () => T) => work(),
      prepare: () => changing,
      forget() {},
      async close() {},
    },
    {
      readSession: { all: (id: string) => read(id), run },
      changeSession: changing,
      endSession: changing,
    } as unknown as Statements,
  )
  const readsOf = async (id: string) => {
    const before = reads
    const found = await store.readSession(id)
    return [found?.seenAtMs, reads - before]
  }
  expect([await readsOf('s'), await readsOf('s')]).toEqual([
    [2, 1],
    [2, 0],
  ])
  rows.set('s', { ...row, seenAtMs: 3 })
  expect(await readsOf('s')).toEqual([2, 0])
  generation = 2
  expect([await readsOf('s'), await readsOf('s')]).toEqual([
    [3, 1],
    [3, 0],
  ])
  rows.set('s', { ...row, seenAtMs: 4 })
  await store.writeSession('s', session, 1)
  expect(await readsOf('s')).toEqual([4, 1])
  rows.delete('s')
  await store.endSession('s')
  expect([await readsOf('s'), await readsOf('s')]).toEqual([
    [undefined, 1],
    [undefined, 1],
  ])
})
