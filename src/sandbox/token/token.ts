/** The token endpoint: exchanges a code or a refresh token for tokens (4.2, 5.3, 5.4). */
import { SECOND_MS } from '../../contract/duration.ts'
import { isJsonObject } from '../../contract/json.ts'
import { EXCHANGE_PARAMETERS, REFRESH_PARAMETERS, type TokenResponse } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import { FORM_TYPE, isRepeated, mediaTypeOf, readText, required } from '../http/form.ts'
import { type HandlerContext, queryOf } from '../http/handler.ts'
import { Refusal } from '../http/problem.tsx'
import { admit } from '../limits/meter.ts'
import type { Context } from '../state/context.ts'
import type { Application } from '../state/seed.ts'
import { type DeepReadonly, ownValue } from '../state/state.ts'
import { authenticateApplication, countOf, grantIdOf, increment } from './client-authentication.ts'
import { exchangeCode, refresh } from './exchange.ts'
import { answerTokenError, answerTokens } from './token-answer.ts'

const TOKEN_PARAMETERS = [...new Set([...EXCHANGE_PARAMETERS, ...REFRESH_PARAMETERS, 'code_verifier'])]

type GrantHandler = (
  context: Context,
  application: DeepReadonly<Application>,
  sent: URLSearchParams,
) => TokenResponse
const GRANT_HANDLERS: Record<string, GrantHandler> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
}

/** `POST /oauth2/token`. A step that refuses the request throws. */
export async function token(c: HandlerContext): Promise<Response> {
  try {
    const sent = await readTokenRequest(c, TOKEN_PARAMETERS)
    // There is no await from here to the answer, so only one of two requests with the same code gets tokens.
    const application = authenticateApplication(c, sent)
    const grant = ownValue(GRANT_HANDLERS, required(sent, 'grant_type'))
    if (grant === undefined) throw new Refusal('unsupported_grant_type')
    countTokenRequest(c, application, sent)
    return answerTokens(c, grant(c.get('context'), application, sent), grant === refresh)
  } catch (error) {
    return answerTokenError(c, error)
  }
}

const JSON_TYPE = 'application/json'

const READERS: Record<string, (text: string) => URLSearchParams> = {
  [FORM_TYPE]: (text) => new URLSearchParams(text),
  [JSON_TYPE]: (text) => new URLSearchParams(textMembers(text)),
}

/** U18. */
const ENCODINGS: Record<
  Choices['enc'],
  { types: readonly string[]; else: 'unsupported_media_type' | 'invalid_request' }
> = {
  // RFC 6749 4.1.3 and 6 ask for a form.
  form_only: { types: [FORM_TYPE], else: 'unsupported_media_type' },
  json_only: { types: [JSON_TYPE], else: 'invalid_request' },
  both: { types: [FORM_TYPE, JSON_TYPE], else: 'unsupported_media_type' },
}

/**
 * @param names the parameters of the endpoint; others may be repeated
 * @throws Refusal `invalid_request`, `unsupported_media_type`
 */
export async function readTokenRequest(
  c: HandlerContext,
  names: readonly string[],
): Promise<URLSearchParams> {
  const { choices } = c.get('context')
  const query = queryOf(c)
  // RFC 6749 2.3.1: a URI has no credentials, as it may be logged.
  if (names.some((name) => query.has(name)))
    throw new Refusal('invalid_request', {
      description: 'Send the parameters in the body, not in the URI.',
    })
  const { types, else: otherwise } = ENCODINGS[choices.enc]
  const read = types.includes(mediaTypeOf(c)) ? READERS[mediaTypeOf(c)] : undefined
  if (read === undefined)
    throw new Refusal(otherwise, { description: `The body has to be ${types.join(' or ')}.` })
  const form = read(await readText(c))
  c.set('form', form)
  // RFC 6749 3.2.
  const twice = names.find((name) => isRepeated(form, name))
  if (twice) throw new Refusal('invalid_request', { description: `${twice} is repeated.` })
  return form
}

function textMembers(text: string): [string, string][] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  if (!isJsonObject(body))
    throw new Refusal('invalid_request', { description: 'The body has to be a JSON object.' })
  return Object.entries(body).filter((member): member is [string, string] => typeof member[1] === 'string')
}

/** For one application, if the endpoint has its own limit. */
export const OWN_LIMIT_PER_MINUTE = 10

type CountRequest = (c: HandlerContext, application: DeepReadonly<Application>, sent: URLSearchParams) => void

/** U31. The document counts per token (8.2), and this request has none yet. */
const COUNTERS: Record<Choices['toklimit'], CountRequest> = {
  not_counted: () => {},
  counts_as_update: (c, application, sent) => {
    const context = c.get('context')
    const grant = ownValue(context.state.grants, grantIdOf(context, application, sent) ?? '')
    const id = grant?.organization_id ?? application.organization_id
    const organization = context.state.organizations.find((known) => known.id === id)
    const { client_id } = application
    if (organization) admit(c, { credential: `application ${client_id}`, organization, client_id }, 'update')
  },
  own_limit: (c, { client_id }) => {
    const context = c.get('context')
    const requests = `requests ${client_id}`
    const { count, ends_at_ms } = countOf(context, requests)
    if (count >= OWN_LIMIT_PER_MINUTE)
      throw new Refusal('too_many_requests', {
        // RFC 6585 4 allows the header.
        headers: { 'Retry-After': String(Math.ceil((ends_at_ms - context.nowMs) / SECOND_MS)) },
      })
    increment(context, requests)
  },
}

/** @throws Refusal `too_many_requests`, or the API's `minute_over` or `month_over` */
export const countTokenRequest: CountRequest = (c, application, sent) =>
  COUNTERS[c.get('context').choices.toklimit](c, application, sent)
