/** Parses a successful answer of the token endpoint (2.1), by the strictest reading of RFC 6749 5.1 and 7.1. */
import { randomInt } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { Problem } from '../../contract/problem.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import type { BffConfig, Tokens } from '../core/context.ts'

/** A token is replaced this long before it expires; spread, so that sessions of one moment do not refresh in one moment. */
const MARGIN_MS = { least: 30_000, spread: 30_000 }
const LONGEST_LIFETIME_SECONDS = 86_400 * 366
/** What a header can carry (RFC 6750 2.1). */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/**
 * @param sentAtMs when the request was sent: the lifetime counts from there, so that a slow answer makes a token look older
 * @throws Problem `unexpected_reply` for another token type, a missing member, or a member of another type
 */
export async function parseTokens(config: BffConfig, response: Response, sentAtMs: number): Promise<Tokens> {
  const {
    access_token: accessToken,
    expires_in: lifetimeSeconds = ACCESS_TOKEN_LIFETIME_SECONDS,
    refresh_token: refreshToken,
  } = await parseStrictly(config, response)
  if (!VISIBLE_ASCII.test(accessToken)) throw new Problem('unexpected_reply')
  const expiresAtMs = sentAtMs + Math.min(lifetimeSeconds, LONGEST_LIFETIME_SECONDS) * 1000
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
    // The message names the rule that was broken; the error itself holds the body, which must not be logged.
    throw new Problem('unexpected_reply', {
      cause: cause instanceof Error ? new Error(cause.message) : undefined,
    })
  }
}
