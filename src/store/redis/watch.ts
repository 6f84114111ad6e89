/** Calls those who watch a topic when it was changed, as Redis announces it. */
import type { Topic } from '../store.ts'
import { Watchers } from '../shared/watchers.ts'

/** While anyone watches, so that a server that hangs is left even if nothing else is asked. */
const LOOK_EVERY_MS = 1000

export class Watch {
  readonly #watchers = new Watchers(
    () => this.#start(),
    () => this.stop(),
  )
  readonly #look: () => Promise<unknown>
  #looking: NodeJS.Timeout | undefined

  /** @param look asks the server for anything */
  constructor(look: () => Promise<unknown>) {
    this.#look = look
  }

  /** @returns ends it */
  add(topics: readonly Topic[], onChange: () => void): () => void {
    return this.#watchers.add(topics, onChange)
  }

  /** @param changed absent: any may have been */
  call(changed?: readonly string[]): void {
    this.#watchers.call(changed)
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
