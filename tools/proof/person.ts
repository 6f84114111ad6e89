/** A person at the page in one browser: what they do, how it ends, and which endings they can expect. */
import { createHash, randomUUID } from 'node:crypto'
import { callbackParameters, readCallback } from '../../src/contract/authorize.ts'
import { DAY_MS } from '../../src/contract/duration.ts'
import type { Finding } from '../../src/contract/evidence.ts'
import { type Press, type Price, priceOf, type PriceFacts } from '../../src/contract/price.ts'
import type { Problem, ProblemBody } from '../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { changedChoices } from '../../src/sandbox/choices/choices.ts'
import { Person } from '../../test/kit/person.ts'
import { type Call, costOf, isGood, isRead, isToken } from './call.ts'
import { type Cause, ENDINGS } from './endings.ts'
import { isFindingTrue } from './truth.ts'
import type { World } from './world.ts'

export const NAMES = ['ada', 'ada on her phone', 'ben', 'cleo', 'key'] as const
export type Name = (typeof NAMES)[number]
/** The model of fast-check: the people themselves. */
export type People = Record<Name, Visitor>

/** The service knows Ada, Ben and Cleo. */
const serviceName = (name: Name): string =>
  ({ ada: 'Ada', 'ada on her phone': 'Ada', ben: 'Ben', cleo: 'Cleo', key: 'Ada' })[name]

/** `ok`, the code of a problem, or `at the service`: on a page from which the person returns by hand. */
export interface Ending {
  code: string
  retryInMs?: number | undefined
}

interface Login {
  address: URL
  verifier: string | undefined
  cookies: ReadonlyMap<string, string>
  callback?: { code: string; state: string }
}

const endingOf = ({ status, body }: { status: number; body?: Partial<ProblemBody> | undefined }): Ending =>
  status < 400
    ? { code: 'ok' }
    : { code: body?.code ?? `${status} without a code`, retryInMs: body?.retry_in_ms }

export class Visitor extends Person {
  readonly name: Name
  /** The organization of the last sign-in, with its id as in an address. */
  organization: string
  /** The path of its record. */
  readonly path: string
  /** True while they are signed in, as far as they know. */
  isIn = false
  #signedInAtMs = Infinity
  #isUnproven = false
  readonly #causes = new Set<Cause>()
  readonly #world: World
  #login: Login | undefined

  constructor(name: Name, world: World, reached: ConstructorParameters<typeof Person>[0]) {
    super(reached)
    this.name = name
    this.#world = world
    const organization = name === 'cleo' ? world.business : world.standard
    // The client does not know the organization of a key, so a key has a month of its own.
    this.organization = name === 'key' ? `key of ${organization}` : organization
    this.path = name === 'key' ? '/organizations' : `/organizations/${organization}`
  }

  isSignedIn = async (): Promise<boolean> => (await this.session()).body.signed_in

  async quotaIfAny(): Promise<QuotaSnapshot | undefined> {
    const { status, body } = await this.request<QuotaSnapshot>('GET', '/bff/quota')
    return status === 200 ? body : undefined
  }

  press = async (path = this.path): Promise<Ending> => endingOf(await this.spend(path))
  look = async (): Promise<Ending> => endingOf(await this.read(this.path))

  async leave(): Promise<Ending> {
    this.isIn = false
    return endingOf(await this.signOut())
  }

  /** A press, or a sign-in, which costs what its button said just before. */
  async pays(press: Press, cause?: Cause): Promise<Ending> {
    const what = press === 'sign_in' ? `${this.name} signs in` : `${this.name} presses ${press}`
    const { calls, saw } = this.#world
    const facts: PriceFacts =
      (press === 'sign_in' ? (await this.session()).body : await this.quotaIfAny()) ?? {}
    const before = calls.length
    const ending = await (press === 'sign_in'
      ? this.enter()
      : this.press(press === 'check' ? '/rate_limit' : this.path))
    const wrong = this.#wrongPrice(priceOf(press, facts), calls.slice(before), ending)
    if (wrong !== undefined) saw('a press costs what its button said', `${what}: ${wrong}`)
    await this.ended(what, ending, cause)
    return ending
  }

