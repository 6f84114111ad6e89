/** One tab reads the streams of the newest things that this browser's tabs show, and passes everything on. */
import type { QueryClient } from '@tanstack/react-query'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import { openEvents } from '../lib/api.ts'
import { useUi } from '../lib/ui.ts'
import { pathOf, putQuota, type QuotaOf, refetchQuota } from './query.ts'
import { randomShare, SILENT_MS, Stream } from './stream.ts'

type TabMessage =
  /** A tab shows this: the reader follows it too, or says again if it is live. */
  | { kind: 'shows'; of: QuotaOf }
  | { kind: 'leaves'; of: QuotaOf; wasReading: boolean }
  /** I read from here on. The highest number wins, which matters where a browser gives no locks. */
  | { kind: 'taken'; by: number }
  | { kind: 'live'; of: QuotaOf; isLive: boolean }
  /** @param atMs Date.now() at receipt: a stopped tab may hold it up */
  | { kind: 'quota'; of: QuotaOf; snapshot: QuotaSnapshot; atMs: number }
  /** The server says that the session or the link has ended, or is another one. */
  | { kind: 'over'; of: QuotaOf }

/** Lock and channel. Over http in a local network a browser gives no locks. */
const NAME = 'plimsoll.live'
const LOOK_MS = 5000
/** After a sign-in in another tab, a request before the next cookie arrives would find no session. */
const REPLACED_MS = 300
/** A browser has six connections to a server, and the pages need some. */
const MOST_STREAMS = 3

const nameOf = (of: QuotaOf): string => ('link' in of ? of.link : of.session)

/** Follows the newest things that tabs show. */
class Reader {
  readonly by = Date.now() + randomShare()
  /** What the reading tab itself shows. */
  readonly #own: QuotaOf
  readonly #tell: (message: TabMessage) => void
  readonly #streams = new Map<string, { of: QuotaOf; stream: Stream }>()
  readonly #newest = new Map<string, TabMessage>()

  constructor(own: QuotaOf, tell: (message: TabMessage) => void) {
    this.#own = own
    this.#tell = tell
    this.follow(own)
  }

