import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import type { ServeEntry } from '../../../src/serve/observe/log.ts'
import { logStoreHealth, measureStore, observeStore } from '../../../src/serve/observe/observed-store.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../../src/store/store.ts'

test('each operation is timed by its name, and counts as failed only where the store is the reason', async () => {
  const clock = { ms: 5 }
  const expected: string[] = []
  const measured: [string, number, boolean][] = []
  let failure: unknown
  const real = openSqlite(':memory:')
  const failing: Store = {
    ...real,
    readNotes: async (names) => {
      clock.ms += 250
      if (failure !== undefined) throw failure
      return real.readNotes(names)
    },
  }
  const latency = measureStore(
    failing,
    {
      expectOperations: (operations) => expected.push(...operations),
      measureOperation: (...values) => measured.push(values),
    },
    () => clock.ms,
  )
  const store = observeStore(failing, [latency])
  expect(expected).toEqual(Object.keys(real))
  expect(await store.readNotes(['a name that no label has'])).toEqual([undefined])
  failure = new Problem('store_unavailable')
  await expect(store.readNotes(['x'])).rejects.toBe(failure)
  failure = new TypeError('of the caller')
  await expect(store.readNotes(['x'])).rejects.toBe(failure)
  expect(await store.addToCounter('c', 1, 0, 1)).toMatchObject({ count: 1 })
  expect(measured).toEqual([
    ['readNotes', 0.25, false],
    ['readNotes', 0.25, true],
    ['readNotes', 0.25, false],
    ['addToCounter', 0, false],
  ])
})

function open() {
  const clock = { ms: 0 }
  const lines: ServeEntry[] = []
  let failure: unknown
  const real = openSqlite(':memory:')
  const failing: Store = {
    ...real,
    addToCounter: async (...values) => {
      if (failure !== undefined) throw failure
      return real.addToCounter(...values)
    },
  }
  const health = logStoreHealth(
    (entry) => lines.push(entry),
    () => clock.ms,
  )
  const store = observeStore(failing, [health])
  const write = async () => (await store.addToCounter('a counter', 0, clock.ms, clock.ms + 1)).count
  return { store, write, lines, clock, fail: (error: unknown) => (failure = error) }
}

const full = () => new Problem('store_unavailable', { cause: new Error('the disk is full') })

test('a failing store is one line, and one when nothing has failed for ten seconds (8.3)', async () => {
  const { store, write, lines, clock, fail } = open()
  expect(await write()).toBe(0)
  fail(full())
  for (const ms of [0, 5000, 9000]) {
    clock.ms = ms
    await expect(write()).rejects.toThrow('store unavailable')
    // Reads succeed all the time.
    expect(await store.readNotes(['none'])).toEqual([undefined])
  }
  expect(lines).toEqual([
    { level: 'error', event: 'store_failed', cause: expect.stringContaining('the disk is full') },
  ])
  fail(undefined)
  clock.ms = 18_999
  await write()
  expect(lines).toHaveLength(1)
  clock.ms = 19_000
  expect(await write()).toBe(0)
  await store.readNotes(['none'])
  expect(lines.slice(1)).toEqual([{ level: 'info', event: 'store_recovered' }])
})

test('what asks a store after its end is no failure of the store', async () => {
  const { store, write, lines, fail } = open()
  await store.close()
  fail(full())
  await expect(write()).rejects.toThrow('store unavailable')
  expect(lines).toEqual([])
})

test('an error that the caller of the store has thrown is no failure of the store', async () => {
  const { store, write, lines, fail } = open()
  fail(new Problem('rate_limited'))
  await expect(write()).rejects.toThrow('rate limited')
  const refuse = () => {
    throw new TypeError('no')
  }
  await expect(store.changeNote('a', refuse, 1)).rejects.toThrow('no')
  expect(lines).toEqual([])
})
