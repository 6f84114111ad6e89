/** Calls those who watch a topic when it was changed, as Redis announces it. */
import type { Topic } from './store.ts'

/** While anyone watches, so that a server that hangs is left even if nothing else is asked. */
const LOOK_EVERY_MS = 1000

interface Listener {
  topics: readonly Topic[]
  onChange: () => void
}

export class Watch {
  readonly #listeners = new Set<Listener>()
  readonly #look: () => Promise<unknown>
  #looking: NodeJS.Timeout | undefined

  /** @param look asks the server for anything */
  constructor(look: () => Promise<unknown>) {
    this.#look = look
  }

  /** @returns ends it */
  add(topics: readonly Topic[], onChange: () => void): () => void {
    const listener = { topics, onChange }
    if (this.#listeners.size === 0) this.#start()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.stop()
    }
  }

  /** @param changed absent: any may have been */
  call(changed?: readonly string[]): void {
    for (const { topics, onChange } of this.#listeners)
      if (changed === undefined || topics.some((topic) => changed.includes(topic))) onChange()
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #start(): void {
    const look = () => void this.#look().catch(() => {})
    // oxlint-disable-next-line no-restricted-globals -- it asks the store for one number, and sends nothing to the service
    this.#looking = setInterval(look, LOOK_EVERY_MS).unref()
  }
}
