/** Authenticates API requests by one of the two headers (5.1, 5.4). */
import { hash, timingSafeEqual } from 'node:crypto'
import { type Credential, readCredentials } from '../../contract/credential.ts'
import { credentialRefusal, type CredentialProblem } from './credential-refusal.ts'
import { isAccessTokenOver } from '../state/lifetime.ts'
import type { Choices } from '../choices/choices.ts'
import { isGrantActive, isActive } from '../state/active.ts'
import { findAccessToken } from '../state/issued.ts'
import type { Organization } from '../state/seed.ts'
import { type DeepReadonly, ownValue } from '../state/state.ts'
import type { Holder, Context } from '../state/context.ts'
import type { HandlerContext } from '../http/handler-context.ts'

export type Authentication =
  | { holder: Holder; why?: undefined }
  | { holder?: undefined; why: CredentialProblem; organization?: DeepReadonly<Organization> | undefined }

/** U39: the credential to use if a request has both; `undefined`: neither. */
const USED_OF_BOTH: Record<Choices['bothcred'], 'oauth' | 'api_key' | undefined> = {
  refused_400: undefined,
  bearer_wins: 'oauth',
  key_wins: 'api_key',
}

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
  const { choices } = context
  const [first, second] = readCredentials(headers, context.apiKeyHeader)
  if (first === undefined) return { why: 'missing' }
  if (second === undefined) return holderBy(context, first, path)
  const counts = USED_OF_BOTH[choices.bothcred]
  // readCredentials returns the token first.
  if (counts !== undefined) return holderBy(context, counts === 'oauth' ? first : second, path)
  const known = [first, second].map((one) => holderBy(context, one, path))
  return { why: 'both', organization: known.find(({ holder }) => holder)?.holder?.organization }
}

function holderBy(context: Context, credential: Credential | 'malformed', path: string): Authentication {
  if (credential === 'malformed') return { why: 'invalid' }
  const found = credential.method === 'oauth' ? byToken(context, credential) : byKey(context, credential)
  if (found.holder === undefined || IS_ACCEPTED[context.choices.methodpath](credential.method, path))
    return found
  return { why: 'elsewhere', organization: found.holder.organization }
}

function byKey(context: Context, { apiKey }: Extract<Credential, { method: 'api_key' }>): Authentication {
  const key = context.state.api_keys.find(({ value }) => isSameSecret(value, apiKey))
  const organization = key && organizationWithId(context, key.organization_id)
  if (!key || !organization || !isActive(context, key)) return { why: 'invalid', organization }
  return { holder: { credential: apiKey, organization, person_id: key.issued_by } }
}

function byToken(
  context: Context,
  { accessToken }: Extract<Credential, { method: 'oauth' }>,
): Authentication {
  const token = findAccessToken(context, accessToken)
  const grant = token && ownValue(context.state.grants, token.grant_id)
  if (token === undefined || grant === undefined) return { why: 'invalid' }
  const organization = organizationWithId(context, grant.organization_id)
  if (!organization || !isGrantActive(context, grant)) return { why: 'invalid', organization }
  if (isAccessTokenOver(context, token)) return { why: 'expired', organization }
  const { client_id, person_id } = grant
  const holder = { credential: `Bearer ${accessToken}`, organization, client_id, person_id }
  return { holder: { ...holder, grant_id: token.grant_id } }
}

const organizationWithId = ({ state }: Context, organizationId: number) =>
  state.organizations.find(({ id }) => id === organizationId)

/** @throws Refusal if there is no credential, or if it is refused */
export function holderOf(c: HandlerContext): Holder {
  const holder = c.get('holder')
  if (holder !== undefined) return holder
  const { why } = authenticate(c.get('context'), c.req.raw.headers, c.req.path)
  throw credentialRefusal(c, why ?? 'invalid')
}

/** Takes a time that does not depend on the first difference or on the lengths. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => Buffer.from(hash('sha256', text, 'hex'), 'latin1')
  return timingSafeEqual(digest(one), digest(other))
}
