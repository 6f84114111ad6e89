/** A journey in progress: its users, the checks at every step, and the requests of others. */
import { isErrorBody } from '../../src/contract/error-body.ts'
import { idOnWire } from '../../src/sandbox/api/organization.ts'
import { DEFAULT_CHOICES, type Choices } from '../../src/sandbox/choices/choices.ts'
import { type Context, SERVICE } from './context.ts'
import { expectedFor, IMPOSSIBLE_AT_SIGN_IN, type StepName } from './expected.ts'
import { checksOf } from './learnt.ts'
import { unknownRequests } from './month-width.ts'
import { figuresOf, unprovenCalls, unprovenLines } from './unproven.ts'
import { type Ending, User } from './user.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export class Journey {
  readonly context: Context
  readonly choices: Choices
  /** The journey uses every limit up by itself; otherwise others, with the same token, use most of it. */
  readonly unaided: boolean
  /** Ada and Ben belong to the Standard organization, Cleo to the Business one. */
  readonly ada: User
  readonly ben: User
  readonly cleo: User
  /** The organizations' ids as in the address of a project list. */
  readonly standard: string
  readonly business: string
  readonly path: string
  /** Values that were set back because they make a sign-in impossible. */
  readonly setBack: Partial<Choices> = {}
  /** True once others have used Ada's token. */
  #isShared = false
  /** Numbers of the lines in the service's log that are not of this journey. */
  readonly #others = new Set<number>()
  /** Times of the requests in the ledger that were sent before the journey. */
  readonly #earlierMs: number[] = []
  /** Lines of others whose requests were removed from the month. */
  readonly #takenOut = new Set<number>()
  /** The service's count at the newest reading, and the logged requests of that month then. */
  #reading = { count: 0, logged: 0, startMs: 0 }

  constructor(context: Context, unaided: boolean) {
    this.context = context
    this.choices = context.recording.choices
    // With two seconds for each answer, the journey cannot use a minute up alone.
    this.unaided = unaided && this.choices.slow !== 'seconds_2'
    this.ada = new User(context, 'Ada')
    this.ben = new User(context, 'Ben')
    this.cleo = new User(context, 'Cleo')
    const [standard, business] = [1001, 2002].map((id) => idOnWire({ choices: this.choices }, { id }))
    this.standard = standard ?? ''
    this.business = business ?? ''
    this.path = `/organizations/${this.standard}`
  }

  /**
   * Each value that makes Ada's sign-in impossible has to end it as its row states. The values are then set
   * back one at a time, in the order in which a sign-in meets them, so that each is met with all others in
   * place.
   */
  async firstSignIn(): Promise<void> {
    for (const [key, values] of IMPOSSIBLE_AT_SIGN_IN) {
      const value = this.choices[key]
      const endings = values[value]
      if (endings === undefined) continue
      const ending = await this.ada.signIn(this.standard)
      await this.note(`sign-in with ${key}=${value}`, ending)
      this.outcome('sign-in', `ended at the sign-in because ${key}=${value}: ${outcomeOf(ending)}`)
      if (!endings.includes(outcomeOf(ending)))
        this.fault(`the sign-in with ${key}=${value}: ${outcomeOf(ending)}`)
      Object.assign(this.setBack, { [key]: value })
      this.choose({ [key]: DEFAULT_CHOICES[key] })
      this.context.advance(2 * MINUTE)
    }
    await this.expectOk('sign-in', await this.ada.signIn(this.standard))
    const many = Object.keys(this.setBack).length
    this.outcome('sign-in', many === 0 ? 'signed in' : `signed in with ${many} set back`)
  }

  /** Few requests if the rest of the month is just enough for the journey. */
  get othersBefore(): number {
    return this.unaided ? 1 : 5
  }

  choose(values: Partial<Choices>): void {
    this.context.edit((state) => void Object.assign(state.choices, values))
  }

  /** Checks that one press works, if necessary after another sign-in. */
  async again(step: string): Promise<void> {
    if (!(await this.ada.isSignedIn())) await this.signInAgain(step)
    const ending = await this.ada.press(this.path)
    await this.note(step, ending)
    if (ending.end === 'ok' || this.context.isMonthOver()) return
    // Whatever the problem is, signing out and in again has to solve it.
    await this.ada.signOut()
    this.context.advance(2 * MINUTE)
    await this.signInAgain(step)
    await this.expectOk(`${step}, second try`, await this.ada.press(this.path))
  }

  async signInAgain(step: string): Promise<void> {
    const ending = await this.ada.signIn(this.standard)
    if (this.context.isMonthOver()) await this.note(`${step}: sign-in`, ending)
    else await this.expectOk(`${step}: sign-in`, ending)
  }

  /** Others use the same token: only the headers can report it. Their requests are removed from the month. */
  async othersUse(requests: number): Promise<void> {
    this.#isShared = true
    await this.byOthers(async () => {
      const { choices } = this.context.look().state
      const takeOut = this.startTakingOut()
      // Slow answers would outlast the minute.
      this.choose({ slow: 'none' })
      for (let request = 0; request < requests; request += 1) {
        const response = await this.direct(this.path)
        // Otherwise the month would be used up before the minute.
        takeOut()
        if (response?.status === 429) break
      }
      this.choose(choices)
    })
  }

  /** @returns a function that removes from the months what the service has counted since */
  startTakingOut(): () => void {
    const { months, requests: before } = this.context.look().state
    return () => {
      this.context.edit((state) => {
        state.months = months
        for (let number = before + 1; number <= state.requests; number += 1) this.#takenOut.add(number)
      })
    }
  }

  /** Sends a request with Ada's token that is not the app's. */
  direct(path: string): Promise<Response | undefined> {
    const isAdas = ({ authorization, path: asked }: { authorization: string | null; path: string }) =>
      authorization !== null && asked === this.path
    const { authorization } = this.context.recording.calls.findLast(isAdas) ?? {}
    return this.context.browse(
      new Request(SERVICE + path, { headers: { Authorization: authorization ?? '' } }),
    )
  }

  /** Marks the log lines that are written meanwhile as not of the app. */
  async byOthers(work: () => Promise<void>): Promise<void> {
    const last = () => this.context.look().state.requests
    const before = last()
    await work()
    for (let number = before + 1; number <= last(); number += 1) this.#others.add(number)
  }

  /** Records earlier requests of this month, in the service's count and in the ledger. */
  async spendEarlier(requests: number): Promise<void> {
    const { store } = this.context
    const nowMs = this.context.now()
    for (let request = 0; request < requests; request += 1) {
      const entry = { id: `earlier-${request}`, organization: this.standard, kind: 'api.read' as const }
      const rest = { method: 'GET', path: '/organizations/{id}', initiator: 'person' as const }
      await store.reserve({ ...entry, ...rest, atMs: nowMs })
      await store.settle(entry.id, { outcome: 'settled', status: 200 }, nowMs)
      this.#earlierMs.push(nowMs)
    }
    this.context.edit(({ months }) => {
      const month = months[1001]
      if (month !== undefined) month.count += requests
    })
  }

  /**
   * The service's whole count of this month. If the service adds another client's request to each of the
   * app's (`shared`), those are left out from the newest reading on, because they do not come at a steady
   * rate.
   */
  total(id: 1001 | 2002, { state, lines } = this.context.look()): number {
    const month = state.months[id]
    if (month === undefined || month.ends_at_ms <= this.context.now()) return 0
    if (this.choices.shared !== 'yes') return month.count
    const logged = lines
      .filter(({ organization_id, at_ms }) => organization_id === id && at_ms >= month.starts_at_ms)
      .filter(({ number }) => !this.#takenOut.has(number))
      .reduce((sum, { cost }) => sum + cost.month, 0)
    const { startMs, count, logged: before } = this.#reading
    return month.starts_at_ms === startMs ? count + logged - before : logged
  }

  async enterReading(at: string): Promise<void> {
    const seen = this.context.look()
    const month = seen.state.months[1001]
    const isPresent = month !== undefined && month.ends_at_ms > this.context.now()
    const count = isPresent ? month.count : 0
    this.#reading = { count: 0, logged: 0, startMs: isPresent ? month.starts_at_ms : 0 }
    this.#reading = { ...this.#reading, count, logged: this.total(1001, seen) }
    await this.expectOk(at, await this.ada.enterReading(count))
    this.context.recording.readings += 1
  }

  /** The service's count of the app's own requests in this month, for one organization. */
  count(id: 1001 | 2002, { state, lines } = this.context.look()): number {
    const month = state.months[id]
    if (month === undefined || month.ends_at_ms <= this.context.now()) return 0
    const earlier = id === 1001 ? this.#earlierMs.filter((ms) => ms >= month.starts_at_ms).length : 0
    const unproven = unprovenLines(this.context.recording, lines)
    return lines
      .filter(({ organization_id, at_ms }) => organization_id === id && at_ms >= month.starts_at_ms)
      .filter(({ number }) => !this.#others.has(number) && !unproven.has(number))
      .reduce((sum, { cost }) => sum + cost.month, earlier)
  }

  /** Records what the signed-in `witness` sees of an organization while someone fails to sign in to it. */
  async witness(at: string, witness: User, signIn: () => Promise<Ending>): Promise<Ending> {
    const before = await witness.quota()
    const ending = await signIn()
    const after = await witness.quota()
    if (before === undefined || after === undefined) this.fault(`${at}: no one was there to see it`)
    else if (ending.end !== 'ok')
      this.context.recording.figures.push({ at, before: figuresOf(before), after: figuresOf(after) })
    return ending
  }

  async checkMonth(at: string): Promise<void> {
    const { calls, months } = this.context.recording
    const unproven = unprovenCalls(this.context.recording)
    for (const user of [this.ada, this.cleo]) {
      const quota = await user.quota()
      if (quota === undefined || user.organization === undefined) continue
      const isStandard = user.organization === this.standard
      const id = isStandard ? 1001 : 2002
      const seen = this.context.look()
      const own = calls.filter(
        (call) => call.action?.organization === user.organization && !unproven.has(call),
      )
      const sent = own.map((call) => ({ atMs: call.sentAtMs, isSure: isSurelyCounted(call) }))
      const earlier = isStandard ? this.#earlierMs.map((atMs) => ({ atMs, isSure: true })) : []
      const { low, high, organization } = quota.month
      const unknown = unknownRequests([...sent, ...earlier], this.context.now(), this.choices.skew)
      months.push({
        at: `${user.name} ${at}`,
        low,
        high,
        truth: this.count(id, seen),
        unknown,
        ...(organization && {
          organization: { ...organization, truth: this.total(id, seen) },
        }),
      })
    }
    await this.#checkLearnt(at)
  }

  async #checkLearnt(at: string): Promise<void> {
    const findings = await this.ada.findings()
    const { state, lines } = this.context.look()
    const truth = { choices: this.choices, lines, months: Object.values(state.months) }
    this.context.recording.learnt.push(...checksOf(at, findings, truth))
  }

  async expectOk(step: string, ending: Ending, user = this.ada): Promise<void> {
    if (ending.end !== 'ok') this.fault(`${step}: ended with ${outcomeOf(ending)}`)
    await this.note(step, ending, user)
  }

  /** Notes an ending for the summary, and checks it against those that these choices allow. */
  reached(step: StepName, outcome: string): void {
    const allowed = expectedFor(step, this.context.look().state.choices)
    if (!allowed.includes(outcome)) this.fault(`${step}: ended with ${outcome}`)
    this.outcome(step, outcome)
  }

  outcome(step: string, outcome: string): void {
    this.context.recording.outcomes.push({ step, outcome })
  }

  /** Checks that there is a way forward: a known user or a place to sign in, and how long to wait. */
  async note(step: string, ending: Ending, user = this.ada): Promise<void> {
    this.context.recording.steps.push(`${step}: ${ending.why ?? outcomeOf(ending)}`)
    if (ending.end === 'ok') return
    const session = await user.session()
    const canGoOn =
      session.signed_in || session.authorize.authorization_endpoint === `${SERVICE}/oauth2/login`
    if (!canGoOn) this.fault(`${step}: there is no way on`)
  }

  fault(what: string): void {
    this.context.recording.faults.push(what)
  }

  /** Waits as long as the page states. */
  async waitOut(): Promise<void> {
    const quota = await this.ada.quota()
    const waits = (quota?.pauses ?? []).filter(({ code }) => code !== 'month_suspected')
    const reset = quota?.read.remaining === 0 ? (quota.read.reset_in_ms ?? 0) : 0
    this.context.advance(Math.max(reset, ...waits.map(({ ends_in_ms }) => ends_in_ms)))
  }

  /** Copies the journey's lines of the service's log into the recording. */
  finish(): void {
    const { recording } = this.context
    const lines = this.context.look().lines.filter(({ number }) => !this.#others.has(number))
    const { length } = Object.keys(this.choices).filter(
      (key) => this.choices[key as keyof Choices] !== DEFAULT_CHOICES[key as keyof Choices],
    )
    const isClear = !this.#isShared && length <= 1
    recording.counted = lines
      .filter(({ cost }) => cost.month > 0)
      .map(({ at_ms, method, path }) => ({ atMs: at_ms, what: `${method} ${path}` }))
    recording.verdicts = lines
      // With a shared token, the answers may have gone to others. With many choices, the headers may be
      // unreadable, and reported-limits.ts judges alone. And a user may try again although the month is used
      // up.
      .filter(({ verdict, rule }) => verdict !== 'sent_while_over' || (isClear && rule !== 'month_over'))
      .filter(({ verdict }) => verdict !== undefined)
      .map(({ number, at_ms, method, path, verdict }) => ({
        atMs: at_ms,
        what: `${verdict}: line ${number}, ${method} ${path}`,
      }))
  }
}

export const outcomeOf = ({ end, code }: Ending): string =>
  end === 'problem' ? (code ?? 'no code') : end === 'ok' ? 'ok' : 'at the service'

/** An API read that succeeded (8.3): no other request is sure to count. */
const isSurelyCounted = ({ path, answer }: { path: string; answer?: { status: number; text: string } }) =>
  path.startsWith('/organizations') &&
  answer !== undefined &&
  answer.status >= 200 &&
  answer.status < 300 &&
  !isErrorBody(answer.text)
