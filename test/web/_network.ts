// The only place that joins the page's fetch to the bff in process, and can cut or hold the connection.
import { setImmediate as nextIteration } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import { BFF, CSRF_HEADER, SPEND_HEADER } from '../../src/contract/api.ts'
import type { SignedIn, SignedOut } from '../../src/contract/session.ts'
import { startApp, type App, type AppOptions } from '../kit/app.ts'
import { type Person } from '../kit/person.ts'

interface Call {
  method: string
  path: string
  spend: boolean
  csrf: string | null
  body: unknown
}

export interface Network {
  readonly fixture: App
  /** Its own requests stand for those of another tab. */
  readonly browser: Person
  /** Every request of the page. */
  readonly calls: Call[]
  /** Requests that get no answer, each as "METHOD /path". */
  readonly cut: Set<string>
  /** True if the event stream can be opened. If not, `calls` has no attempt. */
  isLive: boolean
  /** How often the page was loaded anew. What an earlier one waits for never comes. */
  page: number
  /** Each request waits for it. */
  gate: Promise<void> | undefined
  /** The number of paid requests that the service got since the network was joined. */
  spent: () => number
  count: (method: string, path: string) => number
}

/** Replaces fetch. */
export function joinNetwork(fixture: App = startApp(), browser = fixture.browser()): Network {
  const before = fixture.paid().length
  const network: Network = {
    fixture,
    browser,
    calls: [],
    cut: new Set(),
    isLive: false,
    page: 0,
    gate: undefined,
    spent: () => fixture.paid().length - before,
    count: (method, path) =>
      network.calls.filter((call) => call.method === method && call.path === path).length,
  }
  stubFetch(async (path, init) => {
    const headers = new Headers(init.headers)
    const method = init.method ?? 'GET'
    if (path === BFF.events && !network.isLive) throw new TypeError('fetch failed')
    network.calls.push({
      method,
      path,
      spend: headers.get(SPEND_HEADER) === '1',
      csrf: headers.get(CSRF_HEADER),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    })
    const { page } = network
    await network.gate
    if (network.cut.has(`${method} ${path}`)) throw new TypeError('fetch failed')
    const response = await browser.fetch(path, init)
    // Over a network no session is ended before the page has drawn.
    if (method === 'DELETE') await nextIteration()
    return page === network.page ? response : new Promise(() => {})
  })
  return network
}

export const SANDBOX = {
  control_url: 'http://127.0.0.1:4001',
  organizations: [
    { id: '1001', name: 'Harbour Rope Works' },
    { id: '2002', name: 'Meridian Shipping' },
  ],
}

/** Signed in, or not, before the page opens. */
export async function signedInNetwork(
  by: 'oauth' | 'api_key' | 'none' = 'oauth',
  options: AppOptions = {},
): Promise<Network> {
  const fixture = startApp(options)
  const browser = fixture.browser()
  if (by === 'oauth') await browser.signIn()
  if (by === 'api_key') await signInByKey(fixture, browser)
  return joinNetwork(fixture, browser)
}

/** With the organization's seeded key, as another tab of the same browser would. */
export async function signInByKey(fixture: App, browser: Person, organization = 1001): Promise<SignedIn> {
  const key = fixture.seed.api_keys.find(({ organization_id }) => organization_id === organization)?.value
  const { body } = await browser.request<SignedIn>('POST', '/bff/session', { json: { api_key: key } })
  return body
}

/** As another tab does after it has opened or chosen a session. */
export const announceSession = (): void => otherTab().say()

export const applicationOf = async ({ browser }: Network): Promise<SignedOut['authorize']> =>
  ((await browser.session()).body as SignedOut).authorize

type Answer = (path: string, init: RequestInit) => Promise<Response>

/** Follows redirects, the HTTP cache and the signal like a browser (Fetch 4.4 to 4.6). */
export function stubFetch(answer: Answer): void {
  const cache = new Map<string, Response>()
  const fetch: Answer = async (path, init) => {
    const stored = init.cache === 'no-store' ? undefined : cache.get(path)
    if (stored !== undefined) return stored.clone()
    const response = cutBy(init.signal, await Promise.race([answer(path, init), abortOf(init.signal)]))
    const location = response.headers.get('Location')
    if (location !== null && response.status >= 300 && response.status < 400) {
      if (init.redirect === 'error') throw new TypeError('fetch failed: redirected')
      return fetch(location, init)
    }
    if (init.cache !== 'no-store' && response.headers.get('Cache-Control') !== 'no-store')
      cache.set(path, response.clone())
    return response
  }
  vi.stubGlobal('fetch', fetch)
}

/** Ends an event stream when its request is aborted. */
function cutBy(signal: AbortSignal | null | undefined, response: Response): Response {
  if (!signal || response.headers.get('Content-Type') !== 'text/event-stream') return response
  const body = response.body?.pipeThrough(new TransformStream(), { signal })
  return new Response(body, response)
}

const abortOf = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
  })

/** Sets the answer of the service's API. */
export function answerWith(
  { fixture }: Pick<Network, 'fixture'>,
  headers: Record<string, string>,
  status?: number,
): void {
  fixture.intercept(async (request, through) => {
    const response = await through(request)
    if (request.url.includes('/oauth2/')) return response
    const all = new Headers(status === undefined ? response.headers : {})
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return new Response(await response.text(), { status: status ?? response.status, headers: all })
  })
}

/** Reaches a limit before the page opens: one read is answered 429 with these headers. */
export async function refuseOnce(network: Network, headers: Record<string, string>): Promise<void> {
  answerWith(network, headers, 429)
  await network.browser.spend('/organizations/1001')
  network.fixture.intercept(undefined)
}

/** Holds back the answers to all requests of the page, until what it returns is called. */
export function hold(network: Network): () => void {
  const { closed, open } = gate()
  network.gate = closed
  return open
}

/** As another tab of the browser, in its messages about the session. */
export function otherTab() {
  const channel = new BroadcastChannel('plimsoll.session')
  onTestFinished(() => channel.close())
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
  return Object.assign(channel, { say: (word?: string) => channel.postMessage(word) })
}

/** A promise that a test opens itself. */
export function gate(): { closed: Promise<void>; open: () => void } {
  let open = (): void => {}
  const closed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { closed, open: () => open() }
}
