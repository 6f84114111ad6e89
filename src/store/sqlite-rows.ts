/** Rows of SQLite that were read, each for as long as it is not written. */
import { LRUCache } from 'lru-cache'

/** Of those that were used last. */
const MOST = 1000

export class Rows<T> {
  readonly #read: (name: string) => T
  readonly #generation: () => number
  readonly #known = new LRUCache<string, { row: T }>({ max: MOST })
  #of: number | undefined

  /**
   * @param generation another number where rows may have been written by others than those who call `forget`
   *   (sqlite-connection.ts)
   */
  constructor(generation: () => number, read: (name: string) => T) {
    this.#generation = generation
    this.#read = read
  }

  /** The row as it is in the file now. No caller changes it. @throws what reading throws */
  get(name: string): T {
    const generation = this.#generation()
    if (generation !== this.#of) this.#known.clear()
    this.#of = generation
    const known = this.#known.get(name)
    if (known !== undefined) return known.row
    const row = this.#read(name)
    this.#known.set(name, { row })
    return row
  }

  /** It is written by a statement of this connection. */
  forget(name: string): void {
    this.#known.delete(name)
  }
}
