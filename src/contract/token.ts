/** The requests to `POST /oauth2/token` and their answer (2.1, 4.2, 5.3, 5.4). */

/** Path of the token endpoint, below {base_url} (4). */
export const TOKEN_PATH = '/oauth2/token'

/** An access token is valid for this long after it was generated (2.1, 5.4.2). */
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3600

/** The code exchange: these five parameters (5.3). */
export const EXCHANGE_PARAMETERS = [
  'grant_type',
  'code',
  'client_id',
  'client_secret',
  'redirect_uri',
] as const
/** The refresh: these four parameters (5.4.3). */
export const REFRESH_PARAMETERS = ['grant_type', 'refresh_token', 'client_id', 'client_secret'] as const

/** The answer to both (2.1). */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
}

/** The `error` of a refused token request (RFC 6749 5.2; the document does not show it, section 7). */
export const TOKEN_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const

/** A failing token endpoint may answer these codes of the redirect (RFC 6749 4.1.2.1). */
export const OUTAGE_ERRORS = ['server_error', 'temporarily_unavailable'] as const
