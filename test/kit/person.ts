/** A person with a browser, over HTTP: keeps cookies of app and service apart, and does as the page does. */
import type { Bff } from '../../src/bff/bff.ts'
import { CSRF_HEADER, SPEND_HEADER } from '../../src/contract/api.ts'
import type { ProblemBody } from '../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import type { SignedIn, SignedOut } from '../../src/contract/session.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { APP, SERVICE, STANDARD } from './config.ts'

type Answer<Body> = { status: number; headers: Headers; body: Body }

/** The target of a browser's requests, and the clock for the expiry of its cookies. */
interface Reached {
  publicUrl?: string | undefined
  bff: Pick<Bff, 'fetch'>
  sandbox: Pick<Sandbox, 'fetch'>
  now(): number
}

/** Keeps cookies for app and service apart, and does what the page does. */
export class Person {
  readonly cookies = new Map<string, string>()
  readonly #serviceCookies = new Map<string, string>()
  /** The expiry of cookies by their Max-Age, UNIX milliseconds. */
  readonly #ends = new Map<string, number>()
  readonly #fixture: Reached
  readonly #address: string

  constructor(fixture: Reached, address = '127.0.0.1') {
    this.#fixture = fixture
    this.#address = address
  }

  /** A request of our own page. Members of `headers` that are `undefined` remove a header. */
  async request<Body = ProblemBody>(
    method: string,
    path: string,
    {
      json,
      headers = {},
      ...init
    }: { json?: unknown; headers?: Record<string, string | undefined>; body?: BodyInit } = {},
  ): Promise<Answer<Body>> {
    const all = new Headers({ [CSRF_HEADER]: '1', 'Sec-Fetch-Site': 'same-origin' })
    if (json !== undefined) all.set('Content-Type', 'application/json')
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined) all.delete(name)
      else all.set(name, value)
    }
    const body = json === undefined ? init.body : JSON.stringify(json)
    const response = await this.#send(path, {
      method,
      headers: all,
      ...(body === undefined ? {} : { body }),
    })
    const text = await endOf(response)
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : parse(text)) as Body,
    }
  }

  /** Sends a request of the page's own code, with only the headers that every browser adds. */
  async fetch(path: string, { method = 'GET', headers, body = null }: RequestInit = {}): Promise<Response> {
    const all = new Headers(headers)
    all.set('Sec-Fetch-Site', 'same-origin')
    return this.#send(path, { method, headers: all, body })
  }

  async #send(path: string, init: RequestInit & { headers: Headers }): Promise<Response> {
    this.#dropEnded(this.cookies)
    if (this.cookies.size > 0 && !init.headers.has('Cookie'))
      init.headers.set('Cookie', written(this.cookies))
    const response = await this.#fixture.bff.fetch(new Request(APP + path, init), { address: this.#address })
    this.#store(this.cookies, response)
    return response
  }

  #dropEnded(cookies: Map<string, string>): void {
    for (const name of cookies.keys())
      if ((this.#ends.get(name) ?? Infinity) < this.#fixture.now()) cookies.delete(name)
  }

  /** Max-Age 0 removes a cookie, others let it expire after as many seconds (RFC 6265 5.2.2, 5.3). */
  #store(cookies: Map<string, string>, response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      const maxAge = attributes.map((one) => /^\s*Max-Age=(-?\d+)$/i.exec(one)?.[1]).find(Boolean)
      this.#ends.delete(name)
      if (maxAge !== undefined)
        this.#ends.set(name, Number(maxAge) > 0 ? this.#fixture.now() + Number(maxAge) * 1000 : -Infinity)
      cookies.set(name, pair.slice(pair.indexOf('=') + 1))
    }
    this.#dropEnded(cookies)
  }

  session = () => this.request<SignedIn | SignedOut>('GET', '/bff/session')
  quota = async () => (await this.request<QuotaSnapshot>('GET', '/bff/quota')).body
  read = <Body = ProblemBody>(path: string) => this.request<Body>('GET', `/api${path}`)
  spend = <Body = ProblemBody>(path: string) =>
    this.request<Body>('GET', `/api${path}`, { headers: { [SPEND_HEADER]: '1' } })
  signOut = () => this.request('DELETE', '/bff/session')

  /** Starts a sign-in as the page does. @returns the address to which the browser goes next */
  async startLogin(organizationId: string, state = randomState(), challenge?: string): Promise<URL> {
    const { status } = await this.request('POST', '/bff/login', {
      json: { state, organization_id: organizationId },
    })
    if (status !== 204) throw new Error(`POST /bff/login answered ${status}`)
    const address = new URL(`${SERVICE}/oauth2/login`)
    const query = {
      client_id: 'plimsoll-test',
      redirect_uri: `${this.#fixture.publicUrl ?? APP}/callback`,
      response_type: 'code',
      state,
      organization_id: organizationId,
      ...(challenge !== undefined && { code_challenge: challenge, code_challenge_method: 'S256' }),
    }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    return address
  }

  /**
   * Goes through the service's own pages as a person: presses the decision, or first their name, or the only
   * organization of a page that asks for one. @returns the address to which the service sends the browser
   * back, or that of its last page
   */
  async permit(address: URL, person: string, decision = 'Permit'): Promise<URL> {
    let page = await this.#open(address)
    for (let presses = 0; new URL(page.address).origin === SERVICE; presses += 1) {
      const next = buttonOf(page, decision) ?? buttonOf(page, person) ?? organizationOf(page)
      if (next === undefined && presses === 0)
        throw new Error(`There is no button "${decision}" on ${page.address}: ${page.html.slice(0, 600)}`)
      if (next === undefined || presses === MOST_PRESSES) break
      page = await this.#open(next.target, next.init)
    }
    return new URL(page.address)
  }

  /** The whole sign-in, from the start to the answer of `POST /bff/session`. */
  async signIn(organizationId = STANDARD, person = 'Ada') {
    const back = await this.permit(await this.startLogin(organizationId), person)
    return this.finishLogin(back)
  }

  finishLogin(back: URL) {
    const { code = '', state = '' } = Object.fromEntries(back.searchParams)
    return this.request<SignedIn>('POST', '/bff/session', { json: { code, state } })
  }

  async #open(address: URL, init: RequestInit = {}): Promise<Page> {
    if (address.origin !== SERVICE) {
      if (init.method === 'POST') throw new Error('A form that is sent to the callback opens no page')
      return { address: address.href, html: '' }
    }
    const headers = new Headers(init.headers)
    this.#dropEnded(this.#serviceCookies)
    if (this.#serviceCookies.size > 0) headers.set('Cookie', written(this.#serviceCookies))
    const response = await this.#fixture.sandbox.fetch(
      new Request(address, { ...init, headers, redirect: 'manual' }),
    )
    this.#store(this.#serviceCookies, response)
    const location =
      response.headers.get('Location') ?? /url=(.*)$/i.exec(response.headers.get('Refresh') ?? '')?.[1]
    if (location === undefined) return { address: address.href, html: await response.text() }
    // 307 and 308 keep the method and the form (RFC 9110 15.4.8); all others become a GET.
    const isKept = [307, 308].includes(response.status)
    return this.#open(new URL(location, address), isKept ? init : {})
  }
}

