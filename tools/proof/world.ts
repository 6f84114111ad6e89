/** Joins a client, the service and people over the kit, in virtual time, and records all that they send. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { SPEND_HEADER } from '../../src/contract/api.ts'
import type { Finding } from '../../src/contract/evidence.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { idOnWire } from '../../src/sandbox/api/organization.ts'
import { type Choices, changedChoices } from '../../src/sandbox/choices/choices.ts'
import { fingerprint, type RequestLogEntry } from '../../src/sandbox/state/request-log.ts'
import type { SandboxState } from '../../src/sandbox/state/state.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { withMethods } from '../../test/kit/store-methods.ts'
import { type App, SECRET, startApp } from '../../test/kit/app.ts'
import { CONFIG, SESSION_COOKIE } from '../../test/kit/config.ts'
import type { FetchUpstream } from '../../test/kit/outgoing.ts'
import {
  type Action,
  type Call,
  codeOf,
  credentialOf,
  isEnd,
  isGood,
  isRead,
  isRefresh,
  isToken,
  parametersOf,
  Recording,
  type Reply,
  secretsIn,
  type SeenAtOnce,
  type Session,
} from './recording.ts'
import { isClockRight, isFindingTrue, unknownRequests } from './truth.ts'
import { Visitor } from './visitor.ts'

/** A little more than two days before the end of a month in every time zone. */
const START_MS = Date.UTC(2026, 10, 28, 9, 0, 0)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The real connection to the service waits as long for an answer. */
const PATIENCE_MS = 15_000
const UNPROVEN_LIFETIME_MS = 600_000

type Fetch = (request: Request) => Promise<Response>

/** Breaks a client on purpose, at one of the three places where it meets the outside. */
export interface Breakage {
  upstream?: (send: FetchUpstream, world: World) => FetchUpstream
  store?: (store: Store, world: World) => Store
  answers?: (fetch: Fetch, world: World) => Fetch
}

// One for all runs: each instance makes every promise of the process slower.
const actions = new AsyncLocalStorage<Action | undefined>()

export class World {
  readonly app: App
  readonly recording: Recording
  /** The organizations' ids as in the address of a project list. */
  readonly standard: string
  readonly business: string
  /** True if others have used the organization since the newest reading. */
  areOthersUnknown = false
  /** True if the service has served the record of an organization with a token of another. */
  isMixedUp = false
  readonly #fetch: Fetch
  readonly #sessions = new Map<string, Session>()
  readonly #lines = new Map<RequestLogEntry, Call | undefined>()
  readonly #underWay = new Set<Call>()
  /** Without a line yet. */
  readonly #ended: Call[] = []
  readonly #reserved = new Map<string, number>()
  #actions = 0

  constructor(choices: Choices, breakage: Breakage = {}) {
    const own = this.#watched(openSqlite(':memory:'))
    this.app = startApp({
      startMs: START_MS,
      choices,
      tokenEncoding: choices.enc === 'json_only' ? 'json' : 'form',
      pkce: ['enforced', 'required'].includes(choices.pkce) ? 'S256' : 'off',
      // The client's own work takes no virtual time.
      time: { passedMs: () => 0, wait: waitIterations },
      serviceWait: async (ms) => this.advance(Math.min(ms, PATIENCE_MS)),
      store: breakage.store?.(own, this) ?? own,
    })
    this.recording = new Recording(choices, this.app.log)
    for (const secret of [SECRET, ...this.app.seed.api_keys.map(({ value }) => value)])
      this.recording.secrets.add(secret)
    const send: FetchUpstream = (request) => this.send(request)
    const upstream = breakage.upstream?.(send, this) ?? send
    this.app.intercept((request) => upstream(request))
    const fetch: Fetch = (request) => this.app.bff.fetch(request, { address: '127.0.0.1' })
    this.#fetch = breakage.answers?.(fetch, this) ?? fetch
    this.standard = idOnWire({ choices }, { id: 1001 })
    this.business = idOnWire({ choices }, { id: 2002 })
  }

  now = (): number => this.app.now()
  advance = (ms: number): void => this.app.advance(ms)

