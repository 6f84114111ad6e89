/** Authenticates API requests by one of the two headers (5.1, 5.4), and refuses those without (5.5). */
import { hash, timingSafeEqual } from 'node:crypto'
import { type Credential, readCredentials } from '../../contract/credential.ts'
import { requestClass } from '../../contract/rate-limit.ts'
import { type Choices, numberIn } from '../choices/choices.ts'
import { type Handler, type HandlerContext, Refusal } from '../http/handler.ts'
import type { Context, Holder } from '../state/context.ts'
import { findAccessToken, isAccessTokenOver, isKeyActive } from '../state/issued.ts'
import type { ApiKey, Organization } from '../state/seed.ts'
import { ownValue } from '../state/state.ts'

/** `both`: a request has a key and a token; `elsewhere`: it is valid, but not at this path (`methodpath`). */
type CredentialProblem = 'missing' | 'both' | 'invalid' | 'expired' | 'elsewhere'

type Authentication =
  | { holder: Holder; why?: undefined }
  | { holder?: undefined; why: CredentialProblem; organization?: Organization | undefined }

/** U40: the credential of the example at a path of section 4; `undefined`: any. */
const exampleAt = (path: string): Credential['method'] | undefined => {
  if (path === '/organizations') return 'api_key'
  return /^\/organizations\/[^/]*$/.test(path) ? 'oauth' : undefined
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
      : holderOfKey(
          context,
          context.state.api_keys.find(({ value }) => isSameSecret(value, credential.apiKey)),
        )
  const taken = context.choices.methodpath === 'as_in_examples' ? exampleAt(path) : undefined
  if (found.holder === undefined || (taken ?? credential.method) === credential.method) return found
  return { why: 'elsewhere', organization: found.holder.organization }
}

export function holderOfKey(context: Context, key: ApiKey | undefined): Authentication {
  const organization = key && organizationWithId(context, key.organization_id)
  if (!key || !organization || !isKeyActive(context, key)) return { why: 'invalid', organization }
  return { holder: { credential: key.value, organization, person_id: key.issued_by } }
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
  throw refusalFor(why ?? 'invalid', context.choices)
}

/** Always with a realm (RFC 6750 3). @param error absent if the request had no credential (RFC 6750 3.1) */
export function bearerChallenge({ error, scope }: { error?: string; scope?: string } = {}) {
  const parameters = Object.entries({ realm: 'api', error, scope }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  )
  return { 'WWW-Authenticate': `Bearer ${parameters.join(', ')}` }
}

function refusalFor(why: CredentialProblem, { invalidcred, expired }: Context['choices']): Refusal {
  // RFC 6750 3.1: the challenge has no error word.
  if (why === 'missing') return new Refusal('missing_credential', { headers: bearerChallenge() })
  if (why !== 'both') return refusedCredential(why === 'expired' ? expired : invalidcred)
  // RFC 6750 2: a request uses one method.
  const headers = bearerChallenge({ error: 'invalid_request' })
  return new Refusal('invalid_request', {
    description: 'Send an access token or an API key, not both.',
    headers,
  })
}

/** U36, U37: those with a challenge (RFC 6750 3.1). */
const CHALLENGES: Partial<Record<Choices['invalidcred' | 'expired'], string>> = {
  invalid_token_401: 'invalid_token',
  token_expired_401: 'token_expired',
}

/** Some servers use 440 for a login that timed out. */
function refusedCredential(chosen: Choices['invalidcred' | 'expired']): Refusal {
  const error = CHALLENGES[chosen]
  const word = error ?? (chosen === 'status_404' ? 'not_found' : 'invalid_token')
  const headers = error === undefined ? {} : bearerChallenge({ error })
  return new Refusal('invalid_token', { status: numberIn(chosen), word, headers })
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

/** Takes a time that does not depend on where the two differ. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => Buffer.from(hash('sha256', text, 'hex'), 'latin1')
  return timingSafeEqual(digest(one), digest(other))
}
