/** Exchanges a code for tokens, once (5.3). */
import { SECOND_MS } from '../../contract/duration.ts'
import type { TokenResponse } from '../../contract/token.ts'
import { required, valueOf } from '../http/form.ts'
import { newToken, issueTokens, revokeTokens, useCode } from './grant.ts'
import { isCodeOver } from '../state/lifetime.ts'
import { assertVerifier } from './pkce.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import type { Application } from '../state/seed.ts'
import { type DeepReadonly, type IssuedCode, ownValue } from '../state/state.ts'
import type { Context } from '../state/context.ts'

const ACCEPTED_AGAIN_MS = 10 * SECOND_MS

/** U12. */
const REPLAYS: Record<Choices['codereplay'], (context: Context, code: DeepReadonly<IssuedCode>) => void> = {
  // RFC 6749 4.1.2, 10.5: a code that is sent again may be stolen, and so may its tokens.
  refused_and_revoked: (context, { grant_id }) => {
    revokeTokens(context, grant_id)
    throw new Refusal('invalid_grant')
  },
  refused: () => {
    throw new Refusal('invalid_grant')
  },
  accepted_10_seconds: ({ nowMs }, { used_at_ms = nowMs }) => {
    if (nowMs - used_at_ms >= ACCEPTED_AGAIN_MS) throw new Refusal('invalid_grant')
  },
}

/** RFC 6749 4.1.3. @throws Refusal `invalid_request`, `invalid_grant` */
export function exchangeCode(
  context: Context,
  application: DeepReadonly<Application>,
  sent: URLSearchParams,
): TokenResponse {
  const code = required(sent, 'code')
  const issued = ownValue(context.state.codes, code)
  const grant = issued && ownValue(context.state.grants, issued.grant_id)
  if (issued === undefined || grant?.client_id !== application.client_id) throw new Refusal('invalid_grant')
  if (issued.used_at_ms !== undefined) REPLAYS[context.choices.codereplay](context, issued)
  if (isCodeOver(context, issued)) throw new Refusal('invalid_grant')
  assertRedirectUri(valueOf(sent, 'redirect_uri'), issued)
  assertVerifier(sent, issued, context.choices)
  useCode(context, code)
  return issueTokens(context, issued.grant_id, newToken(context))
}

/** RFC 6749 4.1.3: equal; optional if the authorization request had none. @throws Refusal `invalid_grant` */
function assertRedirectUri(
  sent: string | undefined,
  { redirect_uri, is_redirect_uri_optional }: DeepReadonly<IssuedCode>,
): void {
  if (sent === undefined && is_redirect_uri_optional) return
  if (sent !== redirect_uri) throw new Refusal('invalid_grant')
}
