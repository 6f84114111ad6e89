/** The only file that knows oidc-client-ts: it makes the state and the address of 5.3, and takes the state back once. Loaded late. */
import { OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import type { OrganizationId } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import type { SignedOut } from '../contract/session.ts'
import { postLogin } from './api.ts'
import { safeReturnTo } from './return-to.ts'

type Application = SignedOut['authorize']

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
    stateStore: new WebStorageStateStore({ prefix: 'oidc.signin.', store: sessionStorage }),
  })
}

/**
 * Starts a sign-in; the server has to know its state before the browser leaves.
 * @returns the address to go to
 */
export async function startSignIn(
  application: Application,
  organizationId: OrganizationId,
  returnTo: string,
): Promise<string> {
  const client = createClient(application)
  await client.clearStaleState()
  const { url, state } = await client.createSigninRequest({
    state: { returnTo },
    extraQueryParams: { organization_id: organizationId },
  })
  await postLogin({ state: state.id, organization_id: organizationId })
  return url
}

/**
 * Takes the state of a sign-in out of this tab's memory, so that it cannot be used twice.
 * @param address the whole address that the service sent the browser to
 * @throws Problem `state_mismatch` when this tab started no such sign-in, or has finished it
 */
export async function consumeState(
  address: string,
): Promise<{ state: string; returnTo: string; codeVerifier: string | undefined }> {
  // Reading a state needs only the place where it is kept.
  const { origin } = new URL(address)
  const client = createClient({ authorization_endpoint: origin, client_id: 'none', redirect_uri: origin })
  try {
    const { state } = await client.readSigninResponseState(address, true)
    const data = state.data as { returnTo?: unknown } | undefined
    return { state: state.id, returnTo: safeReturnTo(data?.returnTo), codeVerifier: state.code_verifier }
  } catch (cause) {
    throw new Problem('state_mismatch', { cause })
  }
}
