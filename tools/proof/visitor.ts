/** A person at the page in one browser: signs in, presses, looks, and says how each of these ended. */
import { createHash, randomUUID } from 'node:crypto'
import { callbackParameters, readCallback } from '../../src/contract/authorize.ts'
import type { Finding } from '../../src/contract/evidence.ts'
import { type Press, priceOf, type PriceFacts } from '../../src/contract/price.ts'
import type { Problem, ProblemBody } from '../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { Person } from '../../test/kit/person.ts'
import { isGood, isRead, isToken } from './recording.ts'
import { isFindingTrue } from './truth.ts'
import type { World } from './world.ts'

/** `ok`, the code of a problem, or `at the service`: on a page from which the person returns by hand. */
export interface Ending {
  code: string
  retryInMs?: number | undefined
}

interface Callback {
  code: string
  state: string
}
interface Login {
  address: URL
  verifier: string | undefined
  cookies: ReadonlyMap<string, string>
  callback?: Callback
}

const endingOf = ({ status, body }: { status: number; body?: Partial<ProblemBody> | undefined }): Ending =>
  status < 400
    ? { code: 'ok' }
    : { code: body?.code ?? `${status} without a code`, retryInMs: body?.retry_in_ms }

export class Visitor extends Person {
  /** The organization of the last sign-in, with its id as in an address. */
  organization: string
  /** The path of its record. */
  path: string
  readonly name: string
  readonly #world: World
  #login: Login | undefined

  constructor(name: string, world: World, reached: ConstructorParameters<typeof Person>[0]) {
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
  look = async (): Promise<Ending> => endingOf(await this.read(this.path))
  leave = async (): Promise<Ending> => endingOf(await this.signOut())

  /** A press, with what its button says just before and what the service counts for it. */
  async pay(at: string, press: Press): Promise<Ending> {
    const { recording } = this.#world
    const facts: PriceFacts =
      (press === 'sign_in' ? (await this.session()).body : await this.quotaIfAny()) ?? {}
    const before = recording.calls.length
    const ending = await (press === 'sign_in'
      ? this.enter()
      : this.press(press === 'check' ? '/rate_limit' : this.path))
    const { low, high } = priceOf(press, facts)
    const calls = recording.calls.slice(before)
    const cost = this.#world.costOf(calls)
    const [firstRead, lastRead] = [calls.findIndex(isRead), calls.findLast(isRead)]
    // A sign-in may leave the proof to a later read.
    const isOk = ending.code === 'ok' && (lastRead === undefined || isGood(lastRead))
    // Nobody can know that the service will refuse an access token that should be good.
    if (firstRead >= 0 && calls.slice(firstRead).some(isToken)) {
      if (isOk && recording.replies.at(-1)?.headers.get('X-Plimsoll-Spent') !== '2')
        this.#world.saw('a press costs what its button said', `${at}: it cost ${cost}, and nothing says why`)
      // A press that failed may cost less than its button said.
    } else if (cost > high || (isOk && cost < low))
      this.#world.saw('a press costs what its button said', `${at}: said ${low} to ${high}, and cost ${cost}`)
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

  /** Confirms what fits so far, and is so: what a person confirms wrongly makes the figures wrong. */
  async confirmFindings(): Promise<void> {
    const { body } = await this.request<{ findings?: Finding[] }>('GET', '/bff/evidence')
    for (const { name, value, confirmable } of body.findings ?? [])
      if (value !== undefined && confirmable && isFindingTrue(name, value, this.#world.truth()))
        await this.request('POST', `/bff/evidence/${name}`, { json: { value } })
  }

  enterByKey = async (key: string): Promise<Ending> =>
    endingOf(await this.request('POST', '/bff/session', { json: { api_key: key } }))

  async enter(): Promise<Ending> {
    const login = await this.#begin()
    const back = await this.permit(login.address, this.name).catch(() => undefined)
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

  /** Skips the service's pages and sends a code that it never issued. */
  async enterByMadeUpCode(): Promise<Ending> {
    const { searchParams } = (await this.#begin()).address
    return this.#finish({ code: `made-up-${randomUUID()}`, state: searchParams.get('state') ?? '' })
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

  async #finish(callback: Callback): Promise<Ending> {
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
