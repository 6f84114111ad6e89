/** The surroundings of a journey: virtual clock, sandbox, bff, and a recorder between the two. */
import { type FetchUpstream, upstreamOf } from '../../test/kit/outgoing.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createBff } from '../../src/bff/bff.ts'
import { cookieNames } from '../../src/bff/http/cookie.ts'
import { isErrorBody } from '../../src/contract/error-body.ts'
import { Problem } from '../../src/contract/problem.ts'
import type { RequestLogEntry } from '../../src/sandbox/state/request-log.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { seedFor } from '../../src/sandbox/state/seed.ts'
import type { SandboxState } from '../../src/sandbox/state/state.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import {
  type Action,
  type Call,
  newRecording,
  noteSecrets,
  type Recording,
  readParameters,
} from './recording.ts'
import { waitIterations } from './iterations.ts'

export const APP = 'http://localhost:3000'
export const SERVICE = 'http://127.0.0.1:4000'
export const CLIENT_ID = 'plimsoll-proof'
export const CLIENT_SECRET = 'canary-client-secret-8d1f'
/** The API key of the Standard organization. */
export const API_KEY = 'canary-api-key-77c2e9'
export const COOKIES = cookieNames(APP)
const SESSION_COOKIE = new RegExp(`${COOKIES.session}=([^;]+)`)

/** A little more than two days before the end of a month in every time zone. */
const START_MS = Date.UTC(2026, 10, 28, 9, 0, 0)
/** The wait of the real connection to the service, and that of a user at an empty page. */
const BFF_PATIENCE_MS = 15_000
const USER_PATIENCE_MS = 60_000

export type Fetch = (request: Request) => Promise<Response>

