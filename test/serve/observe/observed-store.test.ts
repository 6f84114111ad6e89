import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import type { ServeEntry } from '../../../src/serve/observe/log.ts'
import { Metrics } from '../../../src/serve/observe/metrics.ts'
import { observeStore } from '../../../src/serve/observe/observed-store.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../../src/store/store.ts'

test('each operation is timed by its name, and counts as failed only where the store is the reason', async () => {
  let failure: unknown
  const real = openSqlite(':memory:')
  const readNotes: Store['readNotes'] = async (names) => {
    if (failure !== undefined) throw failure
    return real.readNotes(names)
  }
  const metrics = new Metrics()
  const store = observeStore({ ...real, readNotes }, { log: () => {}, now: Date.now, metrics })
  expect(await store.readNotes(['a name that no label has'])).toEqual([undefined])
  failure = new Problem('store_unavailable')
  await expect(store.readNotes(['x'])).rejects.toBe(failure)
  failure = new TypeError('of the caller')
  await expect(store.readNotes(['x'])).rejects.toBe(failure)
  expect(await store.addToCounter('c', 1, 0, 1)).toMatchObject({ count: 1 })
  const text = await metrics.register.metrics()
  for (const [name, operation, count] of [
    ['operation_duration_seconds_count', 'readNotes', 3],
    ['operation_duration_seconds_count', 'addToCounter', 1],
    ['failures_total', 'readNotes', 1],
    ['failures_total', 'addToCounter', 0],
  ])
    expect(text).toContain(`\nplimsoll_store_${name}{operation="${operation}"} ${count}\n`)
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
  const store = observeStore(failing, { log: (entry) => lines.push(entry), now: () => clock.ms })
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
