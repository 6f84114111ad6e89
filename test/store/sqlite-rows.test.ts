import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite } from '../../src/store/sqlite.ts'
import { Rows } from '../../src/store/sqlite-rows.ts'
import type { Store } from '../../src/store/store.ts'

let folder: string
let stores: Store[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  stores = [openSqlite(join(folder, 'a.db')), openSqlite(join(folder, 'a.db'))]
})
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  rmSync(folder, { recursive: true })
})

const session = {
  encrypted: new Uint8Array([1]),
  endsAtMs: 1000,
  owner: 'o',
  openedAtMs: 1,
  seenAtMs: 2,
  browser: '',
}

test('a row is read once until it is forgotten or the generation is another one, and of many the newest are remembered', () => {
  const reads: string[] = []
  let generation = 1
  const rows = new Rows(
    () => generation,
    (name) => {
      reads.push(name)
      return name === 'none' ? undefined : { name }
    },
  )
  const first = rows.get('a')
  expect([rows.get('a') === first, rows.get('none'), rows.get('none')]).toEqual([true, undefined, undefined])
  expect(reads).toEqual(['a', 'none'])
  rows.forget('a')
  rows.get('a')
  generation = 2
  rows.get('a')
  expect(reads).toEqual(['a', 'none', 'a', 'a'])
  for (let nth = 0; nth < 1000; nth += 1) rows.get(`row ${nth}`)
  expect(reads).toHaveLength(1004)
  rows.get('row 1')
  rows.get('row 999')
  expect(reads).toHaveLength(1004)
  rows.get('a')
  expect(reads.at(-1)).toBe('a')
})

test('what one connection writes, removes or sweeps the other one reads as soon as it is written', async () => {
  const [ours, other] = stores as [Store, Store]
  expect([await other.readSession('s'), await other.readNote('n')]).toEqual([undefined, undefined])
  await ours.writeSession('s', session, 0)
  await ours.changeNote('n', () => ({ value: 1 }), 1000)
  expect(await other.readSession('s')).toEqual({ ...session, version: 1 })
  expect(await other.readNote('n')).toEqual({ value: 1 })
  await ours.writeSession('s', { ...session, owner: 'p' }, 1)
  await ours.changeNote('n', () => ({ value: 2 }), 1000)
  for (const store of stores) {
    expect(await store.readSession('s')).toMatchObject({ owner: 'p', version: 2 })
    expect(await store.readNote('n')).toEqual({ value: 2 })
  }
  await ours.endSession('s')
  for (const store of stores) expect(await store.readSession('s')).toBeUndefined()
  await ours.sweep(1000)
  for (const store of stores) expect(await store.readNote('n')).toBeUndefined()
})

test('a change decides by what another connection has written since the last look, in the same turn as well', async () => {
  const [ours, other] = stores as [Store, Store]
  const add = (store: Store) => store.changeNote('n', (known) => Number(known ?? 0) + 1, 1000)
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([ours.readNote('n'), other.readNote('n')])
    await Promise.all([add(ours), add(other), add(ours)])
  }
  expect(await ours.readNote('n')).toBe(60)
})

test('what is taken back is read as it was before', async () => {
  const [ours] = stores as [Store]
  await ours.changeNote('n', () => 'before', 1000)
  const wrong = ours.changeNote(
    'n',
    () => {
      // What is no JSON fails where it is written.
      const endless: Record<string, unknown> = {}
      return Object.assign(endless, { endless })
    },
    1000,
  )
  await expect(wrong).rejects.toThrow('circular')
  expect(await ours.readNote('n')).toBe('before')
  // SQLite refuses what is written last, after what was read of it in the same commit.
  const full = new Database(join(folder, 'a.db'))
  full.exec(
    `CREATE TRIGGER full AFTER UPDATE ON notes WHEN new.value = '"last"' BEGIN SELECT RAISE(ROLLBACK, 'full'); END`,
  )
  full.close()
  const both = await Promise.allSettled([
    ours.changeNote('n', () => 'first', 1000),
    ours.changeNote('n', (known) => (known === 'first' ? 'last' : 'other'), 1000),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await nextTurn()
  expect(await ours.readNote('n')).toBe('first')
})