  visitor(name: string): Visitor {
    const visitor: Visitor = new Visitor(name, this, {
      bff: { fetch: (request) => this.#ask(visitor, request) },
      sandbox: { fetch: (request) => actions.run(undefined, () => this.app.sandbox.fetch(request)) },
      now: this.now,
    })
    return visitor
  }

  /** Says what violates a rule that is checked at once. */
  saw = (violates: SeenAtOnce, what: string): void => void this.recording.seen.push({ violates, what })

  /** Changes the state of the service, as its operators could. */
  edit(change: (state: SandboxState) => void): void {
    const state = this.app.sandbox.control.snapshot()
    change(state)
    this.app.sandbox.control.restore(state)
  }

  /** Others use a part of the month, or of the minute of every token, without the app. */
  othersUse({ month, read }: { month?: number; read?: number }): void {
    const total = month === undefined ? {} : { month: this.monthCount() + month }
    this.app.sandbox.control.changeUsage({ 1001: { ...(read !== undefined && { read }), ...total } })
    if (month !== undefined) this.areOthersUnknown = true
  }

  /** The service's count for these requests of the client. */
  costOf = (calls: readonly Call[]): number =>
    [...this.#lines].reduce(
      (sum, [{ cost }, call]) => sum + (call && calls.includes(call) ? cost.month : 0),
      0,
    )

  monthCount = (): number => this.app.sandbox.control.usage()[1001]?.month ?? 0
  isMonthOver = (): boolean => this.monthCount() >= 100
  isProven = ({ cookies }: Visitor): boolean =>
    this.#sessions.get(cookies.get(SESSION_COOKIE) ?? '')?.isProven === true

  truth = () => ({
    choices: this.recording.choices,
    lines: [...this.#lines.keys()],
    months: Object.values(this.app.sandbox.control.snapshot().months),
  })

  /** Compares what a signed-in person sees with what the service knows. */
  async observe(at: string, visitor: Visitor): Promise<void> {
    const quota = await visitor.quotaIfAny()
    if (quota === undefined) return
    // A session that is not proven has figures of its own.
    if (this.isProven(visitor) && isClockRight(this.recording.choices) && !this.isMixedUp)
      this.#observeMonth(at, visitor.organization, quota)
    const { body } = await visitor.request<{ findings?: Finding[] }>('GET', '/bff/evidence')
    for (const { name, value, confirmable } of body.findings ?? []) {
      if (value === undefined || confirmable) continue
      if (name === 'month_zones') this.recording.zones.add(value)
      if (!isFindingTrue(name, value, this.truth()))
        this.saw('what is learnt of the service is so', `${at}: ${name} is taken for ${value}`)
    }
  }

  #observeMonth(at: string, of: string, { month: { low, high, organization } }: QuotaSnapshot): void {
    const id = of === this.standard ? 1001 : 2002
    const month = this.app.sandbox.control.snapshot().months[id]
    const present = month !== undefined && month.ends_at_ms > this.now() ? month : undefined
    const own = this.recording.calls.filter(
      ({ action }) => action?.organization === of && action.session?.isProven,
    )
    const truth = [...this.#lines]
      .filter(([{ organization_id }, call]) => organization_id === id && call && own.includes(call))
      .filter(([{ at_ms }]) => present && at_ms >= present.starts_at_ms)
      .reduce((sum, [{ cost }]) => sum + cost.month, 0)
    if (truth < low || truth > high)
      this.saw('the month is between low and high', `${at}: ${truth} is not in ${low} to ${high}`)
    const sent = own.map((call) => ({
      atMs: call.sentAtMs,
      isSure: call.path.startsWith('/organizations') && isGood(call),
    }))
    const unknown = unknownRequests(sent, this.now())
    if (high - low > unknown)
      this.saw(
        'the month is no wider than what is unknown',
        `${at}: ${low} to ${high}, ${unknown} are unknown`,
      )
    if (organization === undefined) return
    const total = present?.count ?? 0
    if (total < organization.low || (total > organization.high && !this.areOthersUnknown))
      this.saw(
        'with a reading, the month of the organization is between low and high',
        `${at}: ${total} is not in ${organization.low} to ${organization.high}`,
      )
  }

  /** Takes what the service says against the client into the recording. */
  takeVerdicts(): Recording {
    this.#takeLines()
    const lines = [...this.#lines]
    this.recording.counted = lines
      .filter(([{ cost }, call]) => cost.month > 0 && call === undefined)
      .map(([{ method, path, number }]) => `${method} ${path}, line ${number}`)
    // With many choices the headers may be unreadable. A person may try again although the month is used up.
    const isClear = changedChoices(this.recording.choices).length <= 1
    this.recording.sentWhileOver = lines
      .filter(([{ verdict, rule }]) => isClear && verdict === 'sent_while_over' && rule !== 'month_over')
      .map(([{ number, path }]) => `line ${number}, ${path}`)
    return this.recording
  }

  /** New lines of the service's log. @param call that has ended, and that one of them belongs to */
  #takeLines(call?: Call): void {
    const { control } = this.app.sandbox
    if (call !== undefined) this.#ended.push(call)
    const log = control.requestLog()
    // The line of a request under way has no cost yet. It is taken with the last of those beside it.
    if (this.#underWay.size > 1 && log.some(({ rule }) => rule === 'unanswered')) return
    control.clearRequestLog()
    for (const line of log) this.#lines.set(line, undefined)
    for (const ended of this.#ended.splice(0)) this.#matchLine(ended)
  }

  #matchLine(call: Call): void {
    const print = fingerprint(credentialOf(call))
    const isOwn = ({ path, at_ms, credential, seen }: RequestLogEntry) =>
      path === call.path &&
      at_ms >= call.sentAtMs &&
      (isToken(call) ? hasSeen(seen, call) : credential?.endsWith(print) !== false)
    const own = [...this.#lines].findLast(([line, other]) => other === undefined && isOwn(line))
    if (own !== undefined) this.#lines.set(own[0], call)
  }

  async #ask({ organization }: Visitor, request: Request): Promise<Response> {
    const what = `${request.method} ${new URL(request.url).pathname}`
    const isSignIn = what === 'POST /bff/session'
    const known = this.#sessions.get(cookieIn(request.headers.get('Cookie') ?? ''))
    const opened = { openedAtMs: this.now(), usedAtMs: this.now(), isProven: false, mayEnd: false }
    const action: Action = {
      number: (this.#actions += 1),
      kind: isSignIn ? 'sign_in' : request.headers.has(SPEND_HEADER) ? 'press' : 'free',
      what,
      session: isSignIn ? opened : known,
      organization,
      state: isSignIn ? ((await request.clone().json()) as { state?: string }).state : undefined,
      calls: [],
    }
    const { status, headers, body } = await actions.run(action, () => this.#fetch(request))
    const text = body === null ? '' : await new Response(body).text()
    // What the client writes in the background is written before time passes.
    await waitIterations(5)
    if (isSignIn)
      opened.isProven = status === 201 && action.calls.some((call) => isRead(call) && isGood(call))
    const isProven = action.session?.isProven === true
    const reply = { action, atMs: this.now(), status, headers, text, isProven }
    this.recording.replies.push(reply)
    if (isSignIn && status === 201) {
      this.#sessions.set(cookieIn(headers.get('Set-Cookie') ?? ''), opened)
      if (known !== undefined) known.mayEnd = true
    } else if (!isSignIn && known !== undefined) this.#noteEnd(known, reply)
    return new Response(body && text, { status, headers })
  }

  /** A session ends by its person or the service, by its age, or by a refusal before it is proven. */
  #noteEnd(session: Session, { action: { what, number }, text }: Reply): void {
    const code = codeOf(text)
    const [ageMs, idleMs] = [this.now() - session.openedAtMs, this.now() - session.usedAtMs]
    const isTooOld =
      // The store records a session's last use once an hour.
      idleMs >= CONFIG.sessionIdleDays * DAY_MS - HOUR_MS ||
      ageMs >= (session.isProven ? CONFIG.sessionDays * DAY_MS : UNPROVEN_LIFETIME_MS)
    const isOver = ['access_withdrawn', 'signed_out'].includes(code) || text.includes('"signed_in":false')
    if (isOver && !session.mayEnd && !isTooOld)
      this.saw('a session ends for one of the reasons', `${what}, action ${number}: ${code || 'signed out'}`)
    // What others began before this answer was not begun after the end.
    if (what === 'DELETE /bff/session' || code === 'access_withdrawn') session.endedBy ??= this.#actions
    session.mayEnd ||=
      isOver ||
      what === 'DELETE /bff/session' ||
      (!session.isProven && ['organization_refused', 'key_rejected'].includes(code))
    if (what === 'GET /bff/session') session.usedAtMs = this.now()
  }

  /** Everything that the client sends goes through here. */
  async send(request: Request): Promise<Response> {
    const call = await this.#noteCall(request)
    // A store in memory answers within one iteration, and a service never does.
    await waitIterations(2)
    // As in undici: `code` states why there is no answer.
    const answer = await this.app.sandbox.fetch(request).catch(() => 'UND_ERR_SOCKET')
    this.#takeLines(call)
    this.#underWay.delete(call)
    const code = this.now() - call.sentAtMs >= PATIENCE_MS ? 'UND_ERR_HEADERS_TIMEOUT' : answer
    if (typeof code === 'string' || typeof answer === 'string')
      throw Object.assign(new Error('there is no answer'), { code })
    const { status, headers } = answer
    const text = await answer.text()
    call.answer = { status, headers, text }
    for (const secret of secretsIn(text)) this.recording.secrets.add(secret)
    if (!isGood(call) && (this.isMonthOver() || status === 429))
      call.over = this.isMonthOver() ? 'month' : 'minute'
    const { session, kind } = call.action ?? {}
    if (session && isRefresh(call) && isEnd(call.answer) && text.includes('invalid_grant'))
      session.mayEnd = true
    if (session && kind !== 'sign_in' && isRead(call) && isGood(call)) session.isProven = true
    return new Response(text === '' ? null : text, { status, headers })
  }

  async #noteCall(request: Request): Promise<Call> {
    const { method, headers } = request
    const { pathname: path, search: query } = new URL(request.url)
    const { calls, secrets } = this.recording
    const key = keyOf({ method, path })
    const call: Call = {
      method,
      path,
      query,
      number: calls.length + 1,
      action: actions.getStore(),
      parameters: new Map(),
      headers,
      sentAtMs: this.now(),
      alongside: [...this.#underWay],
      isRecorded: (this.#reserved.get(key) ?? 0) > calls.filter((one) => keyOf(one) === key).length,
    }
    calls.push(call)
    call.action?.calls.push(call)
    if (headers.has('X-Service-Api-Key')) this.areOthersUnknown = true
    this.#underWay.add(call)
    call.parameters = parametersOf(headers.get('Content-Type') ?? '', await request.clone().text())
    const code = call.parameters.get('code')
    if (code !== undefined) secrets.add(code)
    return call
  }

  /** Counts the rows that are written. */
  #watched(store: Store): Store {
    return withMethods(store, (tables) => ({
      addEntry: async (entry) => {
        await tables.addEntry(entry)
        this.#reserved.set(keyOf(entry), (this.#reserved.get(keyOf(entry)) ?? 0) + 1)
      },
    }))
  }
}

/** Two people refresh side by side: the service shows the fingerprint of what each of them sent. */
const hasSeen = ({ body }: RequestLogEntry['seen'], { parameters }: Call): boolean =>
  body === undefined ||
  Object.values(body).includes(
    `~${fingerprint(parameters.get('refresh_token') ?? parameters.get('code') ?? '')}`,
  )

const cookieIn = (text: string): string => new RegExp(`${SESSION_COOKIE}=([^;]+)`).exec(text)?.[1] ?? ''

const keyOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace(/\/(\{id\}|\d+)$/, '/{id}')}`

/** Waits in iterations of the event loop, so that the load of the machine does not decide the order. */
export async function waitIterations(iterations: number): Promise<void> {
  for (let left = Math.max(1, Math.ceil(iterations)); left > 0; left -= 1)
    await new Promise((resolve) => setImmediate(resolve))
}
