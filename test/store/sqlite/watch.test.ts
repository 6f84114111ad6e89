import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { STORED_CHANGES } from '../../../src/store/sqlite/schema.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { Watch } from '../../../src/store/sqlite/watch.ts'
import { entry } from '../../kit/stores.ts'
import { file } from '../../kit/temp-folder.ts'
import { startWriter } from '../_processes.ts'

const stores: { close: () => Promise<void> }[] = []
const opened = () => {
  const store = openSqlite(file)
  stores.push(store)
  return store
}
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

test('a request of another process is seen', async () => {
  const store = opened()
  let calls = 0
  await store.watch(['organization 7'], () => {
    calls += 1
  })
  const writer = startWriter(file, 'reserve', 1)
  writer.stdin.end()
  await expect.poll(() => calls).toBe(1)
})

test('where changes are not known everyone is called: numbers that fell, and more than are stored', async () => {
  const store = opened()
  for (const id of ['a', 'b', 'c']) await store.reserve(entry(id))
  let calls = 0
  await store.watch(['session never-seen'], () => (calls += 1))
  const other = new Database(file)
  other.exec(`UPDATE sqlite_sequence SET seq = 0 WHERE name = 'changes'; DELETE FROM changes`)
  await store.changeNote('token x', () => 1, 4e12)
  expect(calls).toBe(1)
  other.exec(`UPDATE sqlite_sequence SET seq = 20000 WHERE name = 'changes'`)
  await store.changeNote('token x', () => 2, 4e12)
  expect(calls).toBe(2)
  await store.changeNote('token x', () => 3, 4e12)
  expect(calls).toBe(2)
  other.close()
})

test('a sweep leaves the newest ten thousand changes', async () => {
  const store = opened()
  const other = new Database(file)
  other.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10500)
    INSERT INTO changes (topic) SELECT 'token ' || i FROM n`)
  await store.sweep(0)
  expect(other.prepare('SELECT count(*) AS count, min(number) AS least FROM changes').all()).toEqual([
    { count: 10_000, least: 501 },
  ])
  other.close()
})

test('a sweep leaves the newest change of each topic, and a watcher that has seen none is called for all', async () => {
  const store = opened()
  const calls: string[] = []
  const other = new Database(file)
  const watching = openSqlite(file)
  stores.push(watching)
  for (const topic of ['token a', 'token b', 'token c'] as const)
    await watching.watch([topic], () => calls.push(topic))
  other.exec(
    `INSERT INTO changes (topic) VALUES ('token a'), ('token b'), ('token a'), ('token b'), ('token a')`,
  )
  await store.sweep(0)
  expect(other.prepare('SELECT number, topic FROM changes').all()).toEqual([
    { number: 4, topic: 'token b' },
    { number: 5, topic: 'token a' },
  ])
  await expect.poll(() => calls).toHaveLength(2)
  expect(calls.toSorted()).toEqual(['token a', 'token b'])
  other.close()
})

test('a sweep leaves no change of an unproven name once its requests are removed', async () => {
  const store = opened()
  const other = new Database(file)
  const names = () => other.prepare('SELECT topic FROM changes ORDER BY topic').all()
  const [old, unproven, organization] = ['unproven old', 'unproven new', '7'].map((name) => ({
    topic: `organization ${name}`,
  }))
  await store.reserve(entry('a', { organization: 'unproven old', atMs: 1 }))
  await store.reserve(entry('b', { organization: 'unproven new', atMs: 3_600_000 }))
  await store.reserve(entry('c', { organization: '7', atMs: 1 }))
  await store.sweep(3_600_000)
  expect(names()).toEqual([organization, unproven, old])
  await store.sweep(3_600_001)
  expect(names()).toEqual([organization, unproven])
  other.close()
})

test('the newest ten thousand changes are stored, by their numbers', async () => {
  const store = opened()
  const other = new Database(file)
  other.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10500)
    INSERT INTO changes (topic) SELECT 'token ' || i FROM n`)
  await store.changeNote('token x', () => 1, 4e12)
  const ends = 'SELECT count(*) AS count, min(number) AS least, max(number) AS most FROM changes'
  expect(other.prepare(ends).all()).toEqual([{ count: 10_000, least: 502, most: 10_501 }])
  await store.changeNote('token x', () => 2, 4e12)
  expect(other.prepare(ends).all()).toEqual([{ count: 10_000, least: 503, most: 10_502 }])
  other.close()
})

test('a look that the file does not allow is made again', async () => {
  const store = opened()
  let calls = 0
  await store.watch(['token x'], () => (calls += 1))
  const other = new Database(file)
  other.exec('ALTER TABLE changes RENAME TO away')
  other.exec(`INSERT INTO away (topic) VALUES ('token x')`)
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(calls).toBe(0)
  other.exec('ALTER TABLE away RENAME TO changes')
  await expect.poll(() => calls).toBe(1)
  other.close()
})

/** A table of changes in memory that counts its reads. */
function changesInMemory() {
  const changes: { number: number; topic: string }[] = []
  const table = { looks: 0, fails: false, newest: 0 }
  const statement = (all: (...values: unknown[]) => unknown[]) => ({ all: all as never, run: () => 0 })
  const watch = new Watch({
    readVersion: statement(() => {
      table.looks += 1
      if (table.fails) throw new Error('out of reach')
      return [{ version: table.newest }]
    }),
    changedSince: statement((since) => changes.filter(({ number }) => number > Number(since))),
  })
  const change = (topic: string, number = table.newest + 1) => {
    table.newest = number
    changes.push({ number, topic })
  }
  return { watch, table, change }
}

describe('looks', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('nothing is read while no one watches, neither at a write nor as time passes', () => {
    const { watch, table } = changesInMemory()
    const look = () => {
      watch.look()
      vi.advanceTimersByTime(1000)
      return table.looks
    }
    expect(look()).toBe(0)
    const ends = [watch.add(['token a'], () => {}), watch.add(['token b'], () => {})]
    const watched = look()
    // Both together: one read at the start, one at the write, and one each quarter of a second.
    expect(watched).toBe(6)
    ends[0]?.()
    expect(look()).toBe(watched + 5)
    ends[1]?.()
    expect(look()).toBe(watched + 5)
    watch.add(['token a'], () => {})
    watch.stop()
    vi.advanceTimersByTime(1000)
    expect(table.looks).toBe(watched + 6)
  })

  test('one topic of several is enough, and as many changes as are stored are known', () => {
    const { watch, change } = changesInMemory()
    const calls: string[] = []
    watch.add(['token a', 'token b'], () => calls.push('a or b'))
    watch.add(['token c'], () => calls.push('c'))
    change('token b')
    watch.look()
    expect(calls).toEqual(['a or b'])
    change('token x', 1 + STORED_CHANGES)
    watch.look()
    expect(calls).toEqual(['a or b'])
    change('token x', 2 + 2 * STORED_CHANGES)
    watch.look()
    expect(calls).toEqual(['a or b', 'a or b', 'c'])
    watch.look()
    expect(calls).toHaveLength(3)
  })

  test('a watcher that begins while the file is out of reach is called at the first look that succeeds', () => {
    const { watch, table, change } = changesInMemory()
    let calls = 0
    change('token x')
    table.fails = true
    watch.add(['token a'], () => (calls += 1))
    watch.look()
    expect(calls).toBe(0)
    table.fails = false
    vi.advanceTimersByTime(250)
    expect(calls).toBe(1)
  })
})
