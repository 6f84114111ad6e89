/** Authenticates an application by its id and secret (5.3), and limits wrong secrets (RFC 6749 2.3.1). */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { isSameSecret } from '../api/credential.ts'
import { valueOf } from '../http/form.ts'
import { type HandlerContext, Refusal } from '../http/handler.ts'
import { isMinuteOpen } from '../limits/window.ts'
import type { Context } from '../state/context.ts'
import { addRecord, applicationWithId, findAccessToken, findRefreshToken } from '../state/issued.ts'
import type { Application } from '../state/seed.ts'
import { type MinuteCount, ownValue } from '../state/state.ts'

/** Wrong secrets that are compared within a minute, for one application and grant. */
const MOST_WRONG_SECRETS = 10

/** @throws Refusal `invalid_request`, `invalid_client` */
export function authenticateApplication(c: HandlerContext, sent: URLSearchParams): Application {
  const context = c.get('context')
  const { id, secret } = readIdentity(context, c.req.header('Authorization'), sent)
  const application = applicationWithId(context, id ?? '')
  if (application === undefined) throw invalidClient()
  // A request with a code or token counts for its grant, so guesses without one cannot block it.
  const guesses = `wrong secrets ${application.client_id} ${grantIdOf(context, application, sent) ?? ''}`
  const { count, ends_at_ms } = countOf(context, guesses)
  if (count >= MOST_WRONG_SECRETS) throw tooManyGuesses(context, ends_at_ms)
  if (secret !== undefined && isSameSecret(application.client_secret, secret)) return application
  increment(context, guesses)
  throw invalidClient()
}

function readIdentity(context: Context, authorization: string | undefined, sent: URLSearchParams) {
  // U19. An application may use only one method (RFC 6749 2.3).
  const { clientauth } = context.choices
  const basic = authorization === undefined ? undefined : readBasic(authorization)
  const body = { id: valueOf(sent, 'client_id'), secret: valueOf(sent, 'client_secret') }
  const mayRepeatId = clientauth !== 'both_at_once_refused' && body.id === basic?.id
  const isIdRepeated = body.id !== undefined && !mayRepeatId
  if (basic && (body.secret !== undefined || isIdRepeated))
    throw new Refusal('invalid_request', { description: 'Authenticate the application by one method only.' })
  if (clientauth === (basic ? 'body_only' : 'basic_only')) throw invalidClient()
  return basic ?? body
}

/** Id and secret are each encoded like the value of a form (RFC 6749 2.3.1). */
function readBasic(authorization: string): { id: string; secret: string } {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined) throw invalidClient()
  try {
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
    return { id: decode(id), secret: decode(secret) }
  } catch {
    throw invalidClient()
  }
}

/** The grant of the code or token that was sent, if it belongs to the application. */
export function grantIdOf(
  context: Context,
  { client_id }: Application,
  sent: URLSearchParams,
): string | undefined {
  const { state } = context
  const token = valueOf(sent, 'token') ?? ''
  const grantId = (
    ownValue(state.codes, valueOf(sent, 'code') ?? '') ??
    findRefreshToken(context, valueOf(sent, 'refresh_token') ?? token) ??
    findAccessToken(context, token)
  )?.grant_id
  return grantId !== undefined && ownValue(state.grants, grantId)?.client_id === client_id
    ? grantId
    : undefined
}

/**
 * RFC 6585 4, not `invalid_client`: no secret was compared (RFC 6749 5.2), and a 401 would invite another
 * attempt. The right secret gets the same answer, so the answer confirms no guess.
 */
const tooManyGuesses = ({ nowMs }: Context, endsAtMs: number): Refusal =>
  new Refusal('too_many_requests', {
    description:
      `There were ${MOST_WRONG_SECRETS} wrong secrets within a minute. ` +
      'No secret is compared until it has passed.',
    headers: { 'Retry-After': String(Math.ceil((endsAtMs - nowMs) / SECOND_MS)) },
  })

/** A 401 names the scheme (RFC 6749 5.2). */
const invalidClient = (): Refusal => new Refusal('invalid_client', { headers: BASIC_CHALLENGE })
export const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' }

export function countOf({ state, nowMs }: Context, counter: string): MinuteCount {
  const known = ownValue(state.minute_counts, counter)
  return known && isMinuteOpen(known.ends_at_ms, nowMs) ? known : { count: 0, ends_at_ms: nowMs + MINUTE_MS }
}

export function increment(context: Context, counter: string): void {
  const { count, ends_at_ms } = countOf(context, counter)
  const isOver = (known: MinuteCount) => !isMinuteOpen(known.ends_at_ms, context.nowMs)
  addRecord(context.state, 'minute_counts', [counter, { count: count + 1, ends_at_ms }], isOver)
}
