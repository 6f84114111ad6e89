/**
 * Exchanges a code, or a refresh token, for new tokens (4.2, 5.3, 5.4). Nothing else sends the client secret.
 */

import { randomInt } from 'node:crypto'
import * as v from 'valibot'
import { answerMeaning, errorWord } from '../../contract/answer-meaning.ts'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import { Problem } from '../../contract/problem.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS, TOKEN_PATH } from '../../contract/token.ts'
import type { LedgerEntry } from '../../store/store.ts'
import { type BffConfig, type Context, type Outgoing, serviceNowMs, type Tokens } from '../core/context.ts'
import { begin, finish, mayHaveArrived, type Press, type ServiceAnswer, send } from '../service/request.ts'
import { assertNoTokenPause, noteTokenOutcome } from './pause.ts'

/**
 * Longer than a person waits, because a lost answer loses a rotated token. Shorter than a minute, so that a
 * connection without an answer does not block a session for that long.
 */
export const REFRESH_DEADLINE_MS = 45 * SECOND_MS

type TokenKind = 'token.code' | 'token.refresh'

/** @param owner the organization in whose month the request counts, and the owner of its session */
export const tokenEntry = (
  kind: TokenKind,
  { id: press }: Press,
  owner: { organization: string; owner: string },
): Omit<LedgerEntry, 'id' | 'atMs'> => ({
  ...owner,
  kind,
  press,
  method: 'POST',
  path: TOKEN_PATH,
  initiator: kind === 'token.code' ? 'sign_in' : 'call',
})

/** The same in the authorization request and in the exchange (5.3; RFC 6749 4.1.3). */
export const redirectUri = ({ publicUrl }: Pick<BffConfig, 'publicUrl'>): string => publicUrl + CALLBACK_PATH

/**
 * The code exchange (5.3): code, client_id, client_secret, redirect_uri, grant_type, with PKCE the verifier.
 * @throws Problem `code_rejected`, `limit_unknown`, `client_rejected`, `upstream_*`, `unexpected_reply`,
 *   `store_unavailable`
 */
export async function exchangeCode(
  context: Context,
  press: Press,
  { code, codeVerifier, ...owner }: { code: string; codeVerifier?: string | undefined } & Owner,
): Promise<Tokens> {
  const { row } = await begin(context, tokenEntry('token.code', press, owner), async (inside) => {
    await assertNoTokenPause(inside, 'token.code')
    return {}
  })
  const { answer, tokens } = await requestTokens(context, row, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(context.config),
    ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
  })
  const problem = tokens instanceof Problem ? tokens : undefined
  const pauseMs = await finish(context, row, answer, (inside) => noteTokenOutcome(inside, problem))
  if (!(tokens instanceof Problem)) return tokens
  throw new Problem(tokens.code, { retryInMs: pauseMs ?? tokens.retryInMs, cause: tokens.cause })
}

type Owner = Parameters<typeof tokenEntry>[2]

interface TokenAnswer {
  answer: ServiceAnswer | Problem
  tokens: Tokens | Problem
}

/**
 * The refresh (5.4.3): refresh_token, client_id, client_secret, grant_type. If the answer has no refresh
 * token, the old one remains in use. Its row is begun, and not finished here.
 * @param press counts the request at once, since a press may be answered before its refresh
 * @returns Problem `access_withdrawn`, the only one that means the end of the grant, or one of those of
 *   {@link exchangeCode}
 */
export async function refreshTokens(
  context: Context,
  row: LedgerEntry,
  refreshToken: string,
  press: Press,
): Promise<TokenAnswer> {
  press.refreshes += 1
  const asked = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const { answer, tokens } = await requestTokens(context, row, asked, REFRESH_DEADLINE_MS)
  if (answer instanceof Problem && !mayHaveArrived(answer)) press.refreshes -= 1
  return { answer, tokens: tokens instanceof Problem ? tokens : { refreshToken, ...tokens } }
}

