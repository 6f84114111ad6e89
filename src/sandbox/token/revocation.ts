/** The revocation endpoint (RFC 7009). The document has none; a choice offers it. */
import type { Choices } from '../choices/choices.ts'
import { required } from '../http/form.ts'
import { type HandlerContext, write } from '../http/handler.ts'
import { Refusal } from '../http/problem.tsx'
import type { Context } from '../state/context.ts'
import { deleteGrant, findAccessToken, findRefreshToken } from '../state/issued.ts'
import type { Application } from '../state/seed.ts'
import { ownValue } from '../state/state.ts'
import { authenticateApplication, grantIdOf } from './client-authentication.ts'
import { answerTokenError } from './token-answer.ts'
import { readTokenRequest } from './token.ts'

/** The sandbox chose this path; RFC 7009 2 names none. */
export const REVOCATION_PATH = '/oauth2/revoke'

export const isRevocationOffered = ({ revocation }: Pick<Choices, 'revocation'>): boolean =>
  revocation === 'rfc_7009'

const REVOCATION_PARAMETERS = ['token', 'token_type_hint', 'client_id', 'client_secret']

/** `POST /oauth2/revoke` (U33). It finds both kinds of token without the hint (RFC 7009 2.1). */
export async function revoke(c: HandlerContext): Promise<Response> {
  try {
    const sent = await readTokenRequest(c, REVOCATION_PARAMETERS)
    const application = authenticateApplication(c, sent)
    revokeToken(c.get('context'), application, sent)
    // RFC 7009 2.2: an unknown token gets the same answer.
    return write(c, 200, null)
  } catch (error) {
    return answerTokenError(c, error)
  }
}

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
