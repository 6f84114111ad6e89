/** The token endpoint: exchanges a code or a refresh token for tokens (4.2, 5.3, 5.4). */
import { EXCHANGE_PARAMETERS, REFRESH_PARAMETERS, type TokenResponse } from '../../contract/token.ts'
import { authenticateApplication } from './client-authentication.ts'
import { exchangeCode } from './exchange.ts'
import { required } from '../http/form.ts'
import { Refusal } from '../http/problem.tsx'
import { refresh } from './refresh.ts'
import type { Application } from '../state/seed.ts'
import { type DeepReadonly, ownValue } from '../state/state.ts'
import { answerTokenError, answerTokens } from './token-answer.ts'
import { countTokenRequest } from './token-limit.ts'
import { readTokenRequest } from './token-request.ts'
import type { Context } from '../state/context.ts'
import type { HandlerContext } from '../http/handler.ts'

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
