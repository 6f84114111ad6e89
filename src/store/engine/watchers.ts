/** The watchers of topics. Each is called when one of its topics has changed. */
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Topic } from '../store.ts'

/** After so many calls, other work may run: thousands may watch the same topic. */
const MOST_CALLS = 500
/** Every watcher watches this one too. */
const ANY = Symbol('any topic')

type Watcher = () => void

export class Watchers {
  readonly #byTopic = new Map<string | typeof ANY, Set<Watcher>>()
  /** Changed topics whose watchers were not all called yet. */
  readonly #changed = new Set<string | typeof ANY>()
  readonly #begin: () => void
  readonly #end: () => void
  #isCalling = false

  /** @param begin is called before the first watcher is added, @param end after the last one is removed */
  constructor(begin: () => void, end: () => void) {
    this.#begin = begin
    this.#end = end
  }

  get isAny(): boolean {
    return this.#byTopic.size > 0
  }

  /** @returns a function that stops watching */
  add(topics: readonly Topic[], onChange: () => void): () => void {
    // A function of its own, since the same `onChange` may watch twice.
    const watcher = () => onChange()
    if (!this.isAny) this.#begin()
    for (const topic of [ANY, ...topics] as const)
      this.#byTopic.set(topic, (this.#byTopic.get(topic) ?? new Set()).add(watcher))
    return () => {
      for (const topic of [ANY, ...topics] as const) this.#remove(topic, watcher)
      if (!this.isAny) this.#end()
    }
  }

  /**
   * Calls them in several iterations if they are many. Another change meanwhile calls each once more.
   * @param changed absent if any topic may have changed
   */
  call(changed: Iterable<string | typeof ANY> = [ANY]): void {
    for (const topic of changed) this.#changed.add(topic)
    if (!this.#isCalling) void this.#callAll()
  }

  async #callAll(): Promise<void> {
    this.#isCalling = true
    let calls = 0
    for (const topic of this.#changed) {
      this.#changed.delete(topic)
      for (const watcher of this.#byTopic.get(topic) ?? []) {
        watcher()
        calls += 1
        if (calls % MOST_CALLS === 0) await nextIteration()
      }
    }
    this.#isCalling = false
  }

  #remove(topic: string | typeof ANY, watcher: Watcher): void {
    const watchers = this.#byTopic.get(topic)
    watchers?.delete(watcher)
    if (watchers?.size === 0) this.#byTopic.delete(topic)
  }
}
