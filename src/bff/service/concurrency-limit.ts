/** Limits how many requests to the service run at once. A bounded number waits; more are refused. */

export interface ConcurrencyOptions {
  /** One address may have half of the running ones, so that an endpoint that hangs leaves room for others. */
  running: number
  /** One address may have half of them. */
  waiting: number
}

interface Waiting {
  address: string
  start: () => void
}

/** The request was not sent, because too many are running or waiting. */
class BusyError extends Error {
  override readonly name = 'BusyError'
  readonly code = 'UPSTREAM_BUSY'
  readonly retryInMs = 2000
}

export class ConcurrencyLimit {
  readonly #options: ConcurrencyOptions
  readonly #running = new Map<string, number>()
  #all = 0
  #waiting: Waiting[] = []

  constructor(options: ConcurrencyOptions) {
    this.#options = options
  }

  /** @param signal ends the wait @throws Error with code `UPSTREAM_BUSY` if `work` was not started */
  async run<T>(address: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#hasRoom(address)) this.#take(address)
    else await this.#wait(address, signal)
    try {
      return await work()
    } finally {
      this.#leave(address)
    }
  }

  #hasRoom(address: string): boolean {
    const { running } = this.#options
    return this.#all < running && (this.#running.get(address) ?? 0) < running / 2
  }

  #take(address: string): void {
    this.#all += 1
    this.#running.set(address, (this.#running.get(address) ?? 0) + 1)
  }

  /** In order of arrival. The request that starts this one has taken the room for it. */
  #wait(address: string, signal: AbortSignal): Promise<void> {
    const { waiting } = this.#options
    const ofAddress = this.#waiting.filter((other) => other.address === address).length
    if (this.#waiting.length >= waiting || ofAddress >= waiting / 2)
      throw new BusyError('too many requests are waiting')
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry)
        reject(new BusyError('no room for the request in time'))
      }
      const entry = { address, start: resolve }
      signal.addEventListener('abort', giveUp)
      this.#waiting.push(entry)
    })
  }

  #leave(address: string): void {
    this.#all -= 1
    const left = (this.#running.get(address) ?? 1) - 1
    if (left === 0) this.#running.delete(address)
    else this.#running.set(address, left)
    const next = this.#waiting.findIndex((other) => this.#hasRoom(other.address))
    const [entry] = next === -1 ? [] : this.#waiting.splice(next, 1)
    if (entry === undefined) return
    this.#take(entry.address)
    entry.start()
  }
}
