/** Of all tabs that show the same, the one that a person looked at last reads its stream and tells the others. */
import type { QueryClient } from '@tanstack/react-query'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import { openEvents } from '../lib/api.ts'
import { useUi } from '../lib/ui.ts'
import { pathOf, putQuota, QUOTA_KEY, type QuotaOf, type ReceivedQuota, refetchQuota } from './query.ts'
import { randomShare, SILENT_MS, Stream } from './stream.ts'

/** About a session or a watch link, by its id. */
type Message = { of: string } & (
  | { kind: 'shows' }
  /** I have read it since then. Of two tabs the one that began last goes on. */
  | { kind: 'reads'; since: number; isLive?: boolean | undefined; quota?: Received | undefined }
  /** I read it no more. */
  | { kind: 'leaves' }
  /** The server says that it has ended, or is another one. */
  | { kind: 'over' }
)

/** With its time, since a stopped tab may hold it up. */
type Received = Pick<ReceivedQuota, 'snapshot' | 'atMs'>

const LOOK_MS = 5000
/** The tab that reads answers a new one in this time. */
const ANSWER_MS = 50
/** After a sign-in in another tab, a request before the next cookie arrives would find no session. */
const REPLACED_MS = 300
/** A browser has six connections to a server, and the pages need some. */
const MOST_STREAMS = 3

/** Web Locks could choose who reads, but over http a browser has none. */
class Tab {
  readonly #client: QueryClient
  readonly #of: QuotaOf
  readonly #name: string
  readonly #channel = new BroadcastChannel('plimsoll.live')
  readonly #looks = setInterval(() => this.#look(), LOOK_MS)
  /** By the name of what they read, this tab too. */
  readonly #readers = new Map<string, { since: number; heardMs: number }>()
  /** Set only in the tab that reads. */
  stream: Stream | undefined
  #since = 0
  #hasLeft = false

  constructor(client: QueryClient, of: QuotaOf) {
    this.#client = client
    this.#of = of
    this.#name = 'link' in of ? of.link : of.session
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data))
    this.#send({ kind: 'shows', of: this.#name })
    soon(() => this.#isRead() || this.take())
  }

  /** A person looks at this tab, which no system stops: it reads from here on. */
  take(): void {
    this.stream?.dropSilent()
    this.stream?.hurry()
    if (this.stream || this.#hasLeft) return
    const of = this.#of
    const over = (): void => this.#send({ kind: 'over', of: this.#name })
    this.#since = Date.now() + randomShare()
    this.stream = new Stream({
      open: (signal) => openEvents(pathOf(of, 'events'), signal, 'session' in of ? of.session : undefined),
      onLive: (isLive) => this.#tell(isLive),
      onEvent: (name, data) => {
        if (name === 'session') over()
        if (name === 'quota')
          this.#tell(true, { snapshot: JSON.parse(data) as QuotaSnapshot, atMs: Date.now() })
      },
      onRefused: over,
    })
    this.#tell()
  }

  leave(): void {
    this.#hasLeft = true
    clearInterval(this.#looks)
    if (this.stream) this.#send({ kind: 'leaves', of: this.#name })
    this.#stop()
    this.#channel.close()
  }

  #stop(): void {
    this.stream?.stop()
    this.stream = undefined
  }

  #tell(isLive?: boolean, quota?: Received): void {
    this.#send({ kind: 'reads', of: this.#name, since: this.#since, isLive, quota })
  }

  /** This tab hears itself too. */
  #send(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
    this.#channel.postMessage(message)
    this.#hear(message)
  }

  #hear(message: Message): void {
    if (message.kind === 'reads') return this.#hearReader(message)
    if (message.kind === 'leaves') {
      this.#readers.delete(message.of)
      soon(() => this.#takeIfFree())
    }
    if (message.of !== this.#name) return
    if (message.kind === 'over') setTimeout(() => void refetchQuota(this.#client), REPLACED_MS)
    if (message.kind === 'shows' && this.stream) {
      this.stream.hurry()
      this.#tell(this.stream.isLive, this.#client.getQueryData<ReceivedQuota>(QUOTA_KEY))
    }
  }

  #hearReader({ of, since, isLive, quota }: Message & { kind: 'reads' }): void {
    this.#readers.set(of, { since, heardMs: Date.now() })
    if (of !== this.#name) return this.#makeRoom()
    if (since > this.#since) this.#stop()
    if (isLive !== undefined) setLive(isLive)
    if (quota) putQuota(this.#client, quota.snapshot, quota.atMs)
  }

  #makeRoom(): void {
    if (this.stream === undefined || this.#othersSince(this.#since) < MOST_STREAMS) return
    this.#tell(false)
    this.#send({ kind: 'leaves', of: this.#name })
    this.#stop()
  }

  #look(): void {
    this.stream?.dropSilent()
    if (this.stream || this.#isRead()) return
    setLive(false)
    this.#takeIfFree()
  }

  #takeIfFree(): void {
    if (!this.#isRead() && this.#othersSince(0) < MOST_STREAMS) this.take()
  }

  #isRead(): boolean {
    return isHeard(this.#readers.get(this.#name)?.heardMs)
  }

  /** The other things that tabs have begun to read since then. */
  #othersSince(ms: number): number {
    return [...this.#readers].filter(
      ([name, { since, heardMs }]) => name !== this.#name && since > ms && isHeard(heardMs),
    ).length
  }
}

/** By chance not all tabs at once, so that the first one begins to read. */
const soon = (work: () => void): void => void setTimeout(work, ANSWER_MS * (1 + randomShare()))

/** By the wall clock: a stopped tab that wakes up has heard nobody. */
const isHeard = (heardMs = 0): boolean => Date.now() - heardMs < SILENT_MS

const setLive = (isLive: boolean): void =>
  useUi.setState(({ live, notLiveSinceMs }) => ({
    live: isLive ? 'live' : 'not_live',
    notLiveSinceMs: live === 'not_live' ? notLiveSinceMs : Date.now(),
  }))

/** Joins the tabs of this browser. @returns leaves them */
export function joinLive(client: QueryClient, of: QuotaOf): () => void {
  let tab = new Tab(client, of)
  const leaving = new AbortController()
  const { signal } = leaving
  document.addEventListener('visibilitychange', () => !document.hidden && tab.take(), { signal })
  addEventListener('online', () => tab.stream?.hurry(), { signal })
  addEventListener('offline', () => tab.stream?.drop(), { signal })
  // A page in the browser's memory must not hold the connection.
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
