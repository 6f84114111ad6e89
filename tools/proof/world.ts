/** Joins a client, the service and people over the kit, in virtual time, and records all that they send. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { SPEND_HEADER } from '../../src/contract/api.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/duration.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { idOnWire } from '../../src/sandbox/api/organization.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { ISSUED_STORES } from '../../src/sandbox/state/issued.ts'
import type { SandboxState } from '../../src/sandbox/state/state.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { type App, SECRET, startApp } from '../../test/kit/app.ts'
import { CONFIG, SESSION_COOKIE } from '../../test/kit/config.ts'
import type { FetchUpstream } from '../../test/kit/outgoing.ts'
import { withMethods } from '../../test/kit/store-methods.ts'
import {
  type Action,
  type Call,
  codeOf,
  costOf,
  isEnd,
  isGood,
  isRead,
  isRefresh,
  parametersOf,
  type Reply,
  type Session,
} from './call.ts'
import type { Cause } from './endings.ts'
import { type Name, NAMES, type People, Visitor } from './person.ts'
import { isClockRight, isFindingTrue, unknownRequests } from './truth.ts'

/** A little more than two days before the end of a month in every time zone. */
const START_MS = Date.UTC(2026, 10, 28, 9, 0, 0)
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

/** Rules that the world and its people check at once; `invariants.ts` has those on the whole recording. */
export type SeenAtOnce =
  | 'a session ends for one of the reasons'
  | 'the month is between low and high'
  | 'the month is no wider than what is unknown'
  | 'with a reading, the month of the organization is between low and high'
  | 'what is learnt of the service is so'
  | 'a press costs what its button said'
  | 'a sign-in that is not proven changes no figures'
  | 'every ending has a reason'

// One for all runs: each instance makes every promise of the process slower.
const actions = new AsyncLocalStorage<Action | undefined>()

export class World {
  readonly app: App
  readonly choices: Choices
  readonly people: People
  readonly calls: Call[] = []
  readonly replies: Reply[] = []
  /** The first violation of each rule that is checked at once. */
  readonly seen = new Map<string, string>()
  /** How each command ended, as `command: ending`. */
  readonly endings: string[] = []
  /** The zones in which the client has learnt that the month may be reset. */
  readonly zones = new Set<string>()
  /** Neither the browser nor the log may ever contain them. */
  readonly secrets = new Set<string>()
  /** Requests that the service counted in a month, and that the client never sent here. */
  readonly counted: string[] = []
  /** The organizations' ids as in the address of a project list. */
  readonly standard: string
  readonly business: string
  /** True if others have used the organization since the newest reading. */
  areOthersUnknown = false
  /** True if the service has served the record of an organization with a token of another. */
  isMixedUp = false
  readonly #fetch: Fetch
  readonly #sessions = new Map<string, Session>()
  readonly #underWay = new Set<Call>()
  readonly #reserved = new Map<string, number>()
  #actions = 0

  constructor(choices: Choices, breakage: Breakage = {}) {
    const own = this.#watched(openSqlite(':memory:'))
    this.choices = choices
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
    for (const secret of [SECRET, ...this.app.seed.api_keys.map(({ value }) => value)])
      this.secrets.add(secret)
    const send: FetchUpstream = (request) => this.send(request)
    const upstream = breakage.upstream?.(send, this) ?? send
    this.app.intercept((request) => upstream(request))
    const fetch: Fetch = (request) => this.app.bff.fetch(request, { address: '127.0.0.1' })
    this.#fetch = breakage.answers?.(fetch, this) ?? fetch
    this.standard = idOnWire({ choices }, { id: 1001 })
    this.business = idOnWire({ choices }, { id: 2002 })
    this.people = Object.fromEntries(NAMES.map((name) => [name, this.visitor(name)])) as People
  }

  now = (): number => this.app.now()
  advance = (ms: number): void => this.app.advance(ms)