/** Sends one request, and reads its answer. */
async function requestTokens(
  context: Context,
  row: LedgerEntry,
  parameters: Readonly<Record<string, string>>,
  deadlineMs?: number,
): Promise<TokenAnswer> {
  const { config } = context
  const answer = await send(context, row, tokenRequest(config, parameters), deadlineMs)
  try {
    const { text, sentAtMs } = successOf(context, row, answer)
    return { answer, tokens: parseTokens(text, sentAtMs) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { answer, tokens: error }
  }
}

function tokenRequest(
  { serviceUrl, clientId, clientSecret, tokenEncoding }: BffConfig,
  parameters: Readonly<Record<string, string>>,
): Outgoing {
  const all = { ...parameters, client_id: clientId, client_secret: clientSecret }
  const isForm = tokenEncoding === 'form'
  return new Request(serviceUrl + TOKEN_PATH, {
    method: 'POST',
    headers: { Accept: 'application/json', ...(!isForm && { 'Content-Type': 'application/json' }) },
    body: isForm ? new URLSearchParams(all) : JSON.stringify(all),
  })
}

/** @throws Problem for every other answer */
function successOf(context: Context, { kind }: LedgerEntry, answer: ServiceAnswer | Problem): ServiceAnswer {
  if (answer instanceof Problem) throw answer
  const { code, retryInMs } = answerMeaning({ kind, ...answer }, { serviceNowMs: serviceNowMs(context) })
  if (code === 'success') return answer
  // The log gets the status and an error word of RFC 6749, never the body.
  const asked = kind === 'token.code' ? 'code exchange' : 'refresh'
  const given = `${answer.status} ${errorWord(answer.text) ?? ''}`.trimEnd()
  const cause = new Error(`the token endpoint answered the ${asked} with ${given}`)
  throw new Problem(code, { retryInMs, cause })
}

/** A token is replaced this long before it expires. The random part keeps sessions from doing so together. */
const MARGIN_MS = { least: 30 * SECOND_MS, spread: 30 * SECOND_MS }
const LONGEST_LIFETIME_MS = 366 * DAY_MS
const LIFETIME = v.union([v.number(), v.pipe(v.string(), v.transform(Number.parseFloat))])
/** No server takes a longer header. */
const TOKEN = v.pipe(v.string(), v.maxLength(16_384))
/** An answer of 2.1. Other members are ignored (RFC 6749 5.1). */
const ANSWER = v.object({
  // The characters that a header can carry (RFC 6750 2.1).
  access_token: v.pipe(TOKEN, v.regex(/^[\x21-\x7e]+$/)),
  token_type: v.pipe(v.string(), v.regex(/^bearer$/i)),
  expires_in: v.nullish(v.pipe(LIFETIME, v.minValue(0)), ACCESS_TOKEN_LIFETIME_SECONDS),
  refresh_token: v.nullish(TOKEN),
})

/**
 * @param sentAtMs the lifetime counts from the request, so that a slow answer makes a token look older
 * @throws Problem `unexpected_reply` for another token type, a missing member, or a member of another type
 */
export function parseTokens(text: string, sentAtMs: number): Tokens {
  const { success, output, issues } = v.safeParse(v.pipe(v.string(), v.parseJson(), ANSWER), text)
  if (!success) {
    // The issue has the value, which must not be logged.
    const cause = new Error(`the token answer has no valid ${v.getDotPath(issues[0]) ?? 'body'}`)
    throw new Problem('unexpected_reply', { cause })
  }
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetimeSeconds } = output
  const expiresAtMs = sentAtMs + Math.min(lifetimeSeconds * SECOND_MS, LONGEST_LIFETIME_MS)
  return {
    accessToken,
    ...(refreshToken ? { refreshToken } : {}),
    staleAtMs: expiresAtMs - MARGIN_MS.least - randomInt(MARGIN_MS.spread),
    expiresAtMs,
  }
}
