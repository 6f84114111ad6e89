import { expect, test } from 'vitest'
import { type Observer, observeStore } from '../../../src/serve/observe/observed-store.ts'
import type { Store } from '../../../src/store/store.ts'

test('each operation begins and ends once, with its error where it failed, and answers as it did', async () => {
  const cause = new Error('the disk is gone')
  const store = { readVersion: async () => 7, close: () => Promise.reject(cause) } as unknown as Store
  const seen: unknown[] = []
  const observer: Observer = (operation) => {
    seen.push(operation)
    return (error) => seen.push([operation, error])
  }
  const observed = observeStore(store, [observer])
  expect(await observed.readVersion()).toBe(7)
  await expect(observed.close()).rejects.toBe(cause)
  expect(seen).toEqual(['readVersion', ['readVersion', undefined], 'close', ['close', cause]])
})
