/** Recognises an application by its id and secret (5.3), and slows down whoever guesses (RFC 6749 2.3.1). */
import { isSameSecret } from '../api/credential.ts'
import { valueOf } from '../http/form.ts'
import { Refusal } from '../http/problem.tsx'
import type { Profile } from '../choices/choices.ts'
import { servedApplication } from '../state/active.ts'
import { type Application, type Frozen, lookUp } from '../state/state.ts'
import { add, tallyOf } from './minute-counter.ts'
import type { Visit, World } from '../state/context.ts'

/** How many wrong secrets for one application, beside one grant or none, are looked at in a minute. */
const MOST_WRONG_SECRETS = 10

/** Where an application may say who it is (U19); never in both places at once (RFC 6749 2.3). */
const PLACES: Record<Profile['clientauth'], { inBody: boolean; byBasic: boolean; idBesideBasic: boolean }> = {
  body_and_basic: { inBody: true, byBasic: true, idBesideBasic: true },
  body_only: { inBody: true, byBasic: false, idBesideBasic: true },
  basic_only: { inBody: false, byBasic: true, idBesideBasic: true },
  both_at_once_refused: { inBody: true, byBasic: true, idBesideBasic: false },
}

/**
 * The application that sent a request to the token or revocation endpoint.
 * @throws Refusal `invalid_request`, `invalid_client`
 */
export function authenticateApplication(c: Visit, sent: URLSearchParams): Frozen<Application> {
  const world = c.get('world')
  const { id, secret } = readIdentity(world, c.req.header('Authorization'), sent)
  const application = servedApplication(world, id ?? '')
  if (application === undefined) throw invalidClient(world)
  // Whoever brings a code or token of the application is counted apart, so that a stranger's guesses lock nobody out.
  const guesses = `wrong secrets ${application.client_id} ${grantIdOf(world, application, sent) ?? ''}`
  if (tallyOf(world, guesses).count >= MOST_WRONG_SECRETS) throw invalidClient(world)
  if (secret !== undefined && isSameSecret(application.client_secret, secret)) return application
  add(world, guesses)
  throw invalidClient(world)
}

function readIdentity(
  world: World,
  authorization: string | undefined,
  sent: URLSearchParams,
): { id: string | undefined; secret: string | undefined } {
  const { inBody, byBasic, idBesideBasic } = PLACES[world.profile.clientauth]
  const basic = authorization === undefined ? undefined : readBasic(world, authorization)
  const body = { id: valueOf(sent, 'client_id'), secret: valueOf(sent, 'client_secret') }
  const isIdRepeated = body.id !== undefined && (!idBesideBasic || body.id !== basic?.id)
  if (basic && (body.secret !== undefined || isIdRepeated))
    throw new Refusal('invalid_request', { says: 'The application is to be authenticated once.' })
  if (basic ? !byBasic : !inBody) throw invalidClient(world)
  return basic ?? body
}

/** The id and secret of HTTP Basic, each encoded like a form's value (RFC 6749 2.3.1). */
function readBasic(world: World, authorization: string): { id: string; secret: string } {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined) throw invalidClient(world)
  try {
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
    return { id: decode(id), secret: decode(secret) }
  } catch {
    throw invalidClient(world)
  }
}

/** The grant of the code or token that a request brings, if it is the application's own. */
export function grantIdOf(
  { state }: World,
  { client_id }: Frozen<Application>,
  sent: URLSearchParams,
): string | undefined {
  const { codes, refresh_tokens, access_tokens } = state
  const token = valueOf(sent, 'token') ?? ''
  const grantId = (
    lookUp(codes, valueOf(sent, 'code') ?? '') ??
    lookUp(refresh_tokens, valueOf(sent, 'refresh_token') ?? token) ??
    lookUp(access_tokens, token)
  )?.grant_id
  return grantId !== undefined && lookUp(state.grants, grantId)?.client_id === client_id ? grantId : undefined
}

const BAD_CLIENTS: Record<Profile['badclient'], number> = { status_401: 401, status_400: 400 }

/** U23. RFC 6749 5.2, RFC 9110 15.5.2: a 401 says by which scheme one could do better. */
function invalidClient({ profile }: World): Refusal {
  const status = BAD_CLIENTS[profile.badclient]
  return new Refusal('invalid_client', { status, ...(status === 401 && { headers: BASIC_CHALLENGE }) })
}
export const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' }
