/** The two headers that carry a credential (5.1, 5.4): written by the bff, read by the sandbox. */

export type Credential =
  | { readonly method: 'oauth'; readonly accessToken: string }
  | { readonly method: 'api_key'; readonly apiKey: string }

/** The header of section 5.1.5; a setting may name another one. */
export const API_KEY_HEADER = 'X-Service-Api-Key'

// RFC 6750 2.1: b64token. The scheme's name is case-insensitive (RFC 9110 11.1).
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** `Authorization: Bearer` (5.4.1), or the API key's (5.1.5). */
export function credentialHeader(
  credential: Credential,
  apiKeyHeader: string = API_KEY_HEADER,
): [name: string, value: string] {
  return credential.method === 'oauth'
    ? ['Authorization', `Bearer ${credential.accessToken}`]
    : [apiKeyHeader, credential.apiKey]
}

/** The credentials of a request; `malformed` for a header that holds none. */
export function readCredentials(
  headers: Pick<Headers, 'get'>,
  apiKeyHeader: string = API_KEY_HEADER,
): (Credential | 'malformed')[] {
  const found: (Credential | 'malformed')[] = []
  const authorization = headers.get('Authorization')
  if (authorization !== null) {
    const token = BEARER.exec(authorization)?.[1]
    found.push(token === undefined ? 'malformed' : { method: 'oauth', accessToken: token })
  }
  const apiKey = headers.get(apiKeyHeader)
  if (apiKey !== null) found.push(isApiKey(apiKey) ? { method: 'api_key', apiKey } : 'malformed')
  return found
}

/** An API key is one header value of visible ASCII, without blanks (RFC 9110 5.5). */
export const isApiKey = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)
