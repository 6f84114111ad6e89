/** Refreshes: which refresh token is answered, and what becomes of the one that was sent (5.4.3, 5.4.4). */
import type { TokenResponse } from '../../contract/token.ts'
import { required } from '../http/form.ts'
import { newToken, issueTokens, revokeTokens } from './grant.ts'
import { isRefreshTokenOver } from '../state/lifetime.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { type Application, type Frozen, type IssuedRefreshToken, lookUp } from '../state/state.ts'
import type { Context } from '../state/context.ts'

const GRACE_MS = 30_000

const isReplaced = ({ replaced_at_ms }: Frozen<IssuedRefreshToken>): boolean => replaced_at_ms !== undefined

/** Whether one that was replaced is refused by now, and whether one is (U24). */
const ROTATIONS: Record<
  Choices['rotation'],
  { replaces: boolean; hasEnded: (token: Frozen<IssuedRefreshToken>, nowMs: number) => boolean }
> = {
  // RFC 9700 4.14.2
  new_old_revoked: { replaces: true, hasEnded: isReplaced },
  same: { replaces: false, hasEnded: isReplaced },
  new_old_valid: { replaces: true, hasEnded: () => false },
  new_old_valid_30_seconds: {
    replaces: true,
    hasEnded: ({ replaced_at_ms }, nowMs) => nowMs - (replaced_at_ms ?? nowMs) >= GRACE_MS,
  },
  new_old_valid_until_new_used: {
    replaces: true,
    hasEnded: ({ is_successor_used }) => is_successor_used === true,
  },
}

/** What follows when one comes that has ended (U25): it is refused, or let through. */
const REUSES: Record<Choices['reuse'], (context: Context, token: Frozen<IssuedRefreshToken>) => void> = {
  refused: () => {
    throw new Refusal('invalid_grant')
  },
  // RFC 9700 4.14.2: whether the thief came first or the client, neither goes on.
  refused_family_revoked: (context, { grant_id }) => {
    revokeTokens(context, grant_id)
    throw new Refusal('invalid_grant')
  },
  accepted: () => {},
}

/** What becomes of the earlier access tokens (U27). */
const ENDS_OLD_ACCESS: Record<Choices['oldaccess'], boolean> = { until_expiry: false, revoked: true }

/**
 * RFC 6749 6. Parameters beyond those of 5.4.3 are not looked at.
 * @throws Refusal `invalid_request`, `invalid_grant`
 */
export function refresh(
  context: Context,
  application: Frozen<Application>,
  sent: URLSearchParams,
): TokenResponse {
  const { state, choices, nowMs } = context
  const refreshToken = required(sent, 'refresh_token')
  const known = lookUp(state.refresh_tokens, refreshToken)
  const grant = known && lookUp(state.grants, known.grant_id)
  if (known === undefined || grant?.client_id !== application.client_id) throw new Refusal('invalid_grant')
  if (isRefreshTokenOver(context, known, grant)) throw new Refusal('invalid_grant')
  const { replaces, hasEnded } = ROTATIONS[choices.rotation]
  if (hasEnded(known, nowMs)) REUSES[choices.reuse](context, known)

  const next = replaces ? newToken(context) : refreshToken
  context.change(({ access_tokens, refresh_tokens }) => {
    const former = refresh_tokens[known.replaces ?? '']
    if (former) former.is_successor_used = true
    const replaced_at_ms = replaces ? (known.replaced_at_ms ?? nowMs) : known.replaced_at_ms
    refresh_tokens[refreshToken] = {
      ...known,
      used_at_ms: nowMs,
      ...(replaced_at_ms !== undefined && { replaced_at_ms }),
    }
    if (!ENDS_OLD_ACCESS[choices.oldaccess]) return
    for (const [token, { grant_id }] of Object.entries(access_tokens))
      if (grant_id === known.grant_id) delete access_tokens[token]
  })
  return issueTokens(context, known.grant_id, next, replaces ? { replaces: refreshToken } : {})
}
