/** Who goes on a journey: a person, with what they know and have, and the checks that are made at every step. */
import { idOnWire } from '../../src/sandbox/api/organization.ts'
import { DEFAULT_CHOICES, type Choices } from '../../src/sandbox/choices/choices.ts'
import { type Context, SERVICE } from './context.ts'
import { type Ending, isKnownProblem, User } from './user.ts'
import { differences } from './choice-sets.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const ADA = { person: 'Ada', decision: 'Permit' } as const

/** Switches that make a sign-in impossible, by value; the journey then goes on with the default in their place. */
const BLOCKERS: { readonly [Key in keyof Choices]?: readonly Choices[Key][] } = {
  redir: ['code_named_authorization_code', 'code_named_auth_code', 'no_state'],
  redirstatus: ['status_307'],
  clientauth: ['basic_only'],
  tokstatus: ['form_200'],
  slow: ['seconds_35', 'never'],
}

export class Journey {
  readonly context: Context
  readonly me: User
  /** The organizations' ids as a person finds them in the address of a project list. */
  readonly standard: string
  readonly business: string
  readonly path: string
  /** Lines of the service's ledger that are not of this journey: those of others, and those of earlier days. */
  readonly others = new Set<number>()
  readonly earlier = new Set<number>()

  constructor(context: Context) {
    this.context = context
    this.me = new User(context)
    const { choices } = context.recording
    const [standard, business] = [1001, 2002].map((id) => idOnWire({ choices }, { id }))
    this.standard = standard ?? ''
    this.business = business ?? ''
    this.path = `/organizations/${this.standard}`
  }

  /** Signs in; where that cannot be under this choices, it has to end in a clear problem, and goes on without the reason. */
  async signIn(step: string): Promise<void> {
    const ending = await this.me.signIn(this.standard, ADA)
    await this.checked(step, ending, this.me)
    if (ending.end === 'ok' || this.context.isMonthOver()) return
    const { choices } = this.context.look().state
    const blockers = Object.entries(BLOCKERS).filter(([key, values]) =>
      (values as readonly string[]).includes(choices[key as keyof Choices]),
    )
    if (blockers.length === 0) this.fault(`${step}: ended with ${ending.code ?? ending.why}`)
    this.context.edit((state) => {
      for (const [key] of blockers)
        Object.assign(state.choices, { [key]: DEFAULT_CHOICES[key as keyof Choices] })
    })
    this.context.advance(2 * MINUTE)
    const again = await this.me.signIn(this.standard, ADA)
    await this.checked(`${step} again`, again, this.me)
    if (again.end !== 'ok') throw new Error(`${step}: nobody could sign in: ${again.code ?? again.why}`)
  }

  /** One press works, if need be after another sign-in. */
  async again(step: string): Promise<void> {
    if (!(await this.me.isSignedIn())) await this.signIn(`${step}: sign in`)
    const ending = await this.me.press(this.path)
    await this.checked(step, ending, this.me)
    if (ending.end === 'ok' || this.context.isMonthOver()) return
    // Whatever it is, a person who signs out and in again is helped.
    await this.me.signOut()
    this.context.advance(2 * MINUTE)
    await this.signIn(`${step}: sign out and in`)
    await this.expectEnd(`${step}, second try`, 'ok', await this.me.press(this.path))
  }

  /** Others use the same token, so that only the headers can tell. */
  async othersUse(requests: number): Promise<void> {
    const before = this.context.look().state.months
    for (let request = 0; request < requests; request += 1) await this.direct(this.path)
    // Of the month they take nothing, so that its count stays the app's own.
    this.context.edit((state) => {
      state.months = before
    })
  }

  /** A request that is not the app's, with its token. */
  direct(path: string): Promise<Response | undefined> {
    const { authorization } = this.context.recording.calls.findLast((call) => call.authorization) ?? {}
    const headers = { Authorization: authorization ?? '' }
    return this.context.visit(new Request(SERVICE + path, { headers }))
  }

  /** Notes the lines that the service's ledger gets from work that is not the app's. */
  async noting(lines: Set<number>, work: () => Promise<void>): Promise<void> {
    const last = () => this.context.look().state.requests
    const before = last()
    await work()
    for (let number = before + 1; number <= last(); number += 1) lines.add(number)
  }

