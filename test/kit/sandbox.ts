/** Opens a sandbox with a clock to set, and sends the requests of a person, a client and a browser. */
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { seedFor } from '../../src/sandbox/state/seed.ts'

export const BASE = 'http://127.0.0.1:4000'
export const CALLBACK = 'http://localhost:3000/callback'
export const CLIENT = { client_id: 'plimsoll', client_secret: 'the-secret' }
export const STANDARD_KEY = 'key-of-standard'
export const START_MS = Date.UTC(2026, 10, 21, 6, 0, 0, 250)
export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** `undefined` removes a default parameter. */
type Parameters = Record<string, string | undefined>
type Answer = { status: number; headers: Headers; body: Record<string, string> & { expires_in?: number } }

export const seed = () =>
  seedFor({
    publicUrl: 'http://localhost:3000',
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    apiKey: STANDARD_KEY,
    random: 'as good as any',
  })

export function open(options: Partial<SandboxOptions> = {}) {
  const clock = { ms: START_MS }
  const prefix = options.basePath ?? ''
  const usedSeed = options.seed ?? seed()
  const sandbox = createSandbox({ now: () => clock.ms, ...options, seed: usedSeed })
  const send = (path: string, init: RequestInit = {}) =>
    sandbox.fetch(new Request(BASE + prefix + path, init))
  const post = (path: string, fields: Parameters | string, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', headers: { ...FORM, ...headers }, body: query(fields) })

  const authorizePath = (changes: Parameters = {}) =>
    `/oauth2/login?${query({
      client_id: CLIENT.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      state: 'a-state-of-some-length',
      organization_id: '1001',
      ...changes,
    })}`

  /** @returns the cookie */
  const signIn = async (person = 'ada') => {
    const answer = await post('/projects', { person_id: person })
    return { Cookie: (answer.headers.get('Set-Cookie') ?? '').split(';')[0] ?? '' }
  }
  /** @returns the csrf token of the page, and the cookie */
  const ask = async (changes: Parameters = {}, person?: string) => {
    const cookie = await signIn(person)
    const page = await (await send(authorizePath(changes), { headers: cookie })).text()
    return { cookie, csrfToken: /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? '', page }
  }
  /** @returns the address of the redirect */
  const answer = async (choice: string, changes: Parameters = {}, person?: string) => {
    const { cookie, csrfToken } = await ask(changes, person)
    const redirect = await post('/oauth2/permission', { csrf_token: csrfToken, answer: choice }, cookie)
    return redirect.headers.get('Location') ?? ''
  }
  /** @returns the code */
  const authorize = async (changes: Parameters = {}, person?: string) =>
    new URL(await answer('permit', changes, person)).searchParams.get('code') ?? ''

  const token = async (
    fields: Parameters | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await post('/oauth2/token', fields, headers)
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const exchange = (code: string, changes: Parameters = {}, headers?: Record<string, string>) =>
    token({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...CLIENT, ...changes }, headers)
  const refresh = (refreshToken: string | undefined, changes: Parameters = {}) =>
    token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...CLIENT, ...changes })

  /** @returns the header with a new access token */
  const bearer = async (organizationId = '1001') => {
    const { body } = await exchange(await authorize({ organization_id: organizationId }))
    return { Authorization: `Bearer ${body.access_token}` }
  }
  const key = (organizationId = 1001) => ({
    'X-Service-Api-Key': usedSeed.api_keys.find((one) => one.organization_id === organizationId)?.value ?? '',
  })
  /** @returns the last of `times` equal API requests */
  const api = async (times: number, path: string, headers: Record<string, string>, method = 'GET') => {
    for (let nth = 1; nth < times; nth += 1) await send(path, { method, headers })
    return send(path, { method, headers })
  }
  return {
    sandbox,
    clock,
    send,
    post,
    authorizePath,
    signIn,
    ask,
    answer,
    authorize,
    token,
    exchange,
    refresh,
    bearer,
    key,
    api,
    seed: usedSeed,
  }
}

export const query = (fields: Parameters | string) =>
  typeof fields === 'string'
    ? fields
    : new URLSearchParams(
        Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
      ).toString()

export const rate = ({ headers }: { headers: Headers }) => ({
  limit: Number(headers.get('X-RateLimit-Limit')),
  remaining: Number(headers.get('X-RateLimit-Remaining')),
  reset: Number(headers.get('X-RateLimit-Reset')),
})
