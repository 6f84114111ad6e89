/** Rows of SQLite that were read, each for as long as it is not written. */

/** Of those that were read last. */
const MOST = 2000

export class Rows<T> {
  readonly #read: (name: string) => T
  readonly #generation: () => number
  readonly #known = new Map<string, T>()
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
    if (this.#known.has(name)) return this.#known.get(name) as T
    const row = this.#read(name)
    for (const [oldest] of this.#known) {
      if (this.#known.size < MOST) break
      this.#known.delete(oldest)
    }
    this.#known.set(name, row)
    return row
  }

  /** It is written by a statement of this connection. */
  forget(name: string): void {
    this.#known.delete(name)
  }
}