export interface Context {
  readonly recording: Recording
  readonly store: Store
  now(): number
  advance(ms: number): void
  /** Sends a request to the bff, and records its answer. */
  ask(about: Pick<Action, 'kind' | 'organization' | 'state'>, request: Request): Promise<Response>
  /**
   * Sends a request of a browser, or of another client, to the service; `undefined` if no answer came in
   * time.
   */
  browse(request: Request): Promise<Response | undefined>
  /** The service's whole state, and its request log so far. */
  look(): { state: SandboxState; lines: readonly RequestLogEntry[] }
  /** True if anyone has used the month up. */
  isMonthOver(): boolean
  /** Makes the next request of an operation fail. */
  fault(fault: { operation: string; kind: string }): void
  /** Changes the state of the service, as its operators could. */
  edit(change: (state: SandboxState) => void): void
  /** Runs the work while the app waits for a press's read, before or after the service has counted it. */
  duringNext(when: 'not counted yet' | 'counted', work: () => Promise<void>): void
  /** Runs the work while no session can be written. */
  withoutWrites(work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** A broken client can reach these besides the part that it replaces. */
export interface Surroundings {
  now: () => number
  recording: Recording
  every: (ms: number, work: () => Promise<void>) => void
  /** Reaches the service without the recorder. */
  unrecorded: Fetch
}

/** Breaks a client on purpose, to check that the proof notices. */
export interface Breakage {
  upstream?: (send: FetchUpstream, surroundings: Surroundings) => FetchUpstream
  store?: (store: Store, surroundings: Surroundings) => Store
  answers?: (fetch: Fetch, surroundings: Surroundings) => Fetch
}

interface Patience {
  endsAtMs: number
  giveUp: () => void
}

// One for all contexts: each instance makes every promise of the process slower.
const patience = new AsyncLocalStorage<Patience>()
const actions = new AsyncLocalStorage<Action | undefined>()

export function openContext(choices: Choices, breakage: Breakage = {}): Context {
  const recording = newRecording(choices)
  const clock = { ms: START_MS }
  const now = () => clock.ms
  const seed = seedFor({
    publicUrl: APP,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    apiKey: API_KEY,
    random: 'the proof',
  })
  for (const secret of [CLIENT_SECRET, ...seed.api_keys.map(({ value }) => value)])
    recording.secrets.add(secret)

  /** Time passes only while a request waits. A person who waits too long leaves, and the request goes on. */
  const wait = async (ms: number): Promise<void> => {
    const asker = patience.getStore()
    const until = clock.ms + ms
    if (asker === undefined || until < asker.endsAtMs) {
      clock.ms = until
      return
    }
    clock.ms = Math.max(clock.ms, asker.endsAtMs)
    asker.giveUp()
    // A request that is never answered must have no effect either.
    if (ms > 600_000) await new Promise(() => {})
  }
  const build = (state?: SandboxState) =>
    createSandbox({ seed, now, choices: state?.choices ?? choices, wait, ...(state && { state }) })
  let sandbox = build()
  const lines: RequestLogEntry[] = []
  const look = () => {
    const state = sandbox.snapshot()
    // The next call then has less to copy.
    lines.push(...state.request_log)
    sandbox.control.clearRequestLog()
    state.request_log = []
    return { state, lines }
  }

  const patiently = (request: Request, forMs: number): Promise<Response | undefined> =>
    new Promise((resolve, reject) => {
      const asker = { endsAtMs: clock.ms + forMs, giveUp: () => resolve(undefined) }
      patience.run(asker, () => sandbox.fetch(request)).then(resolve, reject)
    })

  const underWay = new Set<Call>()
  let during: { when: string; work: () => Promise<void> } | undefined
  const workDuring = async (when: string, { method, action }: Call) => {
    if (during?.when !== when || method !== 'GET' || action?.kind !== 'press') return
    const { work } = during
    during = undefined
    await work()
  }
  const upstream: FetchUpstream = async (request, deadlineMs = BFF_PATIENCE_MS) => {
    const body = request.body === null ? undefined : await request.text()
    const call = describeCall(request, body ?? '', {
      number: recording.calls.length + 1,
      action: actions.getStore(),
      sentAtMs: clock.ms,
      alongside: [...underWay],
    })
    const code = call.parameters.get('code')
    if (code !== undefined) recording.secrets.add(code)
    recording.calls.push(call)
    underWay.add(call)
    const { url, method, headers: sent } = request
    const copy = new Request(url, { method, headers: sent, ...(body !== undefined && { body }) })
    await workDuring('not counted yet', call)
    // As in undici: `code` states why there is no answer.
    const response = await patiently(copy, deadlineMs).catch(() => 'UND_ERR_SOCKET')
    await workDuring('counted', call)
    underWay.delete(call)
    call.answeredAtMs = clock.ms
    if (response === undefined || typeof response === 'string') {
      const cause = response ?? 'UND_ERR_HEADERS_TIMEOUT'
      throw Object.assign(new Error('there is no answer'), { code: cause })
    }
    const { status, headers } = response
    const text = await response.text()
    call.answer = { status, headers, text }
    noteSecrets(recording, text)
    if (status >= 400 || isErrorBody(text)) {
      if (isMonthOver(look().state, clock.ms)) call.over = 'month'
      else if (status === 429) call.over = 'minute'
    }
    return new Response(text === '' ? null : text, { status, headers })
  }

  /** Set for broken clients only. */
  const timers: { ms: number; work: () => Promise<void>; dueAtMs: number }[] = []
  const surroundings: Surroundings = {
    now,
    recording,
    every: (ms, work) => void timers.push({ ms, work, dueAtMs: now() + ms }),
    unrecorded: (request) => sandbox.fetch(request),
  }
  const store = openSqlite(':memory:')
  let canWrite = true
  const fragile: Store = {
    ...store,
    writeSession: async (...session) => {
      if (!canWrite) throw new Problem('store_unavailable')
      return store.writeSession(...session)
    },
  }
  const bff = createBff({
    config: {
      serviceUrl: SERVICE,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      publicUrl: APP,
      tokenEncoding: choices.enc === 'json_only' ? 'json' : 'form',
      apiKeyHeader: 'X-Service-Api-Key',
      pkce: ['enforced', 'required'].includes(choices.pkce) ? 'S256' : 'off',
      reservePerson: 10,
      reserveSignIn: 2,
      sessionDays: 90,
      sessionIdleDays: 30,
    },
    store: breakage.store?.(fragile, surroundings) ?? fragile,
    upstream: upstreamOf(breakage.upstream?.(upstream, surroundings) ?? upstream),
    now,
    // The bff's own work takes no virtual time.
    wait: waitIterations,
    log: (entry) => recording.log.push(entry),
    // A press at the same instant as the last one must be sent too.
    sharedForMs: 0,
    files: new Map([['/index.html', { body: new TextEncoder().encode(PAGE), contentType: 'text/html' }]]),
  })
  const fetch = breakage.answers?.(bff.fetch, surroundings) ?? bff.fetch

  let actionsSoFar = 0
  return {
    recording,
    store,
    now,
    advance: (ms) => {
      clock.ms += ms
      for (const timer of timers.filter(({ dueAtMs }) => dueAtMs <= clock.ms)) {
        timer.dueAtMs = clock.ms + timer.ms
        void timer.work()
      }
    },
    ask: async (about, request) => {
      actionsSoFar += 1
      const session = SESSION_COOKIE.exec(request.headers.get('Cookie') ?? '')?.[1]
      const what = `${request.method} ${new URL(request.url).pathname}`
      const action: Action = { number: actionsSoFar, ...about, what, ...(session && { session }) }
      const { status, headers, body } = await actions.run(action, () => fetch(request))
      const text = body === null ? '' : await new Response(body).text()
      recording.replies.push({
        action,
        atMs: clock.ms,
        status,
        contentType: headers.get('Content-Type') ?? '',
        headers: [...headers].flat().join('\n'),
        text,
      })
      const isEnd = what === 'DELETE /bff/session' || text.includes('"access_withdrawn"')
      if (session !== undefined && isEnd && !recording.ended.has(session))
        recording.ended.set(session, action.number)
      return new Response(body && text, { status, headers })
    },
    browse: (request) => actions.run(undefined, () => patiently(request, USER_PATIENCE_MS)),
    look,
    isMonthOver: () => isMonthOver(look().state, clock.ms),
    fault: (fault) => sandbox.control.addFault(fault),
    edit: (change) => {
      const { state } = look()
      change(state)
      sandbox = build(state)
    },
    duringNext: (when, work) => {
      during = { when, work }
    },
    withoutWrites: async (work) => {
      canWrite = false
      await work()
      canWrite = true
    },
    close: () => store.close(),
  }
}

function describeCall(
  { url, method, headers }: Request,
  body: string,
  rest: Pick<Call, 'number' | 'action' | 'sentAtMs' | 'alongside'>,
): Call {
  const { pathname, search } = new URL(url)
  const ours = ['authorization', 'x-service-api-key']
  return {
    ...rest,
    method,
    path: pathname,
    query: search,
    parameters: readParameters(headers.get('Content-Type') ?? '', body),
    authorization: headers.get('Authorization'),
    apiKey: headers.get('X-Service-Api-Key'),
    otherHeaders: [...headers].filter(([name]) => !ours.includes(name)).map(([, value]) => value),
    answeredAtMs: Number.POSITIVE_INFINITY,
  }
}

const isMonthOver = ({ months }: SandboxState, nowMs: number): boolean => {
  const month = months[1001]
  return month !== undefined && month.count >= 100 && month.ends_at_ms > nowMs
}

/** Stands for the built page: the driver does what the page would do. */
const PAGE = '<!doctype html><title>Plimsoll</title>'
