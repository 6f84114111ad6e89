/** Says when codes and tokens are over (5.4.2, 5.5). */
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import type { Frozen, Grant, IssuedCode, IssuedRefreshToken, IssuedToken } from './state.ts'
import type { Context } from './context.ts'

type Instant = Pick<Context, 'nowMs' | 'choices'>

const DAY_MS = 86_400_000

const CODE_LIFETIME_MS: Record<Choices['codelife'], number> = {
  seconds_600: 600_000,
  seconds_60: 60_000,
  seconds_30: 30_000,
}

/** U11. */
export const isCodeOver = (
  { nowMs, choices }: Instant,
  { issued_at_ms }: Frozen<Pick<IssuedCode, 'issued_at_ms'>>,
): boolean => nowMs - issued_at_ms >= CODE_LIFETIME_MS[choices.codelife]

const ACCESS_TOKEN_LIFETIME_MS = ACCESS_TOKEN_LIFETIME_SECONDS * 1000

/** Where exactly 3600 seconds lie (U29). RFC 6749 5.1: an hour from the response on, so at that instant it has expired. */
const ACCESS_TOKEN_ENDS: Record<Choices['boundary'], (ageMs: number) => boolean> = {
  refused_from_3600: (ageMs) => ageMs >= ACCESS_TOKEN_LIFETIME_MS,
  refused_after_3600: (ageMs) => ageMs > ACCESS_TOKEN_LIFETIME_MS,
  tolerance_15_seconds: (ageMs) => ageMs >= ACCESS_TOKEN_LIFETIME_MS + 15_000,
}

/** 5.4.2. */
export const isAccessTokenOver = (
  { nowMs, choices }: Instant,
  { issued_at_ms }: Frozen<Pick<IssuedToken, 'issued_at_ms'>>,
): boolean => ACCESS_TOKEN_ENDS[choices.boundary](nowMs - issued_at_ms)

/** When a refresh token ends, in UNIX milliseconds (U26). */
const REFRESH_TOKEN_ENDS: Record<
  Choices['rtlife'],
  (token: Frozen<IssuedRefreshToken>, grant: Frozen<Grant>) => number
> = {
  unlimited: () => Infinity,
  days_30_absolute: (_, { permitted_at_ms }) => permitted_at_ms + 30 * DAY_MS,
  days_14_idle: ({ issued_at_ms, used_at_ms = issued_at_ms }) => used_at_ms + 14 * DAY_MS,
  hours_24: ({ issued_at_ms }) => issued_at_ms + DAY_MS,
}

/** One whose grant is gone is over as well. */
export const isRefreshTokenOver = (
  { nowMs, choices }: Instant,
  token: Frozen<IssuedRefreshToken>,
  grant: Frozen<Grant> | undefined,
): boolean => grant === undefined || nowMs >= REFRESH_TOKEN_ENDS[choices.rtlife](token, grant)

/** How long an expired access token is told from one that nobody issued. */
export const EXPIRED_KNOWN_FOR_MS = DAY_MS
/** How long a refresh token that was replaced is told from one that nobody issued. */
export const REPLACED_KNOWN_FOR_MS = 30 * DAY_MS
