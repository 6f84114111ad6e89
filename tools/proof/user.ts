/** A user at the page: handles cookies, state and callback as the page does, and reports how actions end. */
import { createHash } from 'node:crypto'
import { CSRF_HEADER, SPEND_HEADER } from '../../src/contract/api.ts'
import { callbackParameters, readCallback } from '../../src/contract/authorize.ts'
import type { Problem, ProblemBody, ProblemCode } from '../../src/contract/problem.ts'
import type { Evidence, Finding } from '../../src/contract/evidence.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import type { Session } from '../../src/contract/session.ts'
import { APP, type Context, SERVICE } from './context.ts'
import type { Action } from './recording.ts'
import { ServiceBrowser, type Visitor } from './service-pages.ts'

/** `ok`, a problem of the closed table, or a page of the service from which the user returns by hand. */
export interface Ending {
  end: 'ok' | 'problem' | 'at_service'
  code?: ProblemCode
  retryInMs?: number
  why?: string
}

let states = 0

/** The values that the page holds when the service has sent the browser back. */
interface Callback {
  code: string
  state: string
  verifier: string
}

export class User {
  readonly #context: Context
  readonly #service: ServiceBrowser
  readonly name: string
  readonly cookies = new Map<string, string>()
  /** The organization of the last sign-in, with its id as in an address. */
  organization: string | undefined
  #lastLogin:
    | { address: URL; verifier: string; cookies: Map<string, string>; callback?: Callback }
    | undefined

  constructor(context: Context, name = 'Ada') {
    this.#context = context
    this.#service = new ServiceBrowser(context)
    this.name = name
  }

  async send(
    kind: Action['kind'],
    method: string,
    path: string,
    { json, state }: { json?: unknown; state?: string } = {},
  ): Promise<Response> {
    const headers = new Headers({ [CSRF_HEADER]: '1', 'Sec-Fetch-Site': 'same-origin' })
    if (this.cookies.size > 0)
      headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (json !== undefined) headers.set('Content-Type', 'application/json')
    if (kind === 'press') headers.set(SPEND_HEADER, '1')
    const body = json === undefined ? null : JSON.stringify(json)
    const { organization } = this
    const about = { kind, ...(organization && { organization }), ...(state && { state }) }
    const response = await this.#context.ask(about, new Request(APP + path, { method, headers, body }))
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (attributes.some((one) => /^\s*Max-Age=0$/i.test(one))) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }

  session = async (): Promise<Session> =>
    (await this.send('free', 'GET', '/bff/session')).json() as Promise<Session>

  async isSignedIn(): Promise<boolean> {
    return (await this.session()).signed_in
  }

  async quota(): Promise<QuotaSnapshot | undefined> {
    const response = await this.send('free', 'GET', '/bff/quota')
    return response.ok ? ((await response.json()) as QuotaSnapshot) : undefined
  }

  async findings(): Promise<Finding[]> {
    const response = await this.send('free', 'GET', '/bff/evidence')
    return response.ok ? ((await response.json()) as Evidence).findings : []
  }

  /** Enters the monthly access count, and confirms the reset of the month if the page asks. */
  async enterReading(count: number): Promise<Ending> {
    const enter = async (more: object) =>
      ending(await this.send('free', 'POST', '/bff/readings', { json: { count, ...more } }))
    const first = await enter({})
    return first.code === 'lower_reading' ? enter({ month_was_reset: true }) : first
  }

  /** Presses a button that states it costs one request. */
  press = async (path: string): Promise<Ending> => ending(await this.send('press', 'GET', `/api${path}`))

  /** The page computes this by itself, from the remaining requests. */
  look = async (path: string): Promise<Ending> => ending(await this.send('free', 'GET', `/api${path}`))

  signOut = async (): Promise<Ending> => ending(await this.send('free', 'DELETE', '/bff/session'))

  async signInByKey(key: string, organization: string): Promise<Ending> {
    this.organization = organization
    return ending(await this.send('sign_in', 'POST', '/bff/session', { json: { api_key: key } }))
  }