  #wrongPrice({ low, high }: Price, calls: readonly Call[], { code }: Ending): string | undefined {
    const cost = costOf(calls)
    const [firstRead, lastRead] = [calls.findIndex(isRead), calls.findLast(isRead)]
    // A sign-in may leave the proof to a later read.
    const isOk = code === 'ok' && (lastRead === undefined || isGood(lastRead))
    // Nobody can know that the service will refuse an access token that should be good.
    if (firstRead >= 0 && calls.slice(firstRead).some(isToken)) {
      const isSaid = this.#world.replies.at(-1)?.headers.get('X-Plimsoll-Spent') === '2'
      return isOk && !isSaid ? `it cost ${cost}, and nothing says why` : undefined
    }
    // A press that failed may cost less than its button said.
    return cost > high || (isOk && cost < low) ? `said ${low} to ${high}, and cost ${cost}` : undefined
  }

  /** Until a press works or a sign-in succeeds, this may be the reason for a refusal. */
  because = (cause: Cause): void => void this.#causes.add(cause)

  /** Takes in how a press or a sign-in ended. */
  async ended(what: string, { code }: Ending, cause?: Cause): Promise<void> {
    const { endings, saw, now } = this.#world
    endings.push(`${what}: ${code}`)
    if (cause !== undefined) this.because(cause)
    if (code === 'ok') {
      if (!this.isIn) this.#signedInAtMs = now()
      this.isIn = true
      this.#isUnproven = !this.#world.isProven(this)
      this.#causes.clear()
      return
    }
    if (!(await this.#isExpected(code)))
      saw('every ending has a reason', `${this.name}, ${what}: ended with ${code}`)
    if (['access_withdrawn', 'signed_out'].includes(code)) this.isIn = false
    // An error that says nothing of a grant may be one of the token endpoint, which all then leave alone.
    if (['refresh_failed', 'credential_refused'].includes(code)) this.#world.because('trouble at a refresh')
    // Whatever the problem is, there is a way on: a session, or a place to sign in.
    const { body } = await this.session()
    if (!body.signed_in && !body.authorize.authorization_endpoint.endsWith('/oauth2/login'))
      saw('every ending has a reason', `${this.name}, ${what}: there is no way on`)
  }

  async #isExpected(code: string): Promise<boolean> {
    if (code === 'signed_out' && !this.isIn) return true
    // Such a session has no first screen and no readings, and soon ends.
    if (this.#isUnproven && ['costs_a_request', 'not_confirmed', 'signed_out'].includes(code)) return true
    const causes = new Set(this.#causes)
    if (this.#world.now() - this.#signedInAtMs >= DAY_MS) causes.add('signed in for a day')
    if (await this.isMonthOver()) causes.add('month')
    const isOther = changedChoices(this.#world.choices).length > 0
    return [...causes]
      .map((one) => ENDINGS[one])
      .some((one) => `${one.default} ${isOther ? one.other : ''}`.split(' ').includes(code))
  }

  /** The client's own count may be ahead of the service's, which it then asks once a minute. */
  async isMonthOver(): Promise<boolean> {
    const month = (await this.quotaIfAny())?.month
    return (
      this.#world.isMonthOver() ||
      month?.suspected !== undefined ||
      (month?.high ?? 0) >= 88 ||
      (month?.organization?.high ?? 0) >= 88
    )
  }

  /** Enters the monthly access count, and confirms the reset of the month if the page asks. */
  async enterReading(): Promise<void> {
    const count = this.#world.monthCount()
    const enter = async (more: object) =>
      endingOf(await this.request('POST', '/bff/readings', { json: { count, ...more } }))
    const first = await enter({})
    this.#world.areOthersUnknown = this.#world.choices.shared === 'yes'
    const ending = first.code === 'lower_reading' ? await enter({ month_was_reset: true }) : first
    if (ending.code !== 'ok') await this.ended('the reading', ending)
  }

  async findings(): Promise<Finding[]> {
    const { body } = await this.request<{ findings?: Finding[] }>('GET', '/bff/evidence')
    return body.findings ?? []
  }

  /** Confirms what fits so far, and is so: what a person confirms wrongly makes the figures wrong. */
  async confirmFindings(): Promise<void> {
    for (const { name, value, confirmable } of await this.findings())
      if (value !== undefined && confirmable && isFindingTrue(name, value, this.#world))
        await this.request('POST', `/bff/evidence/${name}`, { json: { value } })
  }

  enterByKey = async (key: string): Promise<Ending> =>
    endingOf(await this.request('POST', '/bff/session', { json: { api_key: key } }))

  /** Skips the service's pages and sends a code that it never issued. */
  async enterByMadeUpCode(): Promise<Ending> {
    const { searchParams } = (await this.#begin()).address
    return this.#finish({ code: `made-up-${randomUUID()}`, state: searchParams.get('state') ?? '' })
  }

  async enter(): Promise<Ending> {
    const login = await this.#begin()
    const back = await this.permit(login.address, serviceName(this.name)).catch(() => undefined)
    if (back?.pathname !== '/callback') return { code: 'at the service' }
    try {
      const callback = readCallback(callbackParameters(back))
      // The page takes back only the state that it sent, and only once.
      if (callback.state !== login.address.searchParams.get('state')) return { code: 'state_mismatch' }
      login.callback = callback
      return await this.#finish(callback)
    } catch (problem) {
      return { code: (problem as Problem).code }
    }
  }

  async #begin(): Promise<Login> {
    const { body } = await this.session()
    if (body.signed_in) throw new Error(`${this.name} is signed in in this browser already`)
    const verifier = body.authorize.code_challenge_method === 'S256' ? randomUUID() + randomUUID() : undefined
    const challenge = verifier && createHash('sha256').update(verifier).digest('base64url')
    // As the page makes it: letters and digits alone.
    const state = randomUUID().replaceAll('-', '')
    const address = await this.startLogin(this.organization, state, challenge)
    this.#login = { address, verifier, cookies: new Map(this.cookies) }
    return this.#login
  }

  async #finish(callback: Login['callback']): Promise<Ending> {
    const verifier = this.#login?.verifier
    const json = { ...callback, ...(verifier !== undefined && { code_verifier: verifier }) }
    return endingOf(await this.request('POST', '/bff/session', { json }))
  }

  /** Another browser that holds these cookies, which this one may have lost. */
  twin(cookies: ReadonlyMap<string, string>): Visitor {
    const twin = this.#world.visitor(this.name)
    for (const [name, value] of cookies) twin.cookies.set(name, value)
    twin.#login = this.#login
    return twin
  }

  /** The address of the last sign-in's callback comes once more, with its cookies. */
  async replay(): Promise<Ending | undefined> {
    const { callback, cookies } = this.#login ?? {}
    return callback && cookies && this.twin(cookies).#finish(callback)
  }
}
