/** Gives a session's credential to a request that is about to be sent, and refreshes it first where that is needed (5.4). */
import { Problem } from '../../contract/problem.ts'
import { bestEffort, type Context, inBackground, shareWork } from '../core/context.ts'
import { changeRefreshNote, refreshName, readState, type RefreshState, stateOf } from './refresh-state.ts'
import { replaceTokens } from './refresh-run.ts'
import { type Credential, type LoadedSession, type OAuthCredential, tokenOf } from '../session/record.ts'

/** How long a request waits for new tokens, when the present access token is of no use, and when it is good for a while. */
const PATIENCE_MS = { now: 15_000, soon: 2000 }
/** The refresh goes on, so that a later press finds its result. */
const RETRY_AFTER_TIMEOUT_MS = 5000

/**
 * The session's credential, with a new access token where the present one is about to expire or was refused. An API key is
 * returned as it is. A refresh goes on when its caller is gone, and its tokens are stored.
 * @param refused the credential that the service refused
 * @param beforeRefresh is awaited before a refresh, which does not begin where it throws
 * @throws Problem `access_withdrawn` when the grant has ended, which ends the session; `signed_out` when the session has
 *   ended; `credential_refused` for a refused API key; and unless the present token is good, `refresh_failed`,
 *   `client_rejected`, `upstream_timeout`, `store_unavailable`
 */
export async function freshCredential(
  context: Context,
  session: LoadedSession,
  refused?: Credential,
  beforeRefresh?: () => Promise<void>,
): Promise<Credential> {
  const { credential } = session.record
  if (credential.method === 'api_key') {
    if (refused !== undefined) throw new Problem('credential_refused')
    return credential
  }
  if (refused?.method !== 'oauth') {
    const state = await stateOf(context, session, credential)
    if (state.need === 'none') return credential
    await beforeRefresh?.()
    return join(context, state)
  }
  const state = await noteRefusal(context, session, tokenOf(refused))
  const found = await join(context, state)
  // One that ran already may not have seen the refusal.
  return tokenOf(found) === tokenOf(refused) ? join(context, state) : found
}

/** Remembers that the service refused an access token, if it is still the session's: it is not sent again. */
async function noteRefusal(context: Context, session: LoadedSession, token: string): Promise<RefreshState> {
  const state = await readState(context, session)
  if (tokenOf(state.credential) !== token) return state
  await bestEffort(changeRefreshNote(context, session, token, (known) => ({ ...known, isRefused: true })))
  return { ...state, need: 'now' }
}

/** Waits for the one refresh of the session in this process, and starts it where none runs. */
async function join(context: Context, { session, credential, need }: RefreshState): Promise<OAuthCredential> {
  const patienceMs = PATIENCE_MS[need === 'now' ? 'now' : 'soon']
  const refresh = shareWork(context.memory, refreshName(session), () =>
    inBackground(context.memory, replaceTokens(context, session)),
  )
  try {
    const renewed = await Promise.race([refresh, context.wait(patienceMs)])
    if (renewed !== undefined) return renewed
  } catch (error) {
    if (!(error instanceof Problem) || need === 'now') throw error
    if (error.code === 'access_withdrawn' || error.code === 'signed_out') throw error
  }
  if (need === 'now') throw new Problem('upstream_timeout', { retryInMs: RETRY_AFTER_TIMEOUT_MS })
  return credential
}