  /**
   * @param decision `none` skips the service's pages and uses a code that the service never issued
   * @param tamper changes the address that the browser goes to, as a wrong setting would
   */
  async signIn(
    organizationId: string,
    decision: Visitor['decision'] | 'none' = 'Permit',
    tamper: (address: URL) => void = () => {},
  ): Promise<Ending> {
    const session = await this.session()
    if (session.signed_in) throw new Error(`${this.name} is signed in in this browser already`)
    this.organization = organizationId
    const { authorize } = session
    states += 1
    const state = createHash('md5').update(`state ${states}`).digest('hex')
    const verifier = createHash('sha256').update(`verifier ${states}`).digest('base64url')
    const login = await this.send('free', 'POST', '/bff/login', {
      json: { state, organization_id: organizationId },
    })
    if (!login.ok) return ending(login)
    const address = new URL(authorize.authorization_endpoint)
    const query = {
      client_id: authorize.client_id,
      redirect_uri: authorize.redirect_uri,
      response_type: 'code',
      state,
      organization_id: organizationId,
      ...(authorize.code_challenge_method === 'S256' && {
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }),
    }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    tamper(address)
    this.#lastLogin = { address, verifier, cookies: new Map(this.cookies) }
    if (decision === 'none') return this.#finish({ code: `made-up-${states}`, state, verifier })
    const arrival = await this.#arrive(decision)
    if ('end' in arrival) return arrival
    this.#lastLogin.callback = arrival
    return this.#finish(arrival)
  }

  /**
   * Returns the last sign-in's state and cookies, with its code (`callback`) or one just issued (`state`).
   */
  async replay(what: 'callback' | 'state'): Promise<Ending> {
    const last = this.#lastLogin
    if (last?.callback === undefined) throw new Error(`${this.name} has no sign-in to replay`)
    const callback = what === 'callback' ? last.callback : await this.#arrive('Permit')
    if ('end' in callback) return callback
    const now = new Map(this.cookies)
    this.#setCookies(last.cookies)
    const end = await this.#finish(callback)
    this.#setCookies(now)
    return end
  }

  /** Withdraws this user's permission on the service's own page. */
  withdraw = (organizationId: string): Promise<unknown> =>
    this.#service.follow(new URL(`${SERVICE}/settings/permissions?organization_id=${organizationId}`), {
      person: this.name,
      decision: 'Revoke',
    })

  #setCookies(cookies: ReadonlyMap<string, string>): void {
    this.cookies.clear()
    for (const [name, value] of cookies) this.cookies.set(name, value)
  }

  async #arrive(decision: Visitor['decision']): Promise<Callback | Ending> {
    const { address, verifier } = this.#lastLogin as { address: URL; verifier: string }
    const arrival = await this.#service.follow(address, { person: this.name, decision })
    if (arrival.at === 'service') return { end: 'at_service', why: arrival.why }
    if (arrival.method !== 'GET')
      return { end: 'at_service', why: `${arrival.method} to the callback opens no page` }
    const back = attempt(() => readCallback(callbackParameters(arrival.url)))
    if ('problem' in back) return { end: 'problem', code: back.problem.code }
    // The page takes back only the state that it sent, and only once.
    if (back.state !== address.searchParams.get('state')) return { end: 'problem', code: 'state_mismatch' }
    return { ...back, verifier }
  }

  async #finish({ code, state, verifier }: Callback): Promise<Ending> {
    const withChallenge = this.#lastLogin?.address.searchParams.has('code_challenge')
    const json = { code, state, ...(withChallenge && { code_verifier: verifier }) }
    return ending(await this.send('sign_in', 'POST', '/bff/session', { json, state }))
  }
}

async function ending(response: Response): Promise<Ending> {
  if (response.ok) return { end: 'ok' }
  const body = (await response.json().catch(() => ({}))) as Partial<ProblemBody>
  return {
    end: 'problem',
    ...(body.code !== undefined && { code: body.code }),
    ...(body.retry_in_ms !== undefined && { retryInMs: body.retry_in_ms }),
  }
}

function attempt(work: () => { code: string; state: string }) {
  try {
    return work()
  } catch (problem) {
    return { problem: problem as Problem }
  }
}
