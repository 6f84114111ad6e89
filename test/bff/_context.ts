/** A handler's context for tests below createBff: a store in memory, a clock to set, a chosen upstream. */
import { type Context, createMemory, type LogEntry } from '../../src/bff/core/context.ts'
import { EventStreams } from '../../src/bff/events/streams.ts'
import { Limiter } from '../../src/bff/limiter/limiter.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { CONFIG, COOKIES } from '../kit/config.ts'
import { type FetchUpstream, upstreamOf } from '../kit/outgoing.ts'
import { waitLast } from '../kit/clock.ts'

export const newMemory = () => createMemory(new EventStreams())

export const START_MS = Date.UTC(2026, 10, 21, 6, 0, 0)

export function createContext(
  upstream: FetchUpstream = () => Promise.reject(new Error('no request is expected')),
) {
  const clock = { ms: START_MS }
  const log: LogEntry[] = []
  const store = openSqlite(':memory:')
  const now = () => clock.ms
  const context: Context = {
    config: CONFIG,
    cookies: COOKIES,
    store,
    upstream: upstreamOf(upstream),
    now,
    wait: waitLast,
    log: (entry) => log.push(entry),
    measure: () => {},
    sharedForMs: 0,
    memory: newMemory(),
    limiter: new Limiter(store, now),
    headers: new Headers(),
    requestId: 'request-id-1',
    address: '192.0.2.1',
  }
  return { context, clock, log }
}

/** The code and wait of the Problem that a promise rejects with. */
export const problemOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no problem',
    ({ code, retryInMs }: { code: string; retryInMs?: number }) => ({ code, retryInMs }),
  )
