/** Exchanges a code for tokens, once (5.3), and refreshes the tokens of a grant (5.4.3, 5.4.4). */
import { SECOND_MS } from '../../contract/duration.ts'
import type { TokenResponse } from '../../contract/token.ts'
import { required, valueOf } from '../http/form.ts'
import { Refusal } from '../http/handler.ts'
import type { Context } from '../state/context.ts'
import { deleteIssued, findRefreshToken, isCodeOver, isRefreshTokenReplaced } from '../state/issued.ts'
import type { Application } from '../state/seed.ts'
import { type IssuedCode, type IssuedRefreshToken, ownValue } from '../state/state.ts'
import { issueTokens, newToken, revokeTokens, useCode } from './grant.ts'
import { assertVerifier } from './pkce.ts'
import { hasRefreshToken } from './token-answer.ts'

const ACCEPTED_AGAIN_MS = 10 * SECOND_MS

/** RFC 6749 4.1.3. @throws Refusal `invalid_request`, `invalid_grant` */
export function exchangeCode(context: Context, application: Application, sent: URLSearchParams) {
  const code = required(sent, 'code')
  const issued = ofApplication(context, application, ownValue(context.state.codes, code))
  if (issued.used_at_ms !== undefined) refuseReplay(context, issued, issued.used_at_ms)
  if (isCodeOver(context, issued)) throw new Refusal('invalid_grant')
  const redirectUri = valueOf(sent, 'redirect_uri')
  const isOmitted = redirectUri === undefined && issued.is_redirect_uri_optional
  if (!isOmitted && redirectUri !== issued.redirect_uri) throw new Refusal('invalid_grant')
  assertVerifier(sent, issued, context.choices)
  useCode(context, code)
  return issueTokens(context, issued.grant_id, newToken(context))
}

/** @throws Refusal `invalid_grant` if a code or token is unknown, or of another application */
function ofApplication<Issued extends { grant_id: string }>(
  { state }: Context,
  { client_id }: Application,
  issued: Issued | undefined,
): Issued {
  const grant = issued && ownValue(state.grants, issued.grant_id)
  if (issued === undefined || grant?.client_id !== client_id) throw new Refusal('invalid_grant')
  return issued
}

/** U12. RFC 6749 4.1.2, 10.5: a code that is sent again may be stolen, and so may its tokens. */
function refuseReplay(context: Context, { grant_id }: IssuedCode, usedAtMs: number): void {
  const { codereplay } = context.choices
  if (codereplay === 'accepted_10_seconds' && context.nowMs - usedAtMs < ACCEPTED_AGAIN_MS) return
  if (codereplay === 'refused_and_revoked') revokeTokens(context, grant_id)
  throw new Refusal('invalid_grant')
}

/** U25, RFC 9700 4.14.2: attacker and client look the same, so neither keeps access. */
function refuseReuse(context: Context, { grant_id }: IssuedRefreshToken): void {
  const { reuse } = context.choices
  if (reuse === 'accepted') return
  if (reuse === 'refused_family_revoked') revokeTokens(context, grant_id)
  throw new Refusal('invalid_grant')
}

/** RFC 6749 6; ignores all but the parameters of 5.4.3. @throws Refusal `invalid_request`, `invalid_grant` */
export function refresh(context: Context, application: Application, sent: URLSearchParams): TokenResponse {
  const { state, choices } = context
  const refreshToken = required(sent, 'refresh_token')
  const known = ofApplication(context, application, findRefreshToken(context, refreshToken))
  if (isRefreshTokenReplaced(context, known)) refuseReuse(context, known)
  // No client would get a new token that the answer leaves out (U21), so the one that was sent stays valid.
  const replaces = choices.rotation !== 'same' && hasRefreshToken(choices, true)
  const next = replaces ? newToken(context) : refreshToken
  noteUse(context, refreshToken, known, replaces)
  if (choices.oldaccess === 'revoked') deleteIssued(state, known.grant_id, ['access_tokens'])
  return issueTokens(context, known.grant_id, next, replaces ? { replaces: refreshToken } : {})
}

function noteUse({ state, nowMs }: Context, token: string, known: IssuedRefreshToken, replaces: boolean) {
  const { refresh_tokens: tokens } = state
  const former = tokens[known.replaces ?? '']
  if (former && known.replaces) tokens[known.replaces] = { ...former, is_successor_used: true }
  const replaced = replaces ? { replaced_at_ms: known.replaced_at_ms ?? nowMs } : {}
  tokens[token] = { ...known, used_at_ms: nowMs, ...replaced }
}
