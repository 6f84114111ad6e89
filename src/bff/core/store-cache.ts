/** Remembers values by organization, for each store apart: tests and benchmarks have several in one process. */
import { LRUCache } from 'lru-cache'
import type { Store } from '../../store/store.ts'

/** @param max organizations of one store @returns the cache of a store */
export function cacheOfStore<T extends {}>(max: number): (store: Store) => LRUCache<string, T> {
  const caches = new WeakMap<Store, LRUCache<string, T>>()
  return (store) => {
    const cache = caches.get(store) ?? new LRUCache<string, T>({ max })
    caches.set(store, cache)
    return cache
  }
}
