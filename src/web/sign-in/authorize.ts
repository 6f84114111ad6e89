/** The only file that uses oidc-client-ts, for the address of 5.3. It is loaded late. */
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import { type Application, isKeptAddress } from '../../contract/session.ts'
import type { OrganizationId } from '../../contract/organization.ts'
import { postLogin } from '../lib/api.ts'

function createClient(application: Application): OidcClient {
  const { origin } = new URL(application.authorization_endpoint)
  return new OidcClient({
    authority: origin,
    metadata: { issuer: origin, authorization_endpoint: application.authorization_endpoint },
    client_id: application.client_id,
    redirect_uri: application.redirect_uri,
    response_type: 'code',
    scope: 'none',
    omitScopeWhenRequesting: true,
    disablePKCE: application.code_challenge_method !== 'S256',
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  })
}

/**
 * Before the browser leaves, the server seals all that the callback will need into a cookie, under the state:
 * the place to return to, and the verifier, which the page never gets back.
 * @returns the address to go to
 */
export async function startSignIn(
  application: Application,
  organization_id: OrganizationId,
  returnTo: string,
): Promise<string> {
  const { url, state: request } = await createClient(application).createSigninRequest({
    extraQueryParams: { organization_id },
  })
  const { code_verifier } = request
  // The library's own state has only 122 random bits.
  const state = randomState()
  await postLogin({
    state,
    organization_id,
    ...(returnTo !== '/' && isKeptAddress(returnTo) && { return_to: returnTo }),
    ...(code_verifier !== undefined && { code_verifier }),
  })
  const address = new URL(url)
  address.searchParams.set('state', state)
  return address.href
}

/** 256 random bits, base64url (RFC 6749 10.10). */
function randomState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}
