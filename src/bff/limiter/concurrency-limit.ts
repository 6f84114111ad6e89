/** Limits how much work of one sort runs at once. A bounded part waits; more is refused. */

interface Room {
  running: number
  waiting: number
}

interface Waiting {
  name: string
  start: () => void
}

/** The work was not started, because too much is running or waiting. */
class BusyError extends Error {
  override readonly name = 'BusyError'
  readonly code = 'UPSTREAM_BUSY'
  readonly isUnsent = true
  readonly retryInMs = 2000
}

export class ConcurrencyLimit {
  readonly #all: Room
  readonly #each: Room
  readonly #running = new Map<string, number>()
  #count = 0
  #waiting: Waiting[] = []

  /** @param each what one name may have of it: usually half, so that one that hangs leaves room for others */
  constructor(all: Room, each: Room = { running: all.running / 2, waiting: all.waiting / 2 }) {
    this.#all = all
    this.#each = each
  }

  /** @param signal ends the wait @throws Error with code `UPSTREAM_BUSY` if `work` was not started */
  async run<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(name, signal)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** @returns the function that ends the work @throws as {@link run} */
  async enter(name: string, signal?: AbortSignal): Promise<() => void> {
    if (this.#hasRoom(name)) this.#take(name)
    else await this.#wait(name, signal)
    return () => this.#leave(name)
  }

  #hasRoom(name: string): boolean {
    return this.#count < this.#all.running && (this.#running.get(name) ?? 0) < this.#each.running
  }

  #take(name: string): void {
    this.#count += 1
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1)
  }

  /** In order of arrival. `#leave` takes the room before it starts the next. */
  #wait(name: string, signal: AbortSignal | undefined): Promise<void> {
    const ofName = this.#waiting.filter((other) => other.name === name).length
    if (this.#waiting.length >= this.#all.waiting || ofName >= this.#each.waiting)
      throw new BusyError('too many requests are waiting')
    return new Promise((resolve, reject) => {
      const entry = { name, start: resolve }
      signal?.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry)
        reject(new BusyError('no room for the request in time'))
      })
      this.#waiting.push(entry)
    })
  }

  #leave(name: string): void {
    this.#count -= 1
    const left = (this.#running.get(name) ?? 1) - 1
    if (left === 0) this.#running.delete(name)
    else this.#running.set(name, left)
    const next = this.#waiting.findIndex((other) => this.#hasRoom(other.name))
    const [entry] = next === -1 ? [] : this.#waiting.splice(next, 1)
    if (entry === undefined) return
    this.#take(entry.name)
    entry.start()
  }
}
