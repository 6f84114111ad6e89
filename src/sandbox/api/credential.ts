/** Authenticates API requests by one of the two headers (5.1, 5.4), and refuses those without (5.5). */
import { hash, timingSafeEqual } from 'node:crypto'
import { type Credential, readCredentials } from '../../contract/credential.ts'
import { requestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import type { Handler, HandlerContext } from '../http/handler.ts'
import { Refusal } from '../http/problem.tsx'
import type { Context, Holder } from '../state/context.ts'
import { findAccessToken, isKeyActive } from '../state/issued.ts'
import { isAccessTokenOver } from '../state/lifetime.ts'
import type { Organization } from '../state/seed.ts'
import { ownValue } from '../state/state.ts'

/** `both`: a request has a key and a token; `elsewhere`: it is valid, but not at this path (`methodpath`). */
type CredentialProblem = 'missing' | 'both' | 'invalid' | 'expired' | 'elsewhere'

export type Authentication =
  | { holder: Holder; why?: undefined }
  | { holder?: undefined; why: CredentialProblem; organization?: Organization | undefined }

/** The credentials in the examples of section 4, by path (U40). */
const EXAMPLE_METHODS: readonly [address: RegExp, method: Credential['method']][] = [
  [/^\/organizations$/, 'api_key'],
  [/^\/organizations\/[^/]*$/, 'oauth'],
]
const IS_ACCEPTED: Record<Choices['methodpath'], (method: Credential['method'], path: string) => boolean> = {
  both_everywhere: () => true,
  as_in_examples: (method, path) =>
    EXAMPLE_METHODS.every(([address, taken]) => method === taken || !address.test(path)),
}

export function authenticate(context: Context, headers: Pick<Headers, 'get'>, path: string): Authentication {
  const [first, second] = readCredentials(headers, context.apiKeyHeader)
  if (first === undefined) return { why: 'missing' }
  if (second === undefined) return holderBy(context, first, path)
  const known = [first, second].map((one) => holderBy(context, one, path))
  return { why: 'both', organization: known.find(({ holder }) => holder)?.holder?.organization }
}

function holderBy(context: Context, credential: Credential | 'malformed', path: string): Authentication {
  if (credential === 'malformed') return { why: 'invalid' }
  const found =
    credential.method === 'oauth'
      ? holderOfToken(context, credential.accessToken)
      : holderOfKey(context, credential.apiKey)
  if (found.holder === undefined || IS_ACCEPTED[context.choices.methodpath](credential.method, path))
    return found
  return { why: 'elsewhere', organization: found.holder.organization }
}

export function holderOfKey(context: Context, apiKey: string): Authentication {
  const key = context.state.api_keys.find(({ value }) => isSameSecret(value, apiKey))
  const organization = key && organizationWithId(context, key.organization_id)
  if (!key || !organization || !isKeyActive(context, key)) return { why: 'invalid', organization }
  return { holder: { credential: apiKey, organization, person_id: key.issued_by } }
}

/** A deleted application may have left tokens (`revoked`). */
export function holderOfToken(context: Context, accessToken: string): Authentication {
  const token = findAccessToken(context, accessToken)
  const grant = token && ownValue(context.state.grants, token.grant_id)
  const organization = grant && organizationWithId(context, grant.organization_id)
  if (!token || !grant || !organization) return { why: 'invalid' }
  if (isAccessTokenOver(context, token)) return { why: 'expired', organization }
  const { client_id, person_id } = grant
  const holder = { credential: `Bearer ${accessToken}`, organization, client_id, person_id }
  return { holder: { ...holder, grant_id: token.grant_id } }
}

export const organizationWithId = ({ state }: Context, organizationId: number) =>
  state.organizations.find(({ id }) => id === organizationId)

/** @throws Refusal if there is no credential, or if it is refused */
export function holderOf(c: HandlerContext): Holder {
  const holder = c.get('holder')
  if (holder !== undefined) return holder
  const context = c.get('context')
  const { why } = authenticate(context, c.req.raw.headers, c.req.path)
  throw REFUSALS_BY_PROBLEM[why ?? 'invalid'](context.choices)
}

/**
 * `WWW-Authenticate`, always with a realm: RFC 6750 3 asks for at least one parameter.
 * @param error absent if the request had no credential (RFC 6750 3.1)
 * @param scope the scope that would be enough
 */
export function bearerChallenge({ error, scope }: { error?: string; scope?: string } = {}) {
  const parameters = Object.entries({ realm: 'api', error, scope }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  )
  return { 'WWW-Authenticate': `Bearer ${parameters.join(', ')}` }
}

interface RefusedCredential {
  status: number
  headers?: { 'WWW-Authenticate': string }
  word?: string
}

/** U36, RFC 6750 3.1. */
const INVALID_CREDENTIAL: Record<Choices['invalidcred'], RefusedCredential> = {
  invalid_token_401: { status: 401, headers: bearerChallenge({ error: 'invalid_token' }) },
  bare_401: { status: 401 },
  status_403: { status: 403 },
  status_404: { status: 404, word: 'not_found' },
}

/** U37, RFC 6750 3.1. Some servers use 440 for a login that timed out. */
const EXPIRED_TOKEN: Record<Choices['expired'], RefusedCredential> = {
  invalid_token_401: INVALID_CREDENTIAL.invalid_token_401,
  token_expired_401: {
    status: 401,
    headers: bearerChallenge({ error: 'token_expired' }),
    word: 'token_expired',
  },
  status_403: { status: 403 },
  status_440: { status: 440 },
}

const REFUSALS_BY_PROBLEM: Record<
  CredentialProblem,
  (choices: Pick<Choices, 'invalidcred' | 'expired'>) => Refusal
> = {
  // RFC 6750 3.1: the challenge has no error word.
  missing: () => new Refusal('missing_credential', { headers: bearerChallenge() }),
  invalid: ({ invalidcred }) => new Refusal('invalid_token', INVALID_CREDENTIAL[invalidcred]),
  elsewhere: ({ invalidcred }) => new Refusal('invalid_token', INVALID_CREDENTIAL[invalidcred]),
  expired: ({ expired }) => new Refusal('invalid_token', EXPIRED_TOKEN[expired]),
  // RFC 6750 2: a request uses one method.
  both: () =>
    new Refusal('invalid_request', {
      description: 'Send an access token or an API key, not both.',
      headers: bearerChallenge({ error: 'invalid_request' }),
    }),
}

/** Refuses updates by a credential that may only read, if scopes are chosen (U48, RFC 6750 3.1). */
export const withinScope: Handler = async (c, next) => {
  const isUpdate = requestClass(c.req.method) === 'update'
  if (isUpdate && c.get('holder') && c.get('context').choices.scope === 'read_only')
    throw new Refusal('insufficient_scope', {
      headers: bearerChallenge({ error: 'insufficient_scope', scope: 'write' }),
    })
  await next()
}

/** Takes a time that does not depend on the first difference or on the lengths. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => Buffer.from(hash('sha256', text, 'hex'), 'latin1')
  return timingSafeEqual(digest(one), digest(other))
}
