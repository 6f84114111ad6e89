/** The only file that sends the client secret: swaps a code for tokens, and a refresh token for fresh ones (4.2, 5.3, 5.4). */
import { randomInt } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { isJsonObject } from '../contract/json.ts'
import { Problem } from '../contract/problem.ts'
import { readRetryAfter, UNKNOWN_PAUSE_MS } from '../contract/refusal.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS, TOKEN_ERRORS, TOKEN_PATH } from '../contract/token.ts'
import type { House, Tokens } from './house.ts'
import { type Answer, send, serviceNowMs } from './month.ts'

/** Clocks differ and answers take time; spread, so that sessions opened together do not refresh together. */
const MARGIN_MS = { least: 30_000, spread: 30_000 }
const LONGEST_LIFETIME_SECONDS = 86_400 * 366

interface Asked {
  organization: string
  initiator: 'sign_in' | 'call'
}

/** The code exchange (5.3): code, client_id, client_secret, redirect_uri, grant_type, and with PKCE the verifier. */
export async function exchangeCode(
  house: House,
  {
    code,
    codeVerifier,
    organization,
  }: { code: string; codeVerifier?: string | undefined; organization: string },
): Promise<Tokens> {
  const { server, client, secret, redirectUri } = parties(house)
  // The state was checked against the browser's cookie already; this only brands the parameters for the library.
  const callback = oauth.validateAuthResponse(
    server,
    client,
    new URLSearchParams({ code }),
    oauth.skipStateCheck,
  )
  return request(house, 'token.code', { organization, initiator: 'sign_in' }, (options) =>
    oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      callback,
      redirectUri,
      codeVerifier ?? oauth.nopkce,
      options,
    ),
  )
}

/**
 * The refresh (5.4.3): refresh_token, client_id, client_secret, grant_type. Only `access_withdrawn` is the end of the grant.
 * The old refresh token stays where the answer names none.
 */
export async function refreshTokens(
  house: House,
  refreshToken: string | undefined,
  organization: string,
): Promise<Tokens> {
  if (refreshToken === undefined) throw new Problem('access_withdrawn')
  const { server, client, secret } = parties(house)
  const fresh = await request(house, 'token.refresh', { organization, initiator: 'call' }, (options) =>
    oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, options),
  )
  return { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken }
}

function parties({ config }: House) {
  return {
    server: { issuer: config.serviceUrl, token_endpoint: config.serviceUrl + TOKEN_PATH },
    client: { client_id: config.clientId },
    secret: oauth.ClientSecretPost(config.clientSecret),
    redirectUri: redirectUri(config),
  }
}

/** The one redirect URI: registered at the service, and the same bytes in both requests (5.3; RFC 6749 4.1.3). */
export const redirectUri = ({ publicUrl }: Pick<House['config'], 'publicUrl'>): string =>
  `${publicUrl}/callback`

async function request(
  house: House,
  kind: 'token.code' | 'token.refresh',
  asked: Asked,
  ask: (options: oauth.TokenEndpointRequestOptions) => Promise<Response>,
): Promise<Tokens> {
  let answer: Answer | undefined
  const response = await ask({
    // http is for loopback only, which the settings see to.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url, { method, headers, body }) => {
      const encoded = encode(house, new Headers(headers), new URLSearchParams(String(body)))
      answer = await send(house, {
        ...asked,
        kind,
        path: TOKEN_PATH,
        request: new Request(url, { method, ...encoded }),
      })
      const { status, text } = answer
      // A Response cannot be made with a redirect's or an empty status and a body; neither is a token answer anyway.
      return new Response(text, {
        status: status >= 200 && status <= 599 && ![204, 205, 304].includes(status) ? status : 502,
        headers: answer.headers,
      })
    },
  })
  if (answer === undefined)
    throw new Problem('unknown', { cause: new Error('the OAuth client asked nobody') })
  if (answer.status !== 200 || errorWord(answer.text) !== undefined) throw refusal(house, kind, answer)
  const {
    access_token,
    expires_in = ACCESS_TOKEN_LIFETIME_SECONDS,
    refresh_token,
  } = await parse(house, response)
  // Anything else would break the header that carries it (RFC 6750 2.1).
  if (!/^[\x21-\x7e]+$/.test(access_token)) throw new Problem('unexpected_reply')
  // Counted from the sending, so that a slow answer makes the token look older and never younger.
  const expiresAtMs = answer.sentAtMs + Math.min(expires_in, LONGEST_LIFETIME_SECONDS) * 1000
  const marginMs = MARGIN_MS.least + randomInt(MARGIN_MS.spread)
  return {
    accessToken: access_token,
    ...(refresh_token ? { refreshToken: refresh_token } : {}),
    staleAtMs: expiresAtMs - marginMs,
    expiresAtMs,
  }
}

/** The strictest of readers: other token types, missing members and a 200 that carries an error are refused (RFC 6749 5.1, 7.1). */
async function parse(house: House, response: Response): Promise<oauth.TokenEndpointResponse> {
  const { server, client } = parties(house)
  try {
    return await oauth.processRefreshTokenResponse(server, client, response)
  } catch (cause) {
    // Its message says which rule was broken; the body stays out of the log.
    throw new Problem('unexpected_reply', {
      cause: cause instanceof Error ? new Error(cause.message) : undefined,
    })
  }
}

function encode(
  { config }: House,
  headers: Headers,
  parameters: URLSearchParams,
): { headers: Headers; body: string } {
  if (config.tokenEncoding === 'json') {
    headers.set('Content-Type', 'application/json')
    return { headers, body: JSON.stringify(Object.fromEntries(parameters)) }
  }
  return { headers, body: parameters.toString() }
}

/** What a refused token request means: by the word of RFC 6749 5.2 where there is one, else by the status (7: not shown). */
function refusal(
  house: House,
  kind: 'token.code' | 'token.refresh',
  { status, headers, text }: Answer,
): Problem {
  const retryInMs = readRetryAfter(headers, serviceNowMs(house))
  if (status === 429) return new Problem('limit_unknown', { retryInMs: retryInMs ?? UNKNOWN_PAUSE_MS })
  if (status >= 500) return new Problem('upstream_failed', { retryInMs })
  const error = errorWord(text)
  if (
    error === 'invalid_client' ||
    error === 'unauthorized_client' ||
    (error === undefined && status === 401)
  ) {
    return new Problem('client_rejected', {
      cause: new Error(`the token endpoint answered ${status} ${error ?? ''}`),
    })
  }
  if (error === 'invalid_grant')
    return new Problem(kind === 'token.code' ? 'code_rejected' : 'access_withdrawn')
  return new Problem('unexpected_reply', {
    cause: new Error(`the token endpoint answered ${status} ${error ?? ''}`),
  })
}

function errorWord(text: string): (typeof TOKEN_ERRORS)[number] | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isJsonObject(body) ? TOKEN_ERRORS.find((word) => word === body['error']) : undefined
  } catch {
    return undefined
  }
}
