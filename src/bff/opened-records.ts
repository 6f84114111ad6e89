/** What encrypted records opened to, so that a session that is used again is neither decrypted nor parsed again. */

/** Of encrypted records. */
const MOST_BYTES = 33_554_432

interface Opened<T> {
  encrypted: Uint8Array
  key: Uint8Array
  record: T
}

/** The records that were used last. Each is found by the bytes that it opened from alone: whatever has changed in the store is opened again. */
export class OpenedRecords<T> {
  /** The one that was used last is the last. */
  readonly #byId = new Map<string, Opened<T>>()
  #bytes = 0

  /** What these bytes opened to with this key; `undefined` where it is not known. */
  get(id: string, encrypted: Uint8Array, key: Uint8Array): T | undefined {
    const opened = this.#byId.get(id)
    if (opened === undefined || !isSame(opened.encrypted, encrypted) || !isSame(opened.key, key))
      return undefined
    this.#byId.delete(id)
    this.#byId.set(id, opened)
    return opened.record
  }

  set(id: string, opened: Opened<T>): void {
    this.delete(id)
    this.#byId.set(id, opened)
    this.#bytes += opened.encrypted.length
    for (const [oldest] of this.#byId) {
      if (this.#bytes <= MOST_BYTES) break
      this.delete(oldest)
    }
  }

  delete(id: string): void {
    this.#bytes -= this.#byId.get(id)?.encrypted.length ?? 0
    this.#byId.delete(id)
  }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a === b || (a.length === b.length && Buffer.compare(a, b) === 0)
