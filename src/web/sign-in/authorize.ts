/** The only file that uses oidc-client-ts, for the state and the address of 5.3. It is loaded late. */
import { InMemoryWebStorage, OidcClient, type SigninState, WebStorageStateStore } from 'oidc-client-ts'
import { BFF } from '../../contract/api.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { isKeptAddress, type KeptLogin, parseStartedLogin } from '../../contract/login.ts'
import { type OrganizationId, parseOrganizationId } from '../../contract/organization.ts'
import { Problem } from '../../contract/problem.ts'
import type { Application } from '../../contract/session.ts'
import { postLogin, requestJson } from '../lib/api.ts'
import { safeReturnTo } from './return-to.ts'

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
    stateStore: new WebStorageStateStore({
      prefix: 'oidc.signin.',
      store: tabStorage() ?? new InMemoryWebStorage(),
    }),
  })
}

/** `undefined` if the browser refuses it. Then the cookie of the sign-in keeps what it needs. */
function tabStorage(): Storage | undefined {
  try {
    sessionStorage.setItem('plimsoll.try', '')
    sessionStorage.removeItem('plimsoll.try')
    return sessionStorage
  } catch {
    return undefined
  }
}

const keptLogin = (returnTo: string, codeVerifier: string | undefined): KeptLogin => ({
  return_to: isKeptAddress(returnTo) ? returnTo : '/',
  ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
})

/** The server must know the state before the browser leaves. @returns the address to go to */
export async function startSignIn(
  application: Application,
  organizationId: OrganizationId,
  returnTo: string,
): Promise<string> {
  const client = createClient(application)
  await client.clearStaleState()
  const { url, state } = await client.createSigninRequest({
    state: { returnTo, organizationId },
    extraQueryParams: { organization_id: organizationId },
  })
  const id = await renameState(client, state)
  const kept = tabStorage() ? {} : keptLogin(returnTo, state.code_verifier)
  await postLogin({ state: id, organization_id: organizationId, ...kept })
  const address = new URL(url)
  address.searchParams.set('state', id)
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

/** Under a random name, because the library's UUID has only 122 random bits. @returns the name */
async function renameState({ settings }: OidcClient, state: SigninState): Promise<string> {
  const id = randomState()
  await settings.stateStore.set(id, JSON.stringify({ ...JSON.parse(state.toStorageString()), id }))
  await settings.stateStore.remove(state.id)
  return id
}

export interface StartedSignIn {
  state: string
  returnTo: string
  organizationId: OrganizationId
  /** UNIX milliseconds. */
  startedAtMs: number
  codeVerifier: string | undefined
}

/**
 * Takes a state once. Without a storage the bff answers for the browser, and takes the state at the exchange.
 * @throws Problem `state_mismatch` if this tab did not start it, or has finished it
 */
export async function consumeState(state: string): Promise<StartedSignIn> {
  if (tabStorage() === undefined) return readStarted(state)
  // The library reads the state from an address, by the parameter name of RFC 6749.
  const { origin } = location
  const client = createClient({ authorization_endpoint: origin, client_id: 'none', redirect_uri: origin })
  try {
    const { state: found } = await client.readSigninResponseState(
      `${origin}/?${new URLSearchParams({ state })}`,
      true,
    )
    const data = found.data as { returnTo?: unknown; organizationId?: unknown }
    return {
      state: found.id,
      returnTo: safeReturnTo(data.returnTo),
      organizationId: parseOrganizationId(data.organizationId),
      startedAtMs: found.created * SECOND_MS,
      codeVerifier: found.code_verifier,
    }
  } catch (cause) {
    throw new Problem('state_mismatch', { cause })
  }
}

async function readStarted(state: string): Promise<StartedSignIn> {
  const started = parseStartedLogin(await requestJson(BFF.startedLogin, { method: 'POST', body: { state } }))
  return {
    state,
    returnTo: safeReturnTo(started.return_to),
    organizationId: started.organization_id,
    startedAtMs: Date.now(),
    codeVerifier: undefined,
  }
}
