/** Calls the watchers of a topic when Redis announces a change. */
import type { Topic } from '../store.ts'
import { Watchers } from '../shared/watchers.ts'

/** A regular call notices a server that hangs, even if nothing else is asked. */
const LOOK_EVERY_MS = 1000

export class Watch {
  readonly #watchers = new Watchers(
    () => this.#start(),
    () => this.stop(),
  )
  readonly #look: () => Promise<unknown>
  #looking: NodeJS.Timeout | undefined

  /** @param look sends any call to the server */
  constructor(look: () => Promise<unknown>) {
    this.#look = look
  }

  /** @returns a function that stops watching */
  add(topics: readonly Topic[], onChange: () => void): () => void {
    return this.#watchers.add(topics, onChange)
  }

  /** @param changed absent if any topic may have changed */
  call(changed?: readonly string[]): void {
    this.#watchers.call(changed)
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #start(): void {
    const look = () => void this.#look().catch(() => {})
    // oxlint-disable-next-line no-restricted-globals -- it asks only the store for a number
    this.#looking = setInterval(look, LOOK_EVERY_MS).unref()
  }
}
