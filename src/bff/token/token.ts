/**
 * Exchanges a code, or a refresh token, for new tokens (4.2, 5.3, 5.4). Nothing else sends the client secret,
 * except `npm run doctor` after it has asked (serve/doctor/spend.ts).
 */
import * as oauth from 'oauth4webapi'
import { answerMeaning, errorWord } from '../../contract/answer-meaning.ts'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { isStoreFailure, Problem } from '../../contract/problem.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import {
  type BffConfig,
  bestEffort,
  type Context,
  inBackground,
  serviceNowMs,
  type Tokens,
} from '../core/context.ts'
import { learnFromRefresh } from '../evidence/learning.ts'
import { observeTokenAnswer } from '../limits/token-endpoint.ts'
import { type ServiceAnswer, type ServiceRequest, sendRequest, wasNeverSent } from '../service/request.ts'
import { parseTokens } from './answer.ts'
import { assertNoTokenPause, countTokenFailure, forgetTokenFailures } from './pause.ts'

/**
 * Longer than a person waits, because a lost answer loses a rotated token. Shorter than a minute, so that a
 * connection without an answer does not block a session for that long.
 */
const REFRESH_DEADLINE_MS = 45 * SECOND_MS

type TokenEntry = Pick<ServiceRequest, 'organization' | 'owner' | 'initiator' | 'deadlineMs'> & {
  kind: 'token.code' | 'token.refresh'
}

/** The organization in whose month the request counts, and the owner of its session. */
type TokenOwner = Pick<TokenEntry, 'organization' | 'owner'>

/** The same in the authorization request and in the exchange (5.3; RFC 6749 4.1.3). */
export const redirectUri = ({ publicUrl }: Pick<BffConfig, 'publicUrl'>): string => publicUrl + CALLBACK_PATH

/**
 * The code exchange (5.3): code, client_id, client_secret, redirect_uri, grant_type, with PKCE the verifier.
 * @throws Problem `code_rejected`, and the Problems of {@link requestTokens}
 */
export async function exchangeCode(
  context: Context,
  { organization, owner, ...grant }: TokenOwner & { code: string; codeVerifier?: string | undefined },
): Promise<Tokens> {
  const { server, client, secret } = registration(context.config)
  // The state was checked against the cookie. This call only gives the code the library's type.
  const callback = oauth.validateAuthResponse(
    server,
    client,
    new URLSearchParams({ code: grant.code }),
    oauth.skipStateCheck,
  )
  const verifier = grant.codeVerifier ?? oauth.nopkce
  const entry = { organization, owner, initiator: 'sign_in', kind: 'token.code' } as const
  return requestTokens(context, entry, (options) =>
    oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      callback,
      redirectUri(context.config),
      verifier,
      options,
    ),
  )
}

/**
 * The refresh (5.4.3): refresh_token, client_id, client_secret, grant_type. If the answer has no refresh
 * token, the old one remains in use.
 * @param cost is counted up by each request that is sent
 * @throws Problem `access_withdrawn`, the only one that means the end of the grant, and the Problems of
 *   {@link requestTokens}
 */
export async function refreshTokens(
  context: Context,
  refreshToken: string | undefined,
  { organization, owner }: TokenOwner,
  cost: RefreshCost = { refreshes: 0 },
): Promise<Tokens> {
  if (refreshToken === undefined) throw new Problem('access_withdrawn')
  const { server, client, secret } = registration(context.config)
  const entry = {
    organization,
    owner,
    initiator: 'call',
    kind: 'token.refresh',
    deadlineMs: REFRESH_DEADLINE_MS,
  } as const
  const tokens = await requestTokens(context, entry, (options) =>
    counted(cost, oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, options)),
  )
  const next = tokens.refreshToken ?? refreshToken
  void inBackground(context.memory, bestEffort(learnFromRefresh(context, next !== refreshToken)))
  return { ...tokens, refreshToken: next }
}

/** The refreshes that a press has caused, and that may count (8.3). One under way is among them. */
export interface RefreshCost {
  refreshes: number
}

/** Counts at once: a press may be answered before its refresh. */
async function counted<T>(cost: RefreshCost, request: Promise<T>): Promise<T> {
  cost.refreshes += 1
  try {
    return await request
  } catch (error) {
    if (isStoreFailure(error) || wasNeverSent(error)) cost.refreshes -= 1
    throw error
  }
}

const registration = ({ serviceUrl, clientId, clientSecret }: BffConfig) => ({
  server: { issuer: serviceUrl, token_endpoint: serviceUrl + TOKEN_PATH },
  client: { client_id: clientId },
  secret: oauth.ClientSecretPost(clientSecret),
})

type TokenRequest = (options: oauth.TokenEndpointRequestOptions) => Promise<Response>

/**
 * Sends one request unless a pause forbids it, and counts failures.
 * @throws Problem `limit_unknown`, `client_rejected`, `upstream_*`, `unexpected_reply`, `store_unavailable`
 */
async function requestTokens(context: Context, entry: TokenEntry, request: TokenRequest): Promise<Tokens> {
  await assertNoTokenPause(context, entry.kind)
  try {
    const tokens = await sendTokenRequest(context, entry, request)
    await bestEffort(forgetTokenFailures(context))
    return tokens
  } catch (error) {
    if (!(error instanceof Problem) || isStoreFailure(error)) throw error
    const { code, cause } = error
    if (code === 'code_rejected' || code === 'access_withdrawn') {
      await bestEffort(forgetTokenFailures(context))
      throw error
    }
    const pauseMs = await bestEffort(countTokenFailure(context, error))
    throw new Problem(code, { retryInMs: pauseMs ?? error.retryInMs, cause })
  }
}

async function sendTokenRequest(context: Context, entry: TokenEntry, request: TokenRequest): Promise<Tokens> {
  let received: ServiceAnswer | undefined
  const response = await request({
    // The settings allow http only for loopback addresses.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url, { method, headers, body }) => {
      const encoded = encode(context.config, new Headers(headers), new URLSearchParams(String(body)))
      received = await sendRequest(context, {
        ...entry,
        path: TOKEN_PATH,
        request: new Request(url, { method, ...encoded }),
      })
      assertSuccess(context, entry, received)
      // A success's status and media type are not shown (4.2), and the library accepts only 200 and JSON.
      return new Response(received.text)
    },
  })
  const tokens = await parseTokens(context.config, response, received?.sentAtMs ?? context.now())
  // The caller does not wait for this write.
  if (received !== undefined)
    void inBackground(
      context.memory,
      bestEffort(observeTokenAnswer(context, entry.organization, tokens.accessToken, received)),
    )
  return tokens
}

function assertSuccess(context: Context, { kind }: TokenEntry, answer: ServiceAnswer): void {
  const { code, retryInMs } = answerMeaning({ kind, ...answer }, { serviceNowMs: serviceNowMs(context) })
  if (code === 'success') return
  // The log gets the status and an error word of RFC 6749, never the body.
  const asked = kind === 'token.code' ? 'code exchange' : 'refresh'
  const given = `${answer.status} ${errorWord(answer.text) ?? ''}`.trimEnd()
  const cause = new Error(`the token endpoint answered the ${asked} with ${given}`)
  throw new Problem(code, { retryInMs, cause })
}

function encode(
  { tokenEncoding }: BffConfig,
  headers: Headers,
  parameters: URLSearchParams,
): { headers: Headers; body: string } {
  if (tokenEncoding === 'form') return { headers, body: parameters.toString() }
  headers.set('Content-Type', 'application/json')
  return { headers, body: JSON.stringify(Object.fromEntries(parameters)) }
}