  follow(of: QuotaOf): void {
    const known = this.#streams.get(nameOf(of))
    this.#streams.delete(nameOf(of))
    this.#streams.set(nameOf(of), known ?? { of, stream: this.#open(of) })
    if (known?.stream.isLive !== undefined) this.#tell({ kind: 'live', of, isLive: known.stream.isLive })
    // It may have come after a new tab asked, and before that tab listened.
    const newest = known && this.#newest.get(nameOf(of))
    if (newest) this.#tell(newest)
    known?.stream.hurry()
    if (this.#streams.size > MOST_STREAMS) this.#leaveOldest()
  }

  #leaveOldest(): void {
    const oldest = [...this.#streams.values()].find(({ of }) => nameOf(of) !== nameOf(this.#own))
    if (oldest === undefined) return
    this.leave(oldest.of)
    this.#tell({ kind: 'live', of: oldest.of, isLive: false })
  }

  /** Another tab that shows the same says so at once. */
  leave(of: QuotaOf): void {
    if (nameOf(of) === nameOf(this.#own)) return
    this.#streams.get(nameOf(of))?.stream.stop()
    this.#streams.delete(nameOf(of))
  }

  each(work: (stream: Stream) => void): void {
    for (const { stream } of this.#streams.values()) work(stream)
  }

  #open(of: QuotaOf): Stream {
    const over = (): void => this.#tell({ kind: 'over', of })
    return new Stream({
      open: (signal) => openEvents(pathOf(of, 'events'), signal, 'session' in of ? of.session : undefined),
      onLive: (isLive) => this.#tell({ kind: 'live', of, isLive }),
      onEvent: (name, data) => {
        if (name === 'session') over()
        if (name !== 'quota') return
        const snapshot = JSON.parse(data) as QuotaSnapshot
        const message = { kind: 'quota', of, snapshot, atMs: Date.now() } as const
        this.#newest.set(nameOf(of), message)
        this.#tell(message)
      },
      onRefused: over,
    })
  }
}

/** One tab, which hears what another one reads, or reads itself. */
class Tab {
  readonly #client: QueryClient
  readonly #of: QuotaOf
  readonly #channel = new BroadcastChannel(NAME)
  readonly #leaving = new AbortController()
  readonly #looks = setInterval(() => this.#look(), LOOK_MS)
  #hasLocks = true
  /** Set only in the tab that reads. */
  #reader: Reader | undefined
  /** Date.now() when the reading tab was last heard. */
  #heardMs = Date.now()

  constructor(client: QueryClient, of: QuotaOf) {
    this.#client = client
    this.#of = of
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => this.#hear(data))
    void this.#hold({ signal: this.#leaving.signal })
    this.#post({ kind: 'shows', of })
  }

  /** A person looks at this tab, which no system stops: it reads from here on. */
  take(): void {
    if (this.#reader === undefined) void this.#hold({ steal: true })
    this.#reader?.each((stream) => stream.dropSilent())
    this.hurry()
  }

  hurry(): void {
    this.#reader?.each((stream) => stream.hurry())
  }

  drop(): void {
    this.#reader?.each((stream) => stream.drop())
  }

  leave(): void {
    clearInterval(this.#looks)
    this.#post({ kind: 'leaves', of: this.#of, wasReading: this.#reader !== undefined })
    this.#stopReading(this.#reader)
    this.#leaving.abort()
    this.#channel.close()
  }

  /** A tab that loses the lock waits for it again. */
  async #hold(options: LockOptions): Promise<void> {
    let mine: Reader | undefined
    try {
      await navigator.locks.request(NAME, options, () => {
        mine = this.#read()
        return new Promise<void>((left) => this.#leaving.signal.addEventListener('abort', () => left()))
      })
    } catch {
      this.#stopReading(mine)
      if (this.#leaving.signal.aborted) return
      // Another tab has taken the lock. A tab that once took it itself still waits in the queue for it.
      if (mine) return options.steal ? undefined : await this.#hold(options)
      // The browser has no locks, or refuses them.
      this.#hasLocks = false
      this.#read()
    }
  }

  #read(): Reader {
    this.#stopReading(this.#reader)
    const tell = (message: TabMessage): void => {
      this.#post(message)
      this.#hear(message)
    }
    this.#reader = new Reader(this.#of, tell)
    this.#post({ kind: 'taken', by: this.#reader.by })
    return this.#reader
  }

  #stopReading(reader: Reader | undefined): void {
    reader?.each((stream) => stream.stop())
    if (this.#reader === reader) this.#reader = undefined
  }

  #hear(message: TabMessage): void {
    if (message.kind === 'shows') return this.#reader?.follow(message.of)
    if (message.kind === 'leaves') return this.#hearLeaving(message)
    this.#heardMs = Date.now()
    if (message.kind === 'taken') return this.#hearTaken(message.by)
    if (nameOf(message.of) !== nameOf(this.#of)) return
    if (message.kind === 'live') setLive(message.isLive)
    if (message.kind === 'quota') putQuota(this.#client, message.snapshot, message.atMs)
    if (message.kind === 'over') setTimeout(() => void refetchQuota(this.#client), REPLACED_MS)
  }

  #hearTaken(by: number): void {
    if (this.#reader !== undefined && this.#reader.by > by) return
    this.#stopReading(this.#reader)
    this.#post({ kind: 'shows', of: this.#of })
  }

  #hearLeaving({ of, wasReading }: TabMessage & { kind: 'leaves' }): void {
    this.#reader?.leave(of)
    // The stream may be this tab's too, or leave room for it.
    this.#post({ kind: 'shows', of: this.#of })
    // With locks the next tab in the queue has it.
    if (wasReading && !this.#hasLocks) this.#read()
  }

  /** By the wall clock: a stopped tab that wakes up is silent at once. */
  #look(): void {
    this.#reader?.each((stream) => stream.dropSilent())
    if (this.#reader !== undefined || Date.now() - this.#heardMs < SILENT_MS) return
    setLive(false)
    this.take()
  }

  #post(message: TabMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
    if (!this.#leaving.signal.aborted) this.#channel.postMessage(message)
  }
}

const setLive = (isLive: boolean): void =>
  useUi.setState(({ live, notLiveSinceMs }) => ({
    live: isLive ? 'live' : 'not_live',
    notLiveSinceMs: isLive || live === 'connecting' ? Date.now() : notLiveSinceMs,
  }))

/** Joins the tabs of this browser. @returns leaves them */
export function joinLive(client: QueryClient, of: QuotaOf): () => void {
  let tab = new Tab(client, of)
  const leaving = new AbortController()
  const { signal } = leaving
  document.addEventListener('visibilitychange', () => !document.hidden && tab.take(), { signal })
  addEventListener('online', () => tab.hurry(), { signal })
  addEventListener('offline', () => tab.drop(), { signal })
  // A page in the browser's memory must hold neither the lock nor the connection.
  addEventListener('pagehide', () => tab.leave(), { signal })
  const onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) tab = new Tab(client, of)
  }
  addEventListener('pageshow', onShow, { signal })
  return () => {
    leaving.abort()
    tab.leave()
    useUi.setState({ live: 'connecting' })
  }
}
