/** A person at the page in one browser: signs in, presses, looks, and says how each of these ended. */
import { createHash, randomUUID } from 'node:crypto'
import { callbackParameters, readCallback } from '../../src/contract/authorize.ts'
import type { Finding } from '../../src/contract/evidence.ts'
import { type Press, priceOf, type PriceFacts } from '../../src/contract/price.ts'
import { Problem, type ProblemBody } from '../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { Person } from '../../test/kit/person.ts'
import { type Call, isGood, isRead, isToken } from './recording.ts'
import type { World } from './world.ts'

/** `ok`, the code of a problem, or `at the service`: on a page from which the person returns by hand. */
export interface Ending {
  code: string
  retryInMs?: number | undefined
}

type Reached = ConstructorParameters<typeof Person>[0]
interface Login {
  address: URL
  verifier?: string
  cookies: Map<string, string>
  callback?: { code: string; state: string }
}

const OK = { code: 'ok' }
const endingOf = ({ status, body }: { status: number; body?: Partial<ProblemBody> | undefined }): Ending =>
  status < 400 ? OK : { code: body?.code ?? `${status} without a code`, retryInMs: body?.retry_in_ms }

export class Visitor extends Person {
  /** The organization of the last sign-in, with its id as in an address. */
  organization: string
  /** That of its record. */
  path: string
  readonly name: string
  readonly #world: World
  #login: Login | undefined

  constructor(name: string, world: World, reached: Reached) {
    super(reached)
    this.name = name
    this.#world = world
    this.organization = name === 'Cleo' ? world.business : world.standard
    this.path = `/organizations/${this.organization}`
  }

  isSignedIn = async (): Promise<boolean> => (await this.session()).body.signed_in

  async quotaIfAny(): Promise<QuotaSnapshot | undefined> {
    const { status, body } = await this.request<QuotaSnapshot>('GET', '/bff/quota')
    return status === 200 ? body : undefined
  }

  press = async (path = this.path): Promise<Ending> => endingOf(await this.spend(path))
  look = async (path = this.path): Promise<Ending> => endingOf(await this.read(path))
  leave = async (): Promise<Ending> => endingOf(await this.signOut())

  /** A press, with what its button says just before and what the service counts for it. */
  async pay(at: string, press: Press): Promise<Ending> {
    const { recording, look } = { recording: this.#world.recording, look: () => this.#world.look().lines }
    const facts: PriceFacts =
      (press === 'sign_in' ? (await this.session()).body : await this.quotaIfAny()) ?? {}
    const [callsBefore, linesBefore] = [recording.calls.length, look().length]
    const work = {
      read: () => this.press(),
      check: () => this.press('/rate_limit'),
      sign_in: () => this.enter(),
    }
    const ending = await work[press]()
    const calls = recording.calls.slice(callsBefore)
    const firstRead = calls.findIndex(isRead)
    recording.prices.push({
      at,
      press,
      said: priceOf(press, facts),
      cost: look()
        .slice(linesBefore)
        .reduce((sum, { cost }) => sum + cost.month, 0),
      // A sign-in may leave the proof to a later read.
      isOk: ending.code === 'ok' && (firstRead === -1 || isGood(calls.findLast(isRead) as Call)),
      isForeseeable: firstRead === -1 || !calls.slice(firstRead).some(isToken),
      isExplained: /^x-plimsoll-spent\n2$/im.test(recording.replies.at(-1)?.headers ?? ''),
    })
    return ending
  }

  /** Enters the monthly access count, and confirms the reset of the month if the page asks. */
  async enterReading(): Promise<Ending> {
    const enter = async (more: object) =>
      endingOf(
        await this.request('POST', '/bff/readings', { json: { count: this.#world.monthCount(), ...more } }),
      )
    const first = await enter({})
    this.#world.areOthersUnknown = this.#world.recording.choices.shared === 'yes'
    return first.code === 'lower_reading' ? enter({ month_was_reset: true }) : first
  }

  async confirmFindings(): Promise<void> {
    const { body } = await this.request<{ findings?: Finding[] }>('GET', '/bff/evidence')
    for (const { name, value, confirmable } of body.findings ?? [])
      if (confirmable) await this.request('POST', `/bff/evidence/${name}`, { json: { value } })
  }

  async enterByKey(key: string): Promise<Ending> {
    return endingOf(await this.request('POST', '/bff/session', { json: { api_key: key } }))
  }

  /** @param tamper changes the address that the browser goes to, as a wrong setting would */
  async enter(decision = 'Permit', tamper: (address: URL) => void = () => {}): Promise<Ending> {
    await this.#begin(tamper)
    return this.#finish(await this.#arrive(decision))
  }

  /** Skips the service's pages and sends a code that it never issued. */
  async enterByMadeUpCode(): Promise<Ending> {
    const { searchParams } = (await this.#begin()).address
    return this.#finish({ code: `made-up-${randomUUID()}`, state: searchParams.get('state') ?? '' })
  }

  async #begin(tamper?: (address: URL) => void): Promise<Login> {
    const { body } = await this.session()
    if (body.signed_in) throw new Error(`${this.name} is signed in in this browser already`)
    const withChallenge = body.authorize.code_challenge_method === 'S256'
    const verifier = randomUUID() + randomUUID()
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const address = await this.startLogin(
      this.organization,
      // As the page makes it: letters and digits alone.
      randomUUID().replaceAll('-', ''),
      withChallenge ? challenge : undefined,
    )
    tamper?.(address)
    this.#login = { address, cookies: new Map(this.cookies), ...(withChallenge && { verifier }) }
    return this.#login
  }

  /** Another browser that holds these cookies, which this one may have lost. */
  twin(cookies: ReadonlyMap<string, string>): Visitor {
    const twin = this.#world.visitor(this.name)
    for (const [name, value] of cookies) twin.cookies.set(name, value)
    twin.#login = this.#login
    return twin
  }

  /** Returns the last sign-in's state and cookies, with its code (`callback`) or one just issued (`state`). */
  async replay(what: 'callback' | 'state'): Promise<Ending> {
    const { callback, cookies } = this.#login as Login
    const twin = this.twin(cookies)
    return twin.#finish(what === 'callback' && callback ? callback : await twin.#arrive('Permit'))
  }

  get hasSignedIn(): boolean {
    return this.#login?.callback !== undefined
  }

  /** Withdraws this person's permission on the service's own page. */
  withdraw = (): Promise<unknown> =>
    this.permit(
      new URL(`/settings/permissions?organization_id=${this.organization}`, 'http://127.0.0.1:4000'),
      this.name,
      'Revoke',
    )

  async #arrive(decision: string): Promise<Ending | { code: string; state: string }> {
    const { address } = this.#login as Login
    const back = await this.permit(address, this.name, decision).catch(() => undefined)
    if (back?.pathname !== '/callback') return { code: 'at the service' }
    try {
      const callback = readCallback(callbackParameters(back))
      // The page takes back only the state that it sent, and only once.
      if (callback.state !== address.searchParams.get('state')) return { code: 'state_mismatch' }
      ;(this.#login as Login).callback = callback
      return callback
    } catch (problem) {
      return { code: (problem as Problem).code }
    }
  }

  async #finish(arrival: Ending | { code: string; state: string }): Promise<Ending> {
    if (!('state' in arrival)) return arrival
    const verifier = this.#login?.verifier
    const { code, state } = arrival
    const json = { code, state, ...(verifier !== undefined && { code_verifier: verifier }) }
    return endingOf(await this.request('POST', '/bff/session', { json }))
  }
}