  visitor(name: Name): Visitor {
    const visitor: Visitor = new Visitor(name, this, {
      bff: { fetch: (request) => this.#ask(visitor, request) },
      sandbox: { fetch: (request) => actions.run(undefined, () => this.app.sandbox.fetch(request)) },
      now: this.now,
    })
    return visitor
  }

  /** Says what violates a rule that is checked at once. */
  saw = (violates: SeenAtOnce, what: string): void => {
    if (!this.seen.has(violates)) this.seen.set(violates, what)
  }

  /** Each person may be refused for this, until a press of theirs works. */
  because(cause: Cause): void {
    for (const name of NAMES) this.people[name].because(cause)
  }

  /** Changes the state of the service, as its operators could. */
  edit = (change: (state: SandboxState) => void): void => change(this.app.sandbox.state())

  /** Others use a part of the month, or of the minute of every token, without the app. */
  othersUse({ month, read }: { month?: number; read?: number }): void {
    const total = month === undefined ? {} : { month: this.monthCount() + month }
    this.app.sandbox.control.changeUsage({ 1001: { ...(read !== undefined && { read }), ...total } })
    if (month !== undefined) this.areOthersUnknown = true
  }

  monthCount = (): number => this.app.sandbox.control.usage()[1001]?.month ?? 0
  isMonthOver = (): boolean => this.monthCount() >= 100
  isProven = ({ cookies }: Visitor): boolean =>
    this.#sessions.get(cookies.get(SESSION_COOKIE) ?? '')?.isProven === true

  /** After each command, what Ada and Cleo see is compared with what the service knows. */
  async look(at: string): Promise<void> {
    const { ada, cleo } = this.people
    for (const one of [ada, cleo]) if (one.isIn) await this.observe(`${one.name} after "${at}"`, one)
    const { control } = this.app.sandbox
    const own = new Set(this.calls.map(({ line }) => line?.number))
    for (const { method, path, number, cost } of control.requestLog())
      if (cost.month > 0 && !own.has(number)) this.counted.push(`${method} ${path}, line ${number}`)
    // It has room for the newest lines only.
    control.clearRequestLog()
  }

  /** Compares what a signed-in person sees with what the service knows. */
  async observe(at: string, visitor: Visitor): Promise<void> {
    const quota = await visitor.quotaIfAny()
    if (quota === undefined) return
    // A session that is not proven has figures of its own.
    if (this.isProven(visitor) && isClockRight(this.choices) && !this.isMixedUp)
      this.#observeMonth(at, visitor.organization, quota)
    for (const { name, value, confirmable } of await visitor.findings()) {
      if (value === undefined || confirmable) continue
      if (name === 'month_zones') this.zones.add(value)
      if (!isFindingTrue(name, value, this))
        this.saw('what is learnt of the service is so', `${at}: ${name} is taken for ${value}`)
    }
  }

  #observeMonth(at: string, of: string, { month: { low, high, organization } }: QuotaSnapshot): void {
    const id = of === this.standard ? 1001 : 2002
    const month = this.app.sandbox.state().months[id]
    const present = month !== undefined && month.ends_at_ms > this.now() ? month : undefined
    const own = this.calls.filter(({ action }) => action?.organization === of && action.session?.isProven)
    const since = present?.starts_at_ms ?? Infinity
    const truth = costOf(own.filter(({ line }) => line?.organization_id === id && line.at_ms >= since))
    const compare = (rule: SeenAtOnce, isRight: boolean, count: number, bounds: string) => {
      if (!isRight) this.saw(rule, `${at}: ${count}, and the page says ${bounds}`)
    }
    const bounds = `${low} to ${high}`
    compare('the month is between low and high', truth >= low && truth <= high, truth, bounds)
    const sent = own.map((call) => ({
      atMs: call.sentAtMs,
      isSure: call.path.startsWith('/organizations') && isGood(call),
    }))
    const unknown = unknownRequests(sent, this.now())
    compare('the month is no wider than what is unknown', high - low <= unknown, unknown, bounds)
    if (organization === undefined) return
    const total = present?.count ?? 0
    compare(
      'with a reading, the month of the organization is between low and high',
      total >= organization.low && (total <= organization.high || this.areOthersUnknown),
      total,
      `${organization.low} to ${organization.high}`,
    )
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
    // The client does not know yet in whose month the service counts this.
    if (!isProven && action.calls.length > 0) this.areOthersUnknown = true
    const reply = { action, atMs: this.now(), status, headers, text, isProven }
    this.replies.push(reply)
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
    const { state } = this.app.sandbox
    const newest = state().request_log.at(-1)
    const answering = this.app.sandbox.fetch(request).catch(() => 'UND_ERR_SOCKET')
    // The service begins the line of a request before anything else. Some addresses have none.
    const line = state().request_log.at(-1)
    if (line !== newest) call.line = line
    const answer = await answering
    for (const store of ISSUED_STORES)
      for (const secret of Object.keys(state()[store])) this.secrets.add(secret)
    this.#underWay.delete(call)
    const code = this.now() - call.sentAtMs >= PATIENCE_MS ? 'UND_ERR_HEADERS_TIMEOUT' : answer
    if (typeof code === 'string' || typeof answer === 'string')
      throw Object.assign(new Error('there is no answer'), { code })
    const { status, headers } = answer
    const text = await answer.text()
    call.answer = { status, headers, text }
    if (!isGood(call) && (this.isMonthOver() || status === 429))
      call.over = this.isMonthOver() ? 'month' : 'minute'
    const { session, kind } = call.action ?? {}
    if (session && isRefresh(call) && isEnd(call.answer)) session.mayEnd = true
    // A session that is not proven has a token, which only the record of its organization proves (5.3).
    const isProof = request.url.includes('/organizations/') && isGood(call)
    if (session && kind !== 'sign_in' && isProof) session.isProven = true
    return new Response(text === '' ? null : text, { status, headers })
  }

  async #noteCall(request: Request): Promise<Call> {
    const { method, headers } = request
    const { pathname: path, search: query } = new URL(request.url)
    const key = keyOf({ method, path })
    const call: Call = {
      method,
      path,
      query,
      number: this.calls.length + 1,
      action: actions.getStore(),
      parameters: new Map(),
      headers,
      sentAtMs: this.now(),
      alongside: [...this.#underWay],
      isRecorded: (this.#reserved.get(key) ?? 0) > this.calls.filter((one) => keyOf(one) === key).length,
    }
    this.calls.push(call)
    call.action?.calls.push(call)
    if (headers.has('X-Service-Api-Key')) this.areOthersUnknown = true
    this.#underWay.add(call)
    call.parameters = parametersOf(headers.get('Content-Type') ?? '', await request.clone().text())
    const code = call.parameters.get('code')
    if (code !== undefined) this.secrets.add(code)
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

const cookieIn = (text: string): string => new RegExp(`${SESSION_COOKIE}=([^;]+)`).exec(text)?.[1] ?? ''

const keyOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace(/\/(\{id\}|\d+)$/, '/{id}')}`

/** Waits in iterations of the event loop, so that the load of the machine does not decide the order. */
export async function waitIterations(iterations: number): Promise<void> {
  for (let left = Math.max(1, Math.ceil(iterations)); left > 0; left -= 1)
    await new Promise((resolve) => setImmediate(resolve))
}
