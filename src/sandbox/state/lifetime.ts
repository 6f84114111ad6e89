/** Decides when codes and tokens expire (5.4.2, 5.5). */
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import { type Choices, numberIn } from '../choices/choices.ts'
import type { Grant, IssuedCode, IssuedRefreshToken, IssuedToken } from './state.ts'
import type { Instant } from './context.ts'

/** U11. */
export const isCodeOver = ({ nowMs, choices }: Instant, { issued_at_ms }: IssuedCode): boolean =>
  nowMs - issued_at_ms >= numberIn(choices.codelife) * SECOND_MS

/** U29: by so much longer. RFC 6749 5.1 counts the lifetime from the response on. */
const LONGER_MS: Record<Choices['boundary'], number> = {
  refused_from_3600: 0,
  refused_after_3600: 1,
  tolerance_15_seconds: 15 * SECOND_MS,
}

/** Section 5.4.2; in UNIX milliseconds. */
export const accessTokenEndsAt = ({ choices }: Instant, { issued_at_ms }: IssuedToken): number =>
  issued_at_ms + ACCESS_TOKEN_LIFETIME_SECONDS * SECOND_MS + LONGER_MS[choices.boundary]

export const isAccessTokenOver = (instant: Instant, token: IssuedToken): boolean =>
  instant.nowMs >= accessTokenEndsAt(instant, token)

/** UNIX milliseconds (U26). */
const REFRESH_TOKEN_ENDS: Record<Choices['rtlife'], (token: IssuedRefreshToken, grant: Grant) => number> = {
  unlimited: () => Infinity,
  days_30_absolute: (_, { permitted_at_ms }) => permitted_at_ms + 30 * DAY_MS,
  days_14_idle: ({ issued_at_ms, used_at_ms = issued_at_ms }) => used_at_ms + 14 * DAY_MS,
  hours_24: ({ issued_at_ms }) => issued_at_ms + DAY_MS,
}

/** Also true without a grant. */
export const isRefreshTokenOver = (
  { nowMs, choices }: Instant,
  token: IssuedRefreshToken,
  grant: Grant | undefined,
): boolean => grant === undefined || nowMs >= REFRESH_TOKEN_ENDS[choices.rtlife](token, grant)

/** True from a day after it expired. It then answers like one that was never issued. */
export const isAccessTokenForgotten = ({ nowMs, choices }: Instant, token: IssuedToken): boolean =>
  isAccessTokenOver({ choices, nowMs: nowMs - DAY_MS }, token)

const GRACE_MS = 30 * SECOND_MS

/** U24: the token that replaced a refresh token has revoked it. */
const IS_REPLACED: Record<Choices['rotation'], (token: IssuedRefreshToken, nowMs: number) => boolean> = {
  new_old_revoked: ({ replaced_at_ms }) => replaced_at_ms !== undefined,
  same: ({ replaced_at_ms }) => replaced_at_ms !== undefined,
  new_old_valid: () => false,
  new_old_valid_30_seconds: ({ replaced_at_ms }, nowMs) => nowMs - (replaced_at_ms ?? nowMs) >= GRACE_MS,
  new_old_valid_until_new_used: ({ is_successor_used }) => is_successor_used === true,
}
export const isRefreshTokenReplaced = ({ choices, nowMs }: Instant, token: IssuedRefreshToken): boolean =>
  IS_REPLACED[choices.rotation](token, nowMs)

const KNOWN_AFTER_REPLACEMENT_MS = 30 * DAY_MS

/** Expired, or refused and replaced 30 days ago: it then answers like one that was never issued. */
export const isRefreshTokenForgotten = (
  instant: Instant,
  token: IssuedRefreshToken,
  grant: Grant | undefined,
): boolean =>
  (instant.nowMs - (token.replaced_at_ms ?? instant.nowMs) >= KNOWN_AFTER_REPLACEMENT_MS &&
    instant.choices.reuse !== 'accepted' &&
    isRefreshTokenReplaced(instant, token)) ||
  isRefreshTokenOver(instant, token, grant)
