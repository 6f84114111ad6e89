/** Parses a success of the token endpoint (2.1), by the strictest reading of RFC 6749 5.1 and 7.1. */
import { randomInt } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import { Problem } from '../../contract/problem.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import type { BffConfig, Tokens } from '../core/context.ts'

/** A token is replaced this long before it expires. The random part keeps sessions from doing so together. */
const MARGIN_MS = { least: 30 * SECOND_MS, spread: 30 * SECOND_MS }
const LONGEST_LIFETIME_MS = 366 * DAY_MS
/** The characters that a header can carry (RFC 6750 2.1). */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/**
 * @param sentAtMs the lifetime counts from the request, so that a slow answer makes a token look older
 * @throws Problem `unexpected_reply` for another token type, a missing member, or a member of another type
 */
export async function parseTokens(config: BffConfig, response: Response, sentAtMs: number): Promise<Tokens> {
  const {
    access_token: accessToken,
    expires_in: lifetimeSeconds = ACCESS_TOKEN_LIFETIME_SECONDS,
    refresh_token: refreshToken,
  } = await parseStrictly(config, response)
  if (!VISIBLE_ASCII.test(accessToken)) throw new Problem('unexpected_reply')
  const expiresAtMs = sentAtMs + Math.min(lifetimeSeconds * SECOND_MS, LONGEST_LIFETIME_MS)
  return {
    accessToken,
    ...(refreshToken ? { refreshToken } : {}),
    staleAtMs: expiresAtMs - MARGIN_MS.least - randomInt(MARGIN_MS.spread),
    expiresAtMs,
  }
}

async function parseStrictly(
  { serviceUrl, clientId }: BffConfig,
  response: Response,
): Promise<oauth.TokenEndpointResponse> {
  try {
    return await oauth.processRefreshTokenResponse({ issuer: serviceUrl }, { client_id: clientId }, response)
  } catch (cause) {
    // The message names the broken rule. The error holds the body, which must not be logged.
    throw new Problem('unexpected_reply', {
      cause: cause instanceof Error ? new Error(cause.message) : undefined,
    })
  }
}
