/** Refreshes a session's access token: only for a request that is about to be sent, and once for all who wait (5.4). */
import { Problem } from '../contract/problem.ts'
import { type Context, shareWork, type Tokens } from './context.ts'
import { transferLimits } from './limit-transfer.ts'
import { describe } from './problem.ts'
import {
  type Credential,
  changeSession,
  endSession,
  type LoadedSession,
  limitOwner,
  reloadSession,
  tokenOf,
} from './session-record.ts'
import { refreshTokens } from './token.ts'

type OAuthCredential = Extract<Credential, { method: 'oauth' }>

/**
 * The session's credential, with a new access token where the present one is about to expire or is the one that was refused.
 * An API key is returned as it is.
 * @param refused the credential that the service refused
 * @throws Problem `access_withdrawn` when the grant has ended, which ends the session; `signed_out` when the session has
 *   ended; `credential_refused` for a refused API key; the Problem of the token endpoint, unless the present token is good
 */
export async function freshCredential(
  context: Context,
  session: LoadedSession,
  refused?: Credential,
): Promise<Credential> {
  const { credential } = session.record
  if (credential.method === 'api_key') {
    if (refused !== undefined) throw new Problem('credential_refused')
    return credential
  }
  const isStale = ({ staleAtMs, accessToken }: Tokens) =>
    staleAtMs <= context.now() || (refused?.method === 'oauth' && refused.tokens.accessToken === accessToken)
  if (!isStale(credential.tokens)) return credential
  return shareWork(context.memory, `refresh ${session.id}`, async () => {
    // Another request or another process may have refreshed meanwhile.
    const current = await reloadSession(context, session)
    if (current?.record.credential.method !== 'oauth') throw new Problem('signed_out')
    const stored = current.record.credential
    return isStale(stored.tokens) ? refresh(context, current, stored, refused === undefined) : stored
  })
}

/** @param mayKeep whether the present token serves until its end, when the token endpoint gives no new one */
async function refresh(
  context: Context,
  session: LoadedSession,
  credential: OAuthCredential,
  mayKeep: boolean,
): Promise<Credential> {
  const { accessToken, refreshToken } = credential.tokens
  let tokens: Tokens
  try {
    tokens = await refreshTokens(context, refreshToken, limitOwner(session).organization)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'access_withdrawn') return afterRefusal(context, session, credential.tokens)
    if (mayKeep && context.now() < credential.tokens.expiresAtMs) return credential
    throw error
  }
  const refreshed = { ...credential, tokens }
  await saveTokens(context, session, accessToken, refreshed)
  await transferLimits(context, tokenOf(credential), tokenOf(refreshed))
  return refreshed
}

/** Stores the new tokens before they are used; in memory where the store fails, since the old ones may be invalid now. */
async function saveTokens(
  context: Context,
  session: LoadedSession,
  replaced: string,
  credential: OAuthCredential,
): Promise<void> {
  try {
    await changeSession(context, session, (record) => ({ ...record, credential }))
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'store_unavailable') throw error
    const { unsavedTokens } = context.memory
    const earlier = unsavedTokens.get(session.id)
    // The replaced token is in the store, unless it could not be saved either.
    const replaces = earlier?.tokens.accessToken === replaced ? earlier.replaces : replaced
    unsavedTokens.set(session.id, { replaces, tokens: credential.tokens })
    context.log({ level: 'error', event: 'problem', code: error.code, cause: describe(error.cause) })
  }
}

/** A refused refresh token was replaced by another process just now, or the grant has ended. */
async function afterRefusal(context: Context, session: LoadedSession, refused: Tokens): Promise<Credential> {
  const current = await reloadSession(context, session)
  const credential = current?.record.credential
  if (credential?.method === 'oauth' && credential.tokens.refreshToken !== refused.refreshToken)
    return credential
  await endSession(context, session)
  context.log({ level: 'info', event: 'session_ended', code: 'access_withdrawn' })
  throw new Problem('access_withdrawn')
}
