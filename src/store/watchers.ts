/** Those who watch topics; each is called when one of its topics was changed. */
import type { Topic } from './store.ts'

interface Watcher {
  topics: readonly Topic[]
  onChange: () => void
}

export class Watchers {
  readonly #watchers = new Set<Watcher>()
  readonly #begin: () => void
  readonly #end: () => void

  /** @param begin is called before there is a first one. @param end is called after the last one */
  constructor(begin: () => void, end: () => void) {
    this.#begin = begin
    this.#end = end
  }

  get isAny(): boolean {
    return this.#watchers.size > 0
  }

  /** @returns ends it */
  add(topics: readonly Topic[], onChange: () => void): () => void {
    const watcher = { topics, onChange }
    if (!this.isAny) this.#begin()
    this.#watchers.add(watcher)
    return () => {
      this.#watchers.delete(watcher)
      if (!this.isAny) this.#end()
    }
  }

  /** @param changed absent: any may have been */
  call(changed?: Iterable<string>): void {
    const names = changed && new Set(changed)
    for (const { topics, onChange } of this.#watchers)
      if (names === undefined || topics.some((topic) => names.has(topic))) onChange()
  }
}
