/** Recognises whose API request it is, by either of the two headers (5.1, 5.4). */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type Credential, readCredentials } from '../contract/credential.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../contract/token.ts'
import { isOver } from './grant.ts'
import { Refusal } from './problem.tsx'
import { lookUp } from './state.ts'
import type { Holder, Visit, World } from './world.ts'

/** The holder of the one valid credential that a request presents; `undefined` for none, for more, and for an invalid one. */
export function recognise(world: World, headers: Headers): Holder | undefined {
  const [credential, ...others] = readCredentials(headers)
  if (credential === undefined || credential === 'malformed' || others.length > 0) return undefined
  const organizationId = organizationOf(world, credential)
  const organization = world.state.organizations.find(({ id }) => id === organizationId)
  if (organization === undefined) return undefined
  const text = credential.method === 'oauth' ? `Bearer ${credential.accessToken}` : credential.apiKey
  return { credential: text, organization }
}

function organizationOf(world: World, credential: Credential): number | undefined {
  const { state } = world
  if (credential.method === 'api_key')
    return state.api_keys.find(({ value }) => isSameSecret(value, credential.apiKey))?.organization_id
  const token = lookUp(state.access_tokens, credential.accessToken)
  // 5.4.2, and RFC 6749 5.1: it expires 3600 seconds after it was generated, so at that instant it has expired.
  if (token === undefined || isOver(world, token, ACCESS_TOKEN_LIFETIME_SECONDS)) return undefined
  return lookUp(state.grants, token.grant_id)?.organization_id
}

/** @throws Refusal that says why nobody is recognised */
export function holderOf(c: Visit): Holder {
  const holder = c.get('holder')
  if (holder === undefined) throw refusalOf(c.get('world'), c.req.raw.headers)
  return holder
}

/** Why nobody was recognised: RFC 6750 3.1, which the document does not show (5.5). */
function refusalOf({ choices }: World, headers: Headers): Refusal {
  const presented = readCredentials(headers).length
  const { status, error } = choices.credential_refusal
  // RFC 6750 3: without any credential the answer has no error word.
  if (presented === 0)
    return new Refusal('missing_credential', { status, headers: { 'WWW-Authenticate': 'Bearer' } })
  // RFC 6750 2: a request uses one method.
  if (presented > 1)
    return new Refusal('invalid_request', {
      says: 'Send an access token or an API key, not both.',
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_request"' },
    })
  return new Refusal('invalid_token', {
    status,
    word: error,
    headers: { 'WWW-Authenticate': `Bearer error="${error}"` },
  })
}

/** Compares in a time that tells nothing of where two secrets differ, or of how long they are. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
