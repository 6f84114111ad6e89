// The only stand-in of the web tests: answers what the bff is written to answer (contract), and counts what it would cost.
import { vi } from 'vitest'
import { Problem, problemBody, type ProblemCode, type ProblemOptions } from '../../src/contract/problem.ts'
import type { QuotaSnapshot, WindowSnapshot } from '../../src/contract/quota.ts'
import type { Session, SignedIn, SignedOut } from '../../src/contract/session.ts'

export const NOBODY: SignedOut = {
  signed_in: false,
  authorize: {
    authorization_endpoint: 'https://service.example/oauth2/login',
    client_id: 'the-client',
    redirect_uri: 'http://localhost:3000/callback',
  },
}
export const SOMEBODY: SignedIn = { signed_in: true, method: 'oauth', organization_id: '1001', ends_in: 3600 }
export const KEY_HOLDER: SignedIn = { signed_in: true, method: 'api_key', ends_in: 3600 }

export const window_ = (changes: Partial<WindowSnapshot> = {}): WindowSnapshot => ({
  known: 'measured',
  limit: 60,
  remaining: 37,
  reset_in_ms: 22_000,
  age_ms: 12_000,
  in_flight: 0,
  inconsistent: false,
  assumed: false,
  notes: [],
  ...changes,
})

export const UNSEEN: WindowSnapshot = {
  known: 'unseen',
  in_flight: 0,
  inconsistent: false,
  assumed: false,
  notes: [],
}

export const snapshot = (changes: Partial<QuotaSnapshot> = {}): QuotaSnapshot => ({
  read: window_(),
  update: UNSEEN,
  month: {
    low: 3,
    high: 3,
    limit: 100,
    plan: 'standard',
    resets_in_ms: { earliest: 800_000_000, latest: 832_400_000 },
  },
  pauses: [],
  ...changes,
})

interface Call {
  method: string
  path: string
  spend: boolean
  csrf: string | null
  body: unknown
}

type Failure = { code: ProblemCode; options?: ProblemOptions } | 'unreachable'

export interface StandIn {
  calls: Call[]
  session: Session
  quota: QuotaSnapshot
  /** The kept copy; absent: 428. */
  copy: string | undefined
  /** What the service would answer. */
  fresh: string
  /** By "METHOD /path". */
  failures: Record<string, Failure>
  /** Waits for this before each answer. */
  gate: Promise<void> | undefined
  /** How many requests carried the header that spends one. */
  spent: () => number
  /** How many requests of this method and path came. */
  count: (method: string, path: string) => number
}

/** Takes the place of fetch. */
export function standIn(changes: Partial<StandIn> = {}): StandIn {
  const bff: StandIn = {
    calls: [],
    session: SOMEBODY,
    quota: snapshot(),
    copy: '{"organization":{"id":1001,"name":"Harbour"}}',
    fresh: '{"organization":{"id":1001,"name":"Harbour, refreshed"}}',
    failures: {},
    gate: undefined,
    spent: () => bff.calls.filter(({ spend }) => spend).length,
    count: (method, path) => bff.calls.filter((call) => call.method === method && call.path === path).length,
    ...changes,
  }
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    const call = {
      method: init.method ?? 'GET',
      path,
      spend: headers.get('X-Plimsoll-Spend') === '1',
      csrf: headers.get('X-CSRF'),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    }
    bff.calls.push(call)
    await bff.gate
    return answer(bff, call)
  })
  return bff
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })

function answer(bff: StandIn, { method, path, spend }: Call): Response {
  const failure = bff.failures[`${method} ${path}`]
  if (failure === 'unreachable') throw new TypeError('fetch failed')
  if (failure) return refuse(new Problem(failure.code, failure.options))
  if (path === '/bff/quota') return json(bff.quota)
  if (path === '/bff/login') return new Response(null, { status: 204 })
  if (path === '/bff/session') {
    if (method === 'GET') return json(bff.session)
    bff.session = method === 'DELETE' ? NOBODY : bff.session.signed_in ? bff.session : SOMEBODY
    return method === 'DELETE' ? new Response(null, { status: 204 }) : json(bff.session, 201)
  }
  if (spend) return json(path === '/api/rate_limit' ? {} : bff.fresh, 200, { 'X-Plimsoll-Spent': '1' })
  if (bff.copy === undefined) return refuse(new Problem('costs_a_request'))
  return json(bff.copy, 200, { Age: '184', 'X-Plimsoll-Spent': '0' })
}

const refuse = (problem: Problem): Response => json(problemBody(problem, 'support-77'), problem.status)