interface Page {
  address: string
  html: string
}

/** Sign-in, organization and permission, with room for a page that comes twice. */
const MOST_PRESSES = 6

/** The button of a page that begins with `label`, as the request that it sends with its form. */
const buttonOf = (page: Page, label: string) => press(page, ({ text }) => text.startsWith(label))

/** The first organization on a page that asks for one: a button, or a link. */
function organizationOf(page: Page): { target: URL; init?: RequestInit } | undefined {
  if (!/organization/i.test(page.html)) return undefined
  const button = press(page, ({ tag }) => attribute(tag, 'name') === 'organization_id')
  if (button !== undefined) return button
  const links = [...page.html.matchAll(/<a[^>]*>/g)].map(([tag]) => attribute(tag, 'href') ?? '')
  const link = links.find((href) => /oauth2\/login\?.*organization_id=/.test(href))
  return link === undefined ? undefined : { target: new URL(link, page.address) }
}

function press({ address, html }: Page, isMeant: (button: { tag: string; text: string }) => boolean) {
  for (const [, attributes = '', inside = ''] of html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const button = [...inside.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)]
      .map(([, tag = '', text = '']) => ({ tag, text: text.replaceAll(/<[^>]+>/g, ' ').trim() }))
      .find(isMeant)
    if (button === undefined) continue
    const fields = new URLSearchParams()
    const hidden = [...inside.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => tag)
    for (const tag of [...hidden, button.tag]) {
      const name = attribute(tag, 'name')
      if (name !== undefined) fields.append(name, attribute(tag, 'value') ?? '')
    }
    const target = new URL(attribute(attributes, 'action') ?? address, address)
    return { target, init: { method: 'POST', body: fields } }
  }
  return undefined
}

let states = 0
export const randomState = () => `state-of-a-test-${(states += 1)}-${'x'.repeat(16)}`

const attribute = (tag: string, name: string) =>
  new RegExp(`\\b${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")

const written = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** A stream has no end, so it is closed at once. */
async function endOf(response: Response): Promise<string> {
  if (response.headers.get('Content-Type') !== 'text/event-stream') return response.text()
  await response.body?.cancel()
  return ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
