/** A person at the page: does what the page does with cookies, state and callback, and remembers how each thing ended. */
import { createHash } from 'node:crypto'
import { CSRF_HEADER, SPEND_HEADER } from '../../src/contract/api.ts'
import { callbackParameters, readCallback } from '../../src/contract/authorize.ts'
import { PROBLEMS, type Problem, type ProblemBody, type ProblemCode } from '../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import type { Session } from '../../src/contract/session.ts'
import { APP, type Context } from './context.ts'
import type { Action } from './recording.ts'
import { ServiceBrowser, type Visitor } from './service-pages.ts'

/** How something ended: `ok`, a problem of the closed table, or at the service, from where the person comes back by hand. */
export interface Ending {
  end: 'ok' | 'problem' | 'at_service'
  code?: ProblemCode
  retryInMs?: number
  why?: string
}

let states = 0

export class User {
  readonly #context: Context
  readonly #service: ServiceBrowser
  readonly cookies = new Map<string, string>()

  constructor(context: Context) {
    this.#context = context
    this.#service = new ServiceBrowser(context)
  }

  async send(kind: Action['kind'], method: string, path: string, json?: unknown): Promise<Response> {
    const headers = new Headers({ [CSRF_HEADER]: '1', 'Sec-Fetch-Site': 'same-origin' })
    if (this.cookies.size > 0)
      headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (json !== undefined) headers.set('Content-Type', 'application/json')
    if (kind === 'press') headers.set(SPEND_HEADER, '1')
    const body = json === undefined ? null : JSON.stringify(json)
    const response = await this.#context.ask(kind, new Request(APP + path, { method, headers, body }))
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

  /** Presses a button that says it costs one request. */
  press = async (path: string): Promise<Ending> => ending(await this.send('press', 'GET', `/api${path}`))

  /** What the page draws by itself, from what is kept. */
  look = async (path: string): Promise<Ending> => ending(await this.send('free', 'GET', `/api${path}`))

  signOut = async (): Promise<Ending> => ending(await this.send('free', 'DELETE', '/bff/session'))

  signInByKey = async (key: string): Promise<Ending> =>
    ending(await this.send('sign_in', 'POST', '/bff/session', { api_key: key }))

  /** @param tamper changes the address that the browser goes to, as a wrong setting would */
  async signIn(
    organizationId: string,
    visitor: Visitor,
    tamper: (address: URL) => void = () => {},
  ): Promise<Ending> {
    const session = await this.session()
    if (session.signed_in) throw new Error('Somebody is signed in in this browser already')
    const { authorize } = session
    states += 1
    const state = createHash('md5').update(`state ${states}`).digest('hex')
    const verifier = createHash('sha256').update(`verifier ${states}`).digest('base64url')
    const login = await this.send('free', 'POST', '/bff/login', { state, organization_id: organizationId })
    if (!login.ok) return ending(login)
    const address = new URL(authorize.authorization_endpoint)
    const withChallenge = authorize.code_challenge_method === 'S256'
    const query = {
      client_id: authorize.client_id,
      redirect_uri: authorize.redirect_uri,
      response_type: 'code',
      state,
      organization_id: organizationId,
      ...(withChallenge && {
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }),
    }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    tamper(address)
    const arrival = await this.#service.walk(address, visitor)
    if (arrival.at === 'service') return { end: 'at_service', why: arrival.why }
    if (arrival.method !== 'GET')
      return { end: 'at_service', why: `${arrival.method} to the callback opens no page` }
    const back = attempt(() => readCallback(callbackParameters(arrival.url)))
    if ('problem' in back) return { end: 'problem', code: back.problem.code }
    // The page takes its state back once; another one than it sent is none of its own.
    if (back.state !== state) return { end: 'problem', code: 'state_mismatch' }
    const proof = withChallenge ? { code_verifier: verifier } : {}
    return ending(
      await this.send('sign_in', 'POST', '/bff/session', { code: back.code, state: back.state, ...proof }),
    )
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

export const isKnownProblem = (code: string | undefined): code is ProblemCode =>
  code !== undefined && Object.hasOwn(PROBLEMS, code) && code !== 'unknown'
