import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite.ts'
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
