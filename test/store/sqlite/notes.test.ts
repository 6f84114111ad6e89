import { setImmediate as nextIteration } from 'node:timers/promises'
import Database from 'libsql'
import { afterEach, expect, test } from 'vitest'
import { NoteReader } from '../../../src/store/sqlite/notes.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../../src/store/store.ts'
import { file } from '../../kit/temp-folder.ts'

let stores: Store[] = []
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  stores = []
})
/** Two connections, like two processes. */
function openTwice(): [Store, Store] {
  const opened: [Store, Store] = [openSqlite(file), openSqlite(file)]
  stores = opened
  return opened
}

/** @returns `reads`: names; `queries`: the number of reads of several; `generation` of the file */
function reading(texts: Map<string, string>) {
  const reads: string[] = []
  const queries: unknown[] = []
  const connection = { generation: 1 }
  const rowsOf = (name: string) => {
    reads.push(name)
    return texts.has(name) ? [{ name, value: texts.get(name) }] : []
  }
  const run = () => 0
  const reader = new NoteReader(
    {
      readNote: { all: (name) => rowsOf(String(name)) as never[], run },
      readNotes: {
        all(names) {
          queries.push(names)
          return (JSON.parse(String(names)) as string[]).flatMap(rowsOf) as never[]
        },
        run,
      },
    },
    () => connection.generation,
  )
  return { reader, reads, queries, connection }
}

test('a note is read once in a generation, as this connection wrote it, and stays one object (8.2)', () => {
  const texts = new Map([['a', '{"n":1}']])
  const { reader, reads, connection } = reading(texts)
  const first = reader.read('a')
  expect(first).toEqual({ n: 1 })
  expect([reader.read('a') === first, reader.read('none'), reader.read('none')]).toEqual([
    true,
    undefined,
    undefined,
  ])
  reader.wrote('b', '{"n":3}')
  expect(reader.read('b')).toEqual({ n: 3 })
  reader.wrote('b', undefined)
  expect(reader.read('b')).toBeUndefined()
  expect(reads).toEqual(['a', 'none'])
  connection.generation = 2
  expect(reader.read('a')).toBe(first)
  expect(reads).toEqual(['a', 'none', 'a'])
  texts.set('a', '{"n":2}')
  connection.generation = 3
  expect(reader.read('a')).toEqual({ n: 2 })
  texts.delete('a')
  connection.generation = 4
  expect(reader.read('a')).toBeUndefined()
})

test('of many names only those are read that may have changed, and the answer is in their order (8.2)', () => {
  const texts = new Map([
    ['a', '1'],
    ['b', '2'],
  ])
  const { reader, reads, queries, connection } = reading(texts)
  expect(reader.readMany(['b', 'none', 'a', 'a'])).toEqual([2, undefined, 1, 1])
  expect(reads).toEqual(['b', 'none', 'a', 'a'])
  connection.generation = 2
  reader.wrote('b', '3')
  texts.set('a', '4')
  expect(reader.readMany(['a', 'b', 'none'])).toEqual([4, 3, undefined])
  expect(reader.readMany(['none', 'b', 'a'])).toEqual([undefined, 3, 4])
  expect(reads).toEqual(['b', 'none', 'a', 'a', 'a', 'none'])
  expect(queries).toHaveLength(2)
})

test('the notes that were used last are known, up to 32 MiB with what they are parsed to (8.2)', () => {
  const long = JSON.stringify('x'.repeat(124_948))
  const names = Array.from({ length: 34 }, (_, nth) => `${nth}`)
  const { reader, reads } = reading(new Map(names.map((name) => [name, long])))
  const lengthOf = (name: string) => String(reader.read(name)).length
  for (const name of [...names, '33', '1', '0']) expect(lengthOf(name)).toBe(124_948)
  expect(reads).toEqual([...names, '0'])
})

test('as many names without a note are known as ten thousand event streams have', () => {
  const names = Array.from({ length: 20_001 }, (_, nth) => `refresh ${nth}`)
  const { reader, queries } = reading(new Map())
  expect(reader.readMany(names)).toHaveLength(20_001)
  expect(reader.readMany(names)).toHaveLength(20_001)
  expect(queries).toHaveLength(1)
})

test('a change sees what another connection has written since the last look, even in the same iteration', async () => {
  const [ours, other] = openTwice()
  const add = (store: Store) => store.changeNote('n', (known) => Number(known ?? 0) + 1, 1000)
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([ours.readNote('n'), other.readNote('n')])
    await Promise.all([add(ours), add(other), add(ours)])
  }
  expect(await ours.readNote('n')).toBe(60)
})

test('a note that is rolled back is read as it was before', async () => {
  const [ours] = openTwice()
  await ours.changeNote('n', () => 'before', 1000)
  const wrong = ours.changeNote(
    'n',
    () => {
      // A value that is no JSON fails when it is written.
      const endless: Record<string, unknown> = {}
      return Object.assign(endless, { endless })
    },
    1000,
  )
  await expect(wrong).rejects.toThrow('circular')
  expect(await ours.readNote('n')).toBe('before')
  // SQLite refuses the last write, after the note was read in the same commit.
  const full = new Database(file)
  full.exec(
    `CREATE TRIGGER full AFTER UPDATE ON notes WHEN new.value = '"last"' BEGIN SELECT RAISE(ROLLBACK, 'full'); END`,
  )
  full.close()
  const both = await Promise.allSettled([
    ours.changeNote('n', () => 'first', 1000),
    ours.changeNote('n', (known) => (known === 'first' ? 'last' : 'other'), 1000),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await nextIteration()
  expect(await ours.readNote('n')).toBe('first')
})
