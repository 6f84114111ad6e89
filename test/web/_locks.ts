// The locks of a browser (Web Locks 3), for several tabs in one process.

type Work = () => unknown
interface Waiting {
  run: () => void
}

/** As `navigator.locks`. */
export class FakeLocks {
  readonly #locks = new Map<string, FakeLock>()

  request(name: string, options: LockOptions | Work, work?: Work): Promise<unknown> {
    const lock = this.#locks.get(name) ?? new FakeLock()
    this.#locks.set(name, lock)
    return typeof options === 'function' ? lock.request({}, options) : lock.request(options, work as Work)
  }
}

class FakeLock {
  #held: { lose: () => void } | undefined
  #queue: Waiting[] = []

  request({ signal, steal = false }: LockOptions, work: Work): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(new DOMException('aborted', 'AbortError'))
      if (signal?.aborted) return abort()
      const waiting: Waiting = { run: () => this.#hold(work, resolve, reject) }
      signal?.addEventListener('abort', () => {
        if (!this.#queue.includes(waiting)) return
        this.#queue = this.#queue.filter((one) => one !== waiting)
        abort()
      })
      if (steal) {
        this.#held?.lose()
        this.#held = undefined
        this.#queue.unshift(waiting)
      } else this.#queue.push(waiting)
      queueMicrotask(() => this.#next())
    })
  }

  #hold(work: Work, resolve: (value: unknown) => void, reject: (error: unknown) => void): void {
    const held = { lose: () => reject(new DOMException('stolen', 'AbortError')) }
    this.#held = held
    void (async () => work())()
      .then(resolve, reject)
      .finally(() => {
        if (this.#held !== held) return
        this.#held = undefined
        this.#next()
      })
  }

  #next(): void {
    if (this.#held === undefined) this.#queue.shift()?.run()
  }
}
