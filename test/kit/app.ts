/** The only fixture: a movable clock, the sandbox, the bff and browsers, in one process without sockets. */
import { type Bff, type BffParts, createBff } from '../../src/bff/bff.ts'
import type { BffConfig, LogEntry } from '../../src/bff/core/context.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { seedFor } from '../../src/sandbox/state/seed.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { type Time, waitLast } from './clock.ts'
import { addCookiesOf, addSecrets, addSecretsOf, search, searchAnswer } from './canaries.ts'
import { type FetchUpstream, upstreamOf } from './outgoing.ts'
import { Person } from './person.ts'
import { APP, BUSINESS, CONFIG, SECRET, SERVICE, STANDARD } from './config.ts'

export { APP, BUSINESS, CONFIG, SECRET, SERVICE, STANDARD }

export interface Sent {
  method: string
  path: string
  headers: Headers
  body: string
}

export interface App {
  /** The public URL of the configuration; absent: APP. */
  readonly publicUrl: string | undefined
  readonly bff: Pick<Bff, 'fetch' | 'drain' | 'openStreams'>
  readonly sandbox: Sandbox
  readonly store: Store
  readonly seed: ReturnType<typeof seedFor>
  readonly log: LogEntry[]
  /** Everything that the bff sent to the service, in order. */
  readonly sent: Sent[]
  /** Requests that a person pays for: those under /organizations and /rate_limit. */
  paid(): Sent[]
  tokenRequests(): Sent[]
  now(): number
  advance(ms: number): void
  /** `undefined` removes the interception. */
  intercept(
    instead:
      | ((request: Request, through: Sandbox['fetch'], deadlineMs?: number) => Promise<Response>)
      | undefined,
  ): void
  /** @param address its network address */
  browser(address?: string): Person
  /** Another bff over the same store and the same service, as after a restart or on another machine. */
  another(theirs?: Store): App
}

const START = Date.UTC(2026, 10, 21, 6, 0, 0)

export interface AppOptions extends Partial<BffConfig> {
  startMs?: number
  /** Milliseconds by which the service's clock is ahead of ours. */
  serviceAheadMs?: number
  store?: Store
  files?: BffParts['files']
  documents?: BffParts['documents']
  measure?: BffParts['measure']
  choices?: Parameters<typeof createSandbox>[0]['choices']
  /**
   * Moves the clock and ends the waits. Without it the clock stands still until it is set, and waits take
   * real time.
   */
  time?: Pick<Time, 'passedMs' | 'wait'>
  /** Passes the time of slow answers; without it they move the clock of the sandbox. */
  serviceWait?: (ms: number) => Promise<void>
  /** 0 by default: a press at the same instant as the last one sends another request. */
  sharedForMs?: number
}

const openStore = (): Store => globalThis.openStoresOfFixture?.(1)[0] ?? openSqlite(':memory:')

declare global {
  /** Opens so many connections to one empty store, if the run is not about SQLite (test/postgres). */
  var openStoresOfFixture: ((connections: number) => Store[]) | undefined
}

export function startApp({
  startMs = START,
  serviceAheadMs = 0,
  store = openStore(),
  files,
  documents,
  measure,
  choices,
  time,
  serviceWait,
  sharedForMs = 0,
  ...config
}: AppOptions = {}): App {
  const clock = { ms: startMs }
  const now = () => clock.ms + (time?.passedMs() ?? 0)
  const seed = seedFor({
    publicUrl: config.publicUrl ?? APP,
    clientId: 'plimsoll-test',
    clientSecret: SECRET,
    random: 'a fixture of its own',
  })
  const sandbox = createSandbox({
    seed,
    now: () => now() + serviceAheadMs,
    choices: { enc: config.tokenEncoding === 'json' ? 'json_only' : 'form_only', ...choices },
    ...(serviceWait && { wait: serviceWait }),
  })
  return join(store)

  function join(own: Store): App {
    const sent: Sent[] = []
    const log: LogEntry[] = []
    let instead: Parameters<App['intercept']>[0]
    const through = (request: Request) => sandbox.fetch(request)
    const upstream: FetchUpstream = async (request, deadlineMs) => {
      const { pathname } = new URL(request.url)
      const body = await request.clone().text()
      sent.push({ method: request.method, path: pathname, headers: request.headers, body })
      addSecretsOf(body)
      addSecrets(request.headers.get('Authorization')?.slice('Bearer '.length))
      search('address', request.url)
      const answer = await (instead === undefined ? through(request) : instead(request, through, deadlineMs))
      if (pathname === '/oauth2/token' && answer instanceof Response)
        void answer
          .clone()
          .text()
          .then(addSecretsOf)
          .catch(() => {})
      return answer
    }
    const { fetch, drain, openStreams } = createBff({
      config: {
        ...CONFIG,
        ...config,
      },
      store: own,
      upstream: upstreamOf(upstream),
      now,
      wait: time?.wait ?? waitLast,
      log: (entry) => {
        log.push(entry)
        search('log', JSON.stringify(entry))
      },
      sharedForMs,
      ...(files && { files }),
      ...(documents && { documents }),
      ...(measure && { measure }),
    })
    const bff: Pick<Bff, 'fetch' | 'drain' | 'openStreams'> = {
      drain,
      openStreams,
      async fetch(request, connection) {
        addSecretsOf(
          await request
            .clone()
            .text()
            .catch(() => ''),
        )
        const answer = await fetch(request, connection)
        addCookiesOf(answer)
        await searchAnswer(new URL(request.url).pathname, answer)
        return answer
      },
    }
    const fixture: App = {
      publicUrl: config.publicUrl,
      bff,
      sandbox,
      store: own,
      seed,
      log,
      sent,
      paid: () => sent.filter(({ path }) => !path.startsWith('/oauth2/')),
      tokenRequests: () => sent.filter(({ path }) => path === '/oauth2/token'),
      now,
      advance: (ms) => {
        clock.ms += ms
      },
      intercept: (replacement) => {
        instead = replacement
      },
      browser: (address) => new Person(fixture, address),
      another: (theirs = own) => join(theirs),
    }
    return fixture
  }
}

/** A browser whose sign-in got no answer that proves its credential; neither does any read after it. */
export async function signInUnproven(fixture: App): Promise<Person> {
  const browser = fixture.browser()
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? through(request)
      : Promise.resolve(new Response('boom', { status: 500 })),
  )
  await browser.signIn()
  return browser
}
