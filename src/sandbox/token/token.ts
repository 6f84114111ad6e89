/** The token endpoint (4.2, 5.3, 5.4), and that of revocation (RFC 7009), which a choice offers. */
import { SECOND_MS } from '../../contract/duration.ts'
import { isJsonObject } from '../../contract/json.ts'
import { EXCHANGE_PARAMETERS, REFRESH_PARAMETERS } from '../../contract/token.ts'
import { organizationWithId } from '../api/credential.ts'
import type { Choices } from '../choices/choices.ts'
import { FORM_TYPE, isRepeated, mediaTypeOf, readText, required } from '../http/form.ts'
import { type HandlerContext, queryOf, Refusal, write } from '../http/handler.ts'
import { admit, uncountFailed } from '../limits/meter.ts'
import type { Context } from '../state/context.ts'
import { deleteGrant, findAccessToken, findRefreshToken } from '../state/issued.ts'
import type { Application } from '../state/seed.ts'
import { ownValue } from '../state/state.ts'
import { authenticateApplication, countOf, grantIdOf, increment } from './client-authentication.ts'
import { exchangeCode, refresh } from './exchange.ts'
import { answerTokenError, answerTokens } from './token-answer.ts'

const TOKEN_PARAMETERS = [...new Set([...EXCHANGE_PARAMETERS, ...REFRESH_PARAMETERS, 'code_verifier'])]

const GRANT_HANDLERS: Record<string, typeof exchangeCode> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
}

type Answer = (c: HandlerContext, application: Application, sent: URLSearchParams) => Response

/** @param names the parameters of the endpoint; others may be repeated */
const tokenEndpoint =
  (names: readonly string[], answer: Answer) =>
  async (c: HandlerContext): Promise<Response> => {
    try {
      const sent = await readTokenRequest(c, names)
      c.set('context', c.get('contextNow')())
      // There is no await from here on, so only one of two requests with the same code gets tokens.
      return answer(c, authenticateApplication(c, sent), sent)
    } catch (error) {
      uncountFailed(c)
      return answerTokenError(c, error)
    }
  }

/** `POST /oauth2/token`. */
export const token = tokenEndpoint(TOKEN_PARAMETERS, (c, application, sent) => {
  const grant = ownValue(GRANT_HANDLERS, required(sent, 'grant_type'))
  if (grant === undefined) throw new Refusal('unsupported_grant_type')
  countTokenRequest(c, application, sent)
  return answerTokens(c, grant(c.get('context'), application, sent), grant === refresh)
})

const JSON_TYPE = 'application/json'

/** @throws Refusal `invalid_request`, `unsupported_media_type` */
async function readTokenRequest(c: HandlerContext, names: readonly string[]): Promise<URLSearchParams> {
  const { choices } = c.get('context')
  const query = queryOf(c)
  // RFC 6749 2.3.1: a URI has no credentials, as it may be logged.
  if (names.some((name) => query.has(name)))
    throw new Refusal('invalid_request', {
      description: 'Send the parameters in the body, not in the URI.',
    })
  // U18. RFC 6749 4.1.3 and 6 ask for a form.
  const { enc } = choices
  const types = [...(enc === 'json_only' ? [] : [FORM_TYPE]), ...(enc === 'form_only' ? [] : [JSON_TYPE])]
  const type = mediaTypeOf(c)
  if (!types.includes(type))
    throw new Refusal(enc === 'json_only' ? 'invalid_request' : 'unsupported_media_type', {
      description: `The body has to be ${types.join(' or ')}.`,
    })
  const text = await readText(c)
  const form = new URLSearchParams(type === JSON_TYPE ? textMembers(text) : text)
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

/**
 * U31. The document counts per token (8.2), and this request has none yet.
 * @throws Refusal `too_many_requests`, or the API's `minute_over` or `month_over`
 */
function countTokenRequest(c: HandlerContext, application: Application, sent: URLSearchParams): void {
  const context = c.get('context')
  const { client_id, organization_id } = application
  if (context.choices.toklimit === 'counts_as_update') {
    const grant = ownValue(context.state.grants, grantIdOf(context, application, sent) ?? '')
    const organization = organizationWithId(context, grant?.organization_id ?? organization_id)
    if (organization) admit(c, { credential: `application ${client_id}`, organization, client_id }, 'update')
  }
  if (context.choices.toklimit !== 'own_limit') return
  const requests = `requests ${client_id}`
  const { count, ends_at_ms } = countOf(context, requests)
  // RFC 6585 4 allows the header.
  const headers = { 'Retry-After': String(Math.ceil((ends_at_ms - context.nowMs) / SECOND_MS)) }
  if (count >= OWN_LIMIT_PER_MINUTE) throw new Refusal('too_many_requests', { headers })
  increment(context, requests)
}

/** The sandbox chose this path; RFC 7009 2 names none. */
export const REVOCATION_PATH = '/oauth2/revoke'

export const isRevocationOffered = ({ revocation }: Choices): boolean => revocation === 'rfc_7009'

const REVOCATION_PARAMETERS = ['token', 'token_type_hint', 'client_id', 'client_secret']

/** `POST /oauth2/revoke` (U33). It finds both kinds of token without the hint (RFC 7009 2.1). */
export const revoke = tokenEndpoint(REVOCATION_PARAMETERS, (c, application, sent) => {
  revokeToken(c.get('context'), application, sent)
  // RFC 7009 2.2: an unknown token gets the same answer.
  return write(c, 200, null)
})

function revokeToken(context: Context, application: Application, sent: URLSearchParams): void {
  const { state } = context
  const token = required(sent, 'token')
  // RFC 7009 2.2.1: codes cannot be revoked.
  if (ownValue(state.codes, token))
    throw new Refusal('invalid_request', {
      word: 'unsupported_token_type',
      description: 'A code cannot be revoked.',
    })
  const isRefreshToken = findRefreshToken(context, token) !== undefined
  if (!isRefreshToken && findAccessToken(context, token) === undefined) return
  const grantId = grantIdOf(context, application, sent)
  // RFC 7009 2.1: only its own application can revoke a token.
  if (grantId === undefined) throw new Refusal('invalid_grant')
  // RFC 7009 2.1: a refresh token takes all tokens of its grant with it.
  if (isRefreshToken) deleteGrant(state, grantId)
  else delete state.access_tokens[token]
}