  /** What the service has counted of the app in this month. */
  count(): number {
    const { state, lines } = this.context.look()
    const month = state.months[1001]
    if (month === undefined || month.ends_at_ms <= this.context.now()) return 0
    return lines
      .filter(({ organization_id, at_ms }) => organization_id === 1001 && at_ms >= month.starts_at_ms)
      .filter(({ number }) => !this.others.has(number))
      .reduce((sum, { cost }) => sum + cost.month, 0)
  }

  async checkMonth(at: string): Promise<void> {
    const quota = await this.me.quota()
    if (quota === undefined) return
    const { low, high } = quota.month
    this.context.recording.months.push({ at, low, high, truth: this.count() })
  }

  async expectEnd(step: string, end: Ending['end'], ending: Ending): Promise<void> {
    if (ending.end !== end && !this.context.isMonthOver())
      this.fault(`${step}: ended with ${ending.code ?? ending.why}`)
    await this.checked(step, ending, this.me)
  }

  /** After whatever end there is a way forward: the page knows who is signed in, or where to sign in, and how long to wait. */
  async checked(step: string, { end, code, why, retryInMs }: Ending, person: User): Promise<void> {
    this.context.recording.steps.push(`${step}: ${code ?? why ?? end}`)
    if (end === 'ok') return
    if (end === 'problem' && !isKnownProblem(code)) this.fault(`${step}: the problem is ${code ?? 'none'}`)
    if (code === 'rate_limited' || code === 'limit_unknown' || code === 'month_suspected') {
      if (!(retryInMs !== undefined && retryInMs >= 0 && retryInMs < 33 * DAY))
        this.fault(`${step}: ${code} says to wait for ${retryInMs} ms`)
    }
    const session = await person.session()
    const canGoOn =
      session.signed_in || session.authorize.authorization_endpoint === `${SERVICE}/oauth2/login`
    if (!canGoOn) this.fault(`${step}: there is no way on`)
  }

  fault(what: string): void {
    this.context.recording.faults.push(what)
  }

  /** What the app has spent earlier in this month: the service has counted it, and so has the ledger. */
  async spendEarlier(): Promise<void> {
    const many = this.context.recording.choices.shared === 'yes' ? 20 : 50
    for (let request = 0; request < many; request += 1) {
      if (request % 15 === 0) this.context.advance(61 * SECOND)
      const response = await this.direct(this.path)
      if (!response?.ok) continue
      const entry = { id: `earlier-${request}`, organization: this.standard, kind: 'api.read' as const }
      const rest = { method: 'GET', path: '/organizations/{id}', initiator: 'person' as const }
      await this.context.store.reserve({ ...entry, ...rest, atMs: this.context.now() })
      await this.context.store.settle(entry.id, { outcome: 'settled', status: 200 }, this.context.now())
    }
    this.context.advance(61 * SECOND)
  }

  /** Waits as long as the page says. */
  async waitOut(): Promise<void> {
    const quota = await this.me.quota()
    const waits = (quota?.pauses ?? []).filter(({ code }) => code !== 'month_suspected')
    const reset = quota?.read.remaining === 0 ? (quota.read.reset_in_ms ?? 0) : 0
    const ms = Math.max(reset, ...waits.map(({ ends_in_ms }) => ends_in_ms))
    if (ms > HOUR + MINUTE) this.fault(`the wait for a minute is ${ms} ms`)
    this.context.advance(Math.min(ms, HOUR + MINUTE))
  }

  /** Takes into the recording what the service's own ledger has of the journey. */
  finish({ unaided = false }: { unaided?: boolean }): void {
    const { recording } = this.context
    const lines = this.context
      .look()
      .lines.filter(({ number }) => !this.others.has(number) && !this.earlier.has(number))
    const isClear = unaided && differences(recording.choices).length <= 1
    recording.counted = lines.reduce((sum, { cost }) => sum + cost.month, 0)
    recording.verdicts = lines
      // Where others use the same token, it is they who were told; where much is switched, headers may tell nothing that can
      // be read, so there told.ts judges alone; and over the month a person may try all the same.
      .filter(({ verdict, rule }) => verdict !== 'sent_while_over' || (isClear && rule !== 'month_over'))
      .filter(({ verdict }) => verdict !== undefined)
      .map(({ number, method, path, verdict }) => `${verdict}: line ${number}, ${method} ${path}`)
  }
}
