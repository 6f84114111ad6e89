import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import type { ServeEntry } from '../../../src/serve/observe/log.ts'
import { observeStore } from '../../../src/serve/observe/observed-store.ts'
import { logStoreHealth } from '../../../src/serve/observe/store-health.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../../src/store/store.ts'

function open() {
  const clock = { ms: 0 }
  const lines: ServeEntry[] = []
  let failure: unknown
  const real = openSqlite(':memory:')
  const failing: Store = {
    ...real,
    claim: async (...values) => {
      if (failure !== undefined) throw failure
      return real.claim(...values)
    },
  }
  const health = logStoreHealth(
    (entry) => lines.push(entry),
    () => clock.ms,
  )
  const store = observeStore(failing, [health])
  const claim = () => store.claim(`at ${clock.ms}`, clock.ms, clock.ms + 1)
  return { store, claim, lines, clock, fail: (error: unknown) => (failure = error) }
}

const full = () => new Problem('store_unavailable', { cause: new Error('the disk is full') })

test('a failing store is one line, and one when nothing has failed for ten seconds (8.3)', async () => {
  const { store, claim, lines, clock, fail } = open()
  expect(await claim()).toBe(true)
  fail(full())
  for (const ms of [0, 5000, 9000]) {
    clock.ms = ms
    await expect(claim()).rejects.toThrow('store unavailable')
    // What only reads succeeds all the time.
    expect(await store.readNote('none')).toBeUndefined()
  }
  expect(lines).toEqual([
    { level: 'error', event: 'store_failed', cause: expect.stringContaining('the disk is full') },
  ])
  fail(undefined)
  clock.ms = 18_999
  await claim()
  expect(lines).toHaveLength(1)
  clock.ms = 19_000
  expect(await claim()).toBe(true)
  await store.readNote('none')
  expect(lines.slice(1)).toEqual([{ level: 'info', event: 'store_recovered' }])
})

test('an error that the caller of the store has thrown is no failure of the store', async () => {
  const { store, claim, lines, fail } = open()
  fail(new Problem('rate_limited'))
  await expect(claim()).rejects.toThrow('rate limited')
  const refuse = () => {
    throw new TypeError('no')
  }
  await expect(store.changeNote('a', refuse, 1)).rejects.toThrow('no')
  expect(lines).toEqual([])
})
