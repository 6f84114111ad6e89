/** What encrypted records opened to, so that a session that is used again is neither decrypted nor parsed again. */
import { LRUCache } from 'lru-cache'

/** Of encrypted records. */
const MOST_BYTES = 33_554_432

interface Opened<T> {
  encrypted: Uint8Array
  key: Uint8Array
  record: T
}

/** The records that were used last. Each is found by the bytes that it opened from alone: whatever has changed in the store is opened again. */
export class OpenedRecords<T> {
  readonly #byId = new LRUCache<string, Opened<T>>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ encrypted }) => Math.max(1, encrypted.length),
  })

  /** What these bytes opened to with this key; `undefined` where it is not known. */
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
