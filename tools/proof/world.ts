/** Joins a client, the service and people over the kit, in virtual time, and records all that they send. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { SPEND_HEADER } from '../../src/contract/api.ts'
import type { Finding } from '../../src/contract/evidence.ts'
import { Problem } from '../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { idOnWire } from '../../src/sandbox/api/organization.ts'
import { type Choices, changedChoices } from '../../src/sandbox/choices/choices.ts'
import type { RequestLogEntry } from '../../src/sandbox/state/request-log.ts'
import type { SandboxState } from '../../src/sandbox/state/state.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { type App, SECRET, startApp } from '../../test/kit/app.ts'
import { SESSION_COOKIE } from '../../test/kit/config.ts'
import type { FetchUpstream } from '../../test/kit/outgoing.ts'
import { isMonthFindingTrue, unknownRequests } from './month-truth.ts'
import {
  type Action,
  type Call,
  isGood,
  isProven,
  isToken,
  newRecording,
  parametersOf,
  type Recording,
  secretsIn,
  unprovenCalls,
} from './recording.ts'
import { Visitor } from './visitor.ts'

/** A little more than two days before the end of a month in every time zone. */
const START_MS = Date.UTC(2026, 10, 28, 9, 0, 0)
/** The wait of the real connection to the service, and that of a person at an empty page. */
const BFF_PATIENCE_MS = 15_000
const PERSON_PATIENCE_MS = 60_000
const NEVER_MS = 600_000

type Fetch = (request: Request) => Promise<Response>

/** Breaks a client on purpose, at one of the three places where it meets the outside. */
export interface Breakage {
  upstream?: (send: FetchUpstream, world: World) => FetchUpstream
  store?: (store: Store, world: World) => Store
  answers?: (fetch: Fetch, world: World) => Fetch
}

// One for all runs: each instance makes every promise of the process slower.
const actions = new AsyncLocalStorage<Action | undefined>()
const patience = new AsyncLocalStorage<{ endsAtMs: number; giveUp: () => void }>()

export class World {
  readonly app: App
  readonly recording: Recording
  /** The organizations' ids as in the address of a project list. */
  readonly standard: string
  readonly business: string
  /** True if others have used the organization since the newest reading, at no steady rate. */
  areOthersUnknown = false
  /** True if the service has served the record of an organization with a token of another. */
  isMixedUp = false
  readonly #fetch: Fetch
  readonly #lines: RequestLogEntry[] = []
  readonly #underWay = new Set<Call>()
  readonly #reserved = new Map<string, number>()
  readonly #timers: { ms: number; work: () => Promise<unknown>; dueAtMs: number }[] = []
  #during: { when: string; work: () => Promise<void> } | undefined
  #canWrite = true
  #actions = 0
  #callsAtFindings = 0

  constructor(choices: Choices, breakage: Breakage = {}) {
    this.recording = newRecording(choices)
    const own = this.#watched(openSqlite(':memory:'))
    this.app = startApp({
      startMs: START_MS,
      choices,
      tokenEncoding: choices.enc === 'json_only' ? 'json' : 'form',
      pkce: ['enforced', 'required'].includes(choices.pkce) ? 'S256' : 'off',
      // The client's own work takes no virtual time.
      time: { passedMs: () => 0, wait: waitIterations },
      serviceWait: (ms) => this.#pass(ms),
      store: breakage.store?.(own, this) ?? own,
    })
    this.recording.log = this.app.log
    for (const secret of [SECRET, ...this.app.seed.api_keys.map(({ value }) => value)])
      this.recording.secrets.add(secret)
    const send: FetchUpstream = (request, deadlineMs) => this.#send(request, deadlineMs)
    const upstream = breakage.upstream?.(send, this) ?? send
    this.app.intercept((request, _, deadlineMs) => upstream(request, deadlineMs))
    const fetch: Fetch = (request) => this.app.bff.fetch(request, { address: '127.0.0.1' })
    this.#fetch = breakage.answers?.(fetch, this) ?? fetch
    this.standard = idOnWire({ choices }, { id: 1001 })
    this.business = idOnWire({ choices }, { id: 2002 })
  }

