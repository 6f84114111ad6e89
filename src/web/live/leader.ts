/** One stream for all tabs of a browser: the tab that holds a lock reads it and passes the events on. */
import type { LiveState } from '../lib/ui.ts'
import { type LivePage, LiveStream } from './stream.ts'

type LiveMessage =
  | { kind: 'check' }
  | { kind: 'state'; state: LiveState; retryInMs: number; sentMs: number }
  | { kind: 'event'; name: string; data: string; sentMs: number }

/** The tab with the lock answers at once, unless the system has stopped it: then another takes the lock. */
const ANSWER_MS = 5000
/** A stopped tab may hold up an event. The page does not show one this old: its delays have run on. */
const OLD_MS = 2000

/** The actions that keep a tab live, whichever tab reads the stream. */
export type LiveConnection = Pick<LiveStream, 'check' | 'drop' | 'stop'>

/**
 * @param session the id of the session: tabs of another session have another stream
 * @param onOld runs in place of `page.onEvent` for delayed events, and for those before a tab joined
 */
export function joinLive(session: string, page: LivePage, onOld: () => void): LiveConnection {
  const { locks } = navigator as { locks?: LockManager | null }
  return locks && typeof BroadcastChannel !== 'undefined'
    ? new SharedLive(`plimsoll.live.${session}`, page, onOld, locks)
    : new LiveStream(page)
}

class SharedLive implements LiveConnection {
  readonly #name: string
  readonly #page: LivePage
  readonly #onOld: () => void
  readonly #locks: LockManager
  readonly #channel: BroadcastChannel
  readonly #leaving = new AbortController()
  /** Set only in the tab with the lock. */
  #stream: LiveStream | undefined
  #state: LiveMessage | undefined
  #hasJoined = false
  #unanswered: ReturnType<typeof setTimeout> | undefined

  constructor(name: string, page: LivePage, onOld: () => void, locks: LockManager) {
    this.#name = name
    this.#page = page
    this.#onOld = onOld
    this.#locks = locks
    this.#channel = new BroadcastChannel(name)
    this.#channel.addEventListener('message', ({ data }: MessageEvent<LiveMessage>) => this.#receive(data))
    void this.#request({ signal: this.#leaving.signal })
    this.check()
  }

  check(): void {
    if (this.#leaving.signal.aborted) return
    if (this.#stream !== undefined) return this.#stream.check()
    this.#post({ kind: 'check' })
    clearTimeout(this.#unanswered)
    this.#unanswered = setTimeout(() => void this.#request({ steal: true }), ANSWER_MS)
  }

  drop(): void {
    this.#stream?.drop()
  }

  stop(): void {
    clearTimeout(this.#unanswered)
    this.#stream?.stop()
    this.#leaving.abort()
    this.#channel.close()
  }

  /** A tab that loses the lock waits for it again. If the browser gives no locks, it reads for itself. */
  async #request(options: LockOptions): Promise<void> {
    try {
      await this.#locks.request(this.#name, options, () => this.#lead())
    } catch {
      const wasLeading = this.#stream !== undefined
      this.#stream?.stop()
      this.#stream = undefined
      if (options.steal || this.#leaving.signal.aborted) return
      await (wasLeading ? this.#request(options) : this.#lead())
    }
  }

  /** Reads the stream until this tab leaves or loses the lock. */
  #lead(): Promise<void> {
    clearTimeout(this.#unanswered)
    const { signal } = this.#leaving
    if (signal.aborted) return Promise.resolve()
    this.#stream = new LiveStream({
      confirm: this.#page.confirm,
      onEvent: (event) => {
        this.#post({ kind: 'event', ...event, sentMs: Date.now() })
        this.#page.onEvent(event)
      },
      onState: (state, retryInMs) => {
        this.#state = { kind: 'state', state, retryInMs, sentMs: Date.now() }
        this.#post(this.#state)
        this.#page.onState(state, retryInMs)
      },
    })
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  }

  #receive(message: LiveMessage): void {
    if (message.kind === 'check') {
      this.#stream?.check()
      if (this.#stream !== undefined && this.#state !== undefined) this.#post(this.#state)
      return
    }
    clearTimeout(this.#unanswered)
    const ageMs = Date.now() - message.sentMs
    if (message.kind === 'state') {
      this.#page.onState(message.state, message.retryInMs - ageMs)
      // Events between the page's first snapshot and this message are lost.
      if (!this.#hasJoined) this.#onOld()
      this.#hasJoined = true
    } else if (ageMs > OLD_MS) this.#onOld()
    else this.#page.onEvent(message)
  }

  #post(message: LiveMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
    this.#channel.postMessage(message)
  }
}
