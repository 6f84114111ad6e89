import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { observeStore } from '../../../src/serve/observe/observed-store.ts'
import { measureStore } from '../../../src/serve/observe/store-latency.ts'
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
    readNote: async (name) => {
      clock.ms += 250
      if (failure !== undefined) throw failure
      return real.readNote(name)
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
  expect(await store.readNote('a name that no label has')).toBeUndefined()
  failure = new Problem('store_unavailable')
  await expect(store.readNote('x')).rejects.toBe(failure)
  failure = new TypeError('of the caller')
  await expect(store.readNote('x')).rejects.toBe(failure)
  expect(await store.claim('c', 0, 1)).toBe(true)
  expect(measured).toEqual([
    ['readNote', 0.25, false],
    ['readNote', 0.25, true],
    ['readNote', 0.25, false],
    ['claim', 0, false],
  ])
})