  now = (): number => this.app.now()

  advance(ms: number): void {
    this.app.advance(ms)
    for (const timer of this.#timers.filter(({ dueAtMs }) => dueAtMs <= this.now())) {
      timer.dueAtMs = this.now() + timer.ms
      void timer.work()
    }
  }

  /** For broken clients. */
  every = (ms: number, work: () => Promise<unknown>): void =>
    void this.#timers.push({ ms, work, dueAtMs: this.now() + ms })

  visitor(name: string): Visitor {
    const visitor: Visitor = new Visitor(name, this, {
      bff: { fetch: (request) => this.#ask(visitor, request) },
      sandbox: { fetch: (request) => this.browse(request) },
      now: this.now,
    })
    return visitor
  }

  /** Sends a request of a browser, or of another client, to the service. @throws Error without an answer */
  async browse(request: Request): Promise<Response> {
    const answer = await actions.run(undefined, () => this.#patiently(request, PERSON_PATIENCE_MS))
    if (answer === undefined) throw new Error('the service does not answer')
    return answer
  }

  /** The service's whole state, and its request log so far. */
  look(): { state: SandboxState; lines: readonly RequestLogEntry[] } {
    const { control } = this.app.sandbox
    this.#lines.push(...control.requestLog())
    control.clearRequestLog()
    return { state: control.snapshot(), lines: this.#lines }
  }

  /** Changes the state of the service, as its operators could. */
  edit(change: (state: SandboxState) => void): void {
    const { state } = this.look()
    change(state)
    this.app.sandbox.control.restore(state)
  }

  choose = (choices: Partial<Choices>): void => void this.app.sandbox.control.changeChoices(choices)

  /** Others use a part of the month, or of the minute of every token, without the app. */
  othersUse(usage: { month?: number; read?: number }): void {
    const { control } = this.app.sandbox
    const month = usage.month === undefined ? {} : { month: this.monthCount() + usage.month }
    control.changeUsage({ 1001: { ...usage, ...month } })
    if (usage.month !== undefined) this.areOthersUnknown = true
  }

  monthCount = (id: 1001 | 2002 = 1001): number => this.app.sandbox.control.usage()[id]?.month ?? 0

  isMonthOver = (): boolean => this.monthCount() >= 100

  /** Runs the work while the client waits for a press's read, before or after the service has counted it. */
  duringNext = (when: 'not counted yet' | 'counted', work: () => Promise<void>): void =>
    void (this.#during = { when, work })

  async withoutWrites(work: () => Promise<void>): Promise<void> {
    this.#canWrite = false
    await work()
    this.#canWrite = true
  }

  /** Notes what a signed-in person sees, beside what the service knows. */
  async observe(at: string, visitor: Visitor): Promise<void> {
    const quota = await visitor.quotaIfAny()
    if (quota === undefined) return
    const id = visitor.organization === this.standard ? 1001 : 2002
    // A session that is not proven has figures of its own.
    if (isProven(this.recording, visitor.cookies.get(SESSION_COOKIE)))
      this.#observeMonth(at, visitor, id, quota)
    if (this.#callsAtFindings === this.recording.calls.length) return
    this.#callsAtFindings = this.recording.calls.length
    const { body } = await visitor.request<{ findings?: Finding[] }>('GET', '/bff/evidence')
    const { state, lines } = this.look()
    const truth = { choices: this.recording.choices, lines, months: Object.values(state.months) }
    for (const { name, value, confirmable } of body.findings ?? [])
      if (value !== undefined && !confirmable)
        this.recording.learnt.push({ at, name, value, isTrue: isMonthFindingTrue(name, value, truth) })
  }

  #observeMonth(at: string, { organization: of }: Visitor, id: 1001 | 2002, { month }: QuotaSnapshot): void {
    // By a clock that is a day ahead, the month is over a day early, and no client can know that.
    if (this.recording.choices.skew === 'plus_1_day' || this.isMixedUp) return
    const { state, lines } = this.look()
    const present = state.months[id]
    const isPresent = present !== undefined && present.ends_at_ms > this.now()
    const unproven = unprovenCalls(this.recording)
    const own = this.recording.calls.filter((call) => call.action?.organization === of && !unproven.has(call))
    const unprovenLines = new Set<number>()
    for (const { sentAtMs, path } of unproven) {
      const line = lines.find(
        (one) => one.at_ms === sentAtMs && one.path === path && !unprovenLines.has(one.number),
      )
      if (line !== undefined) unprovenLines.add(line.number)
    }
    const counted = lines
      .filter(({ organization_id, at_ms }) => organization_id === id && at_ms >= (present?.starts_at_ms ?? 0))
      // The organization of an API key is not known, so a key has a count of its own.
      .filter(({ number, credential }) => !unprovenLines.has(number) && !credential?.startsWith('api_key'))
      .reduce((sum, { cost }) => sum + cost.month, 0)
    const sent = own.map((call) => ({
      atMs: call.sentAtMs,
      isSure: call.path.startsWith('/organizations') && isGood(call),
    }))
    const total = isPresent ? present.count : 0
    const { low, high, organization } = month
    this.recording.months.push({
      at,
      low,
      high,
      truth: isPresent ? counted : 0,
      unknown: unknownRequests(sent, this.now(), this.recording.choices.skew),
      ...(organization && {
        organization: {
          ...organization,
          truth: this.areOthersUnknown ? Math.min(total, organization.high) : total,
        },
      }),
    })
  }

  /** Copies what the service says against the client into the recording. */
  takeVerdicts(): Recording {
    const { lines } = this.look()
    // With many choices the headers may be unreadable, and `limits.ts` judges alone. A person may try again
    // although the month is used up.
    const isClear = changedChoices(this.recording.choices).length <= 1
    this.recording.counted = lines
      .filter(({ cost }) => cost.month > 0)
      .map(({ at_ms, method, path }) => ({ atMs: at_ms, what: `${method} ${path}` }))
    this.recording.verdicts = lines
      .filter(({ verdict, rule }) => verdict !== 'sent_while_over' || (isClear && rule !== 'month_over'))
      .flatMap(({ verdict, number, path }) =>
        verdict === undefined ? [] : [`${verdict}: line ${number}, ${path}`],
      )
    return this.recording
  }

  async #ask(visitor: Visitor, request: Request): Promise<Response> {
    const { replies, ended } = this.recording
    const what = `${request.method} ${new URL(request.url).pathname}`
    const isSignIn = what === 'POST /bff/session'
    const action: Action = {
      number: (this.#actions += 1),
      kind: isSignIn ? 'sign_in' : request.headers.has(SPEND_HEADER) ? 'press' : 'free',
      what,
      session: new RegExp(`${SESSION_COOKIE}=([^;]+)`).exec(request.headers.get('Cookie') ?? '')?.[1],
      organization: visitor.organization,
      state: isSignIn ? ((await request.clone().json()) as { state?: string }).state : undefined,
    }
    const { status, headers, body } = await actions.run(action, () => this.#fetch(request))
    const text = body === null ? '' : await new Response(body).text()
    replies.push({ action, atMs: this.now(), status, headers: [...headers].flat().join('\n'), text })
    const isEnd = what === 'DELETE /bff/session' || WITHDRAWN.test(text)
    if (action.session !== undefined && isEnd && !ended.has(action.session))
      ended.set(action.session, action.number)
    return new Response(body && text, { status, headers })
  }

  /** Time passes only while a request waits. A person who waits too long leaves, and the request goes on. */
  async #pass(ms: number): Promise<void> {
    const asker = patience.getStore()
    const untilMs = this.now() + ms
    if (asker === undefined || untilMs < asker.endsAtMs) return this.advance(ms)
    this.advance(Math.max(0, asker.endsAtMs - this.now()))
    asker.giveUp()
    // A request that is never answered must have no effect either.
    if (ms > NEVER_MS) await new Promise(() => {})
  }

  #patiently(request: Request, forMs: number): Promise<Response | undefined> {
    return new Promise((resolve, reject) => {
      const asker = { endsAtMs: this.now() + forMs, giveUp: () => resolve(undefined) }
      patience.run(asker, () => this.app.sandbox.fetch(request)).then(resolve, reject)
    })
  }

  /** Everything that the client sends goes through here. */
  async #send(request: Request, deadlineMs = BFF_PATIENCE_MS): Promise<Response> {
    const call = await this.#noteCall(request)
    await this.#workDuring('not counted yet', call)
    // As in undici: `code` states why there is no answer.
    const answer = await this.#patiently(request, deadlineMs).catch(() => 'UND_ERR_SOCKET')
    await this.#workDuring('counted', call)
    this.#underWay.delete(call)
    call.answeredAtMs = this.now()
    if (answer === undefined || typeof answer === 'string')
      throw Object.assign(new Error('there is no answer'), { code: answer ?? 'UND_ERR_HEADERS_TIMEOUT' })
    const { status, headers } = answer
    const text = await answer.text()
    call.answer = { status, headers, text }
    for (const secret of secretsIn(text)) this.recording.secrets.add(secret)
    if (!isGood(call)) {
      if (this.isMonthOver()) call.over = 'month'
      else if (status === 429) call.over = 'minute'
    }
    return new Response(text === '' ? null : text, { status, headers })
  }

  async #noteCall(request: Request): Promise<Call> {
    const { method, headers } = request
    const { pathname: path, search: query } = new URL(request.url)
    const { calls, secrets } = this.recording
    const sentBefore = calls.filter((one) => keyOf(one) === keyOf({ method, path })).length
    const call: Call = {
      method,
      path,
      query,
      number: calls.length + 1,
      action: actions.getStore(),
      parameters: new Map(),
      authorization: headers.get('Authorization'),
      apiKey: headers.get('X-Service-Api-Key'),
      otherHeaders: [...headers]
        .filter(([name]) => !['authorization', 'x-service-api-key'].includes(name))
        .map(([, value]) => value),
      sentAtMs: this.now(),
      answeredAtMs: Number.POSITIVE_INFINITY,
      alongside: [...this.#underWay],
      isRecorded:
        (this.#reserved.get(
          keyOf({
            method,
            path,
          }),
        ) ?? 0) > sentBefore,
    }
    calls.push(call)
    if (call.apiKey !== null) this.areOthersUnknown = true
    this.#underWay.add(call)
    call.parameters = parametersOf(headers.get('Content-Type') ?? '', await request.clone().text())
    const code = call.parameters.get('code')
    if (code !== undefined) secrets.add(code)
    return call
  }

  async #workDuring(when: string, { action, ...call }: Call): Promise<void> {
    if (this.#during?.when !== when || action?.kind !== 'press' || isToken(call)) return
    const { work } = this.#during
    this.#during = undefined
    await work()
  }

  /** Counts the rows that are written, and fails to write sessions on request. */
  #watched(store: Store): Store {
    return {
      ...store,
      reserve: async (entry, admission) => {
        await store.reserve(entry, admission)
        this.#reserved.set(keyOf(entry), (this.#reserved.get(keyOf(entry)) ?? 0) + 1)
      },
      writeSession: async (...session) => {
        if (!this.#canWrite) throw new Problem('store_unavailable')
        return store.writeSession(...session)
      },
    }
  }
}

const WITHDRAWN = /"access_withdrawn"/
const keyOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace(/\/(\{id\}|\d+)$/, '/{id}')}`

/** Waits in iterations of the event loop, so that the load of the machine does not decide the order. */
export async function waitIterations(iterations: number): Promise<void> {
  for (let left = Math.max(1, Math.ceil(iterations)); left > 0; left -= 1)
    await new Promise((resolve) => setImmediate(resolve))
}
