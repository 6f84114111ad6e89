/** Caches decrypted records, so that a session in use is not decrypted and parsed at every request. */
import { LRUCache } from 'lru-cache'

/** Measured in encrypted bytes. */
const MOST_BYTES = 33_554_432

interface Opened<T> {
  encrypted: Uint8Array
  key: Uint8Array
  record: T
}

/** A record is found only by the bytes it was decrypted from, so a changed one is opened again. */
export class OpenedRecords<T> {
  readonly #byId = new LRUCache<string, Opened<T>>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ encrypted }) => Math.max(1, encrypted.length),
  })

  /** `undefined` unless the cache has a record of these bytes and this key. */
  get(id: string, encrypted: Uint8Array, key: Uint8Array): T | undefined {
    const opened = this.#byId.get(id)
    const isKnown = opened !== undefined && isSame(opened.encrypted, encrypted) && isSame(opened.key, key)
    return isKnown ? opened.record : undefined
  }

  set(id: string, opened: Opened<T>): void {
    this.#byId.set(id, opened)
  }

  delete(id: string): void {
    this.#byId.delete(id)
  }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
