/** Remembers a sign-in from its start to its callback, in a cookie of the browser that started it (4.1, 5.3; RFC 6749 10.12). */
import type { OrganizationId } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import { type LoginRequest, parseLoginRequest } from '../contract/session.ts'
import { readJson } from './body.ts'
import { cookie, LOGIN_COOKIE, noCookie, readCookies } from './cookie.ts'
import type { House } from './context.ts'
import { equalSecrets, fingerprint } from './encryption.ts'

/** How long a person may take at the service's permission page. */
const LOGIN_LIFETIME_SECONDS = 600
/** Sign-ins under way in one browser; the oldest gives way, so that the Cookie header stays small. */
const MOST_LOGINS = 20

const nameOf = (state: string) => LOGIN_COOKIE + fingerprint(state).slice(0, 12)

/** `POST /bff/login`: remembers state and organization. 204. */
export async function startLogin(house: House, request: Request): Promise<Response> {
  const login = parseLoginRequest(await readJson(request))
  const headers = new Headers()
  const others = [...readCookies(request)].filter(([name]) => name.startsWith(LOGIN_COOKIE))
  const startedAtMs = ([, value]: [string, string]) => Number(value.split('.')[2] ?? 0)
  for (const [name] of others.toSorted((a, b) => startedAtMs(b) - startedAtMs(a)).slice(MOST_LOGINS - 1)) {
    headers.append('Set-Cookie', noCookie(name))
  }
  headers.append(
    'Set-Cookie',
    cookie(nameOf(login.state), written(login, house.now()), LOGIN_LIFETIME_SECONDS),
  )
  return new Response(null, { status: 204, headers })
}

const written = ({ state, organization_id }: LoginRequest, nowMs: number) =>
  `${fingerprint(state)}.${organization_id}.${nowMs}`

/**
 * Ends the sign-in that this browser started with this state, once: whoever comes second with the same state is refused,
 * also at the same time and on another machine.
 * @returns the organization that was asked for, and the `Set-Cookie` that forgets the sign-in
 * @throws Problem `state_mismatch` when this browser started no such sign-in, `login_expired` when it did too long ago
 */
export async function finishLogin(
  house: House,
  request: Request,
  state: string,
): Promise<{ organizationId: OrganizationId; forget: string }> {
  const name = nameOf(state)
  const [stateFingerprint = '', organizationId = '', startedAt = ''] =
    readCookies(request).get(name)?.split('.') ?? []
  if (!equalSecrets(stateFingerprint, fingerprint(state))) throw new Problem('state_mismatch')
  const endsAtMs = Number(startedAt) + LOGIN_LIFETIME_SECONDS * 1000
  if (!(house.now() < endsAtMs)) throw new Problem('login_expired')
  // The claim outlives the cookie, whose age the browser could keep to itself.
  if (!(await house.store.claim(`login ${stateFingerprint}`, house.now(), endsAtMs)))
    throw new Problem('state_mismatch')
  return { organizationId, forget: noCookie(name) }
}
