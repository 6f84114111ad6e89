/** One stream for all tabs of a browser: the tab that holds a lock reads it, and passes on what comes. */
import { keepStream, type LivePage, type LiveState, type LiveStream } from './live-stream.ts'

type Message =
  | { kind: 'check' }
  | { kind: 'state'; state: LiveState; retryInMs: number; sentMs: number }
  | { kind: 'event'; name: string; data: string; sentMs: number }

/** The tab with the lock answers at once, unless the system has stopped it: then another one takes the lock. */
const ANSWER_MS = 5000
/** What was held up for longer in a stopped tab is not shown: its delays have run on meanwhile. */
const OLD_MS = 2000

/** @param onOld runs in place of `page.onEvent` for an event that was held up */
export function joinLive(session: string, page: LivePage, onOld: () => void): LiveStream {
  const { locks } = navigator as { locks?: LockManager }
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return keepStream(page)
  const name = `plimsoll.live.${session}`
  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  let stream: LiveStream | undefined
  let state: Message | undefined
  let unanswered: ReturnType<typeof setTimeout> | undefined
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and no such argument
  const post = (message: Message): void => channel.postMessage(message)

  /** Reads the stream for as long as this tab has the lock. */
  const lead = (): Promise<void> => {
    clearTimeout(unanswered)
    if (leaving.signal.aborted) return Promise.resolve()
    stream = keepStream({
      confirm: page.confirm,
      onEvent: (event) => {
        post({ kind: 'event', ...event, sentMs: Date.now() })
        page.onEvent(event)
      },
      onState: (name, retryInMs) => {
        state = { kind: 'state', state: name, retryInMs, sentMs: Date.now() }
        post(state)
        page.onState(name, retryInMs)
      },
    })
    return new Promise((resolve) => leaving.signal.addEventListener('abort', () => resolve()))
  }

  /** A tab that another one took the lock from waits for it again. */
  const request = async (options: LockOptions): Promise<void> => {
    try {
      await locks.request(name, options, lead)
    } catch {
      stream?.stop()
      stream = undefined
      if (!options.steal && !leaving.signal.aborted) await request(options)
    }
  }

  const check = (): void => {
    stream?.check()
    if (stream !== undefined || leaving.signal.aborted) return
    post({ kind: 'check' })
    clearTimeout(unanswered)
    unanswered = setTimeout(() => void request({ steal: true }), ANSWER_MS)
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'check') {
      if (stream === undefined) return
      stream.check()
      if (state !== undefined) post(state)
      return
    }
    clearTimeout(unanswered)
    if (data.kind === 'state') page.onState(data.state, data.retryInMs - (Date.now() - data.sentMs))
    else if (Date.now() - data.sentMs > OLD_MS) onOld()
    else page.onEvent(data)
  })
  void request({ signal: leaving.signal })
  check()
  return {
    check,
    drop: () => stream?.drop(),
    stop: () => {
      clearTimeout(unanswered)
      stream?.stop()
      leaving.abort()
      channel.close()
    },
  }
}
