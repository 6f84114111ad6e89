/** The only file that sends the client secret: swaps a code for tokens, and a refresh token for fresh ones (4.2, 5.3, 5.4). */
import { randomInt } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { CALLBACK_PATH } from '../contract/authorize.ts'
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
  publicUrl + CALLBACK_PATH

async function request(
  house: House,
  kind: 'token.code' | 'token.refresh',
  asked: Asked,
  ask: (options: oauth.TokenEndpointRequestOptions) => Promise<Response>,
): Promise<Tokens> {
  await assertNoPause(house)
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
      // Any success that reads as JSON is one (4.2: neither status nor media type is shown); all else is no token answer.
      return new Response(text, {
        status: isSuccess(status) ? 200 : 502,
        headers: { 'Content-Type': 'application/json' },
      })
    },
  })
  if (answer === undefined)
    throw new Problem('unknown', { cause: new Error('the OAuth client asked nobody') })
  if (!isSuccess(answer.status) || errorWord(answer.text) !== undefined) {
    const refused = refusal(house, kind, answer)
    if (answer.status === 429) await pauseTokens(house, refused)
    throw refused
  }
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

const isSuccess = (status: number) => status >= 200 && status < 300

/** What the token endpoint was told to wait for, by all who share the application (8: whether it has limits is not shown). */
const PAUSE = 'token endpoint'
const LONGEST_PAUSE_MS = 3_600_000

/** @throws Problem `limit_unknown` while the endpoint is known to refuse: the code or refresh token is kept for later */
async function assertNoPause(house: House): Promise<void> {
  const untilMs = Number(await house.store.readNote(PAUSE)) - house.now()
  if (untilMs > 0) throw new Problem('limit_unknown', { retryInMs: untilMs })
}

async function pauseTokens(house: House, { retryInMs = UNKNOWN_PAUSE_MS }: Problem): Promise<void> {
  const untilMs = house.now() + Math.min(Math.max(retryInMs, 1000), LONGEST_PAUSE_MS)
  await house.store.changeNote(PAUSE, (known) => Math.max(Number(known ?? 0), untilMs), untilMs)
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
  // A 400 in words that nobody reads is no fault of ours, which would have shown at the sign-in: so it is the code or token.
  if (error === 'invalid_grant' || (error === undefined && status === 400))
    return new Problem(kind === 'token.code' ? 'code_rejected' : 'access_withdrawn')
  return new Problem('unexpected_reply', {
    cause: new Error(`the token endpoint answered ${status} ${error ?? ''}`),
  })
}

/** The word of RFC 6749 5.2, also where it stands as the code of one of several errors (7: the shape is not shown). */
function errorWord(text: string): (typeof TOKEN_ERRORS)[number] | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (!isJsonObject(body)) return undefined
    const [first] = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : []
    const words = [body['error'], body['code'], isJsonObject(first) ? first['code'] : undefined]
    return TOKEN_ERRORS.find((word) => words.includes(word))
  } catch {
    return undefined
  }
}
