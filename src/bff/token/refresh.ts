/** Gives a session's credential to a request, and refreshes it first if needed (5.4). */
import { SECOND_MS } from '../../contract/duration.ts'
import { Problem } from '../../contract/problem.ts'
import { bestEffort, type Context, inBackground, shareWork } from '../core/context.ts'
import type { Press } from '../service/request.ts'
import { type Credential, type OAuthCredential, tokenOf } from '../session/grant.ts'
import { type LoadedSession } from '../session/record.ts'
import { type Admission, replaceTokens } from './refresh-run.ts'
import { changeRefreshNote, type RefreshState, readState, refreshName, stateOf } from './refresh-state.ts'

/** A request waits this long for new tokens if the access token is useless (`now`) or good (`soon`). */
const PATIENCE_MS = { now: 15 * SECOND_MS, soon: 2 * SECOND_MS }
/** The refresh continues, and a later press finds its result. */
const RETRY_AFTER_TIMEOUT_MS = 5 * SECOND_MS

/**
 * The session's credential, with a new access token if the present one is about to expire or was refused. An
 * API key stays as it is. A refresh continues after its caller has gone, and its tokens are stored.
 * @param refused the credential that the service refused
 * @param admitted says if a refresh may be sent for a token that is about to expire
 * @throws Problem `access_withdrawn` if the grant has ended, which ends the session; `signed_out` if the
 *   session has ended; `credential_refused` for a refused API key; and if the present token is not good,
 *   `refresh_failed`, `client_rejected`, `upstream_timeout`, `store_unavailable`, and those of `admitted`
 */
export async function freshCredential(
  context: Context,
  session: LoadedSession,
  press: Press,
  { refused, admitted }: { refused?: Credential; admitted?: Admission } = {},
): Promise<Credential> {
  const { credential } = session.record
  if (credential.method === 'api_key') {
    if (refused !== undefined) throw new Problem('credential_refused')
    return credential
  }
  if (refused?.method !== 'oauth') {
    const { need } = await stateOf(context, session.grant, credential)
    if (need === 'none') return credential
    return join(context, session, { credential, need }, press, admitted)
  }
  const state = await noteRefusal(context, session, tokenOf(refused))
  const found = await join(context, session, state, press)
  // A refresh that was already running may not have seen the refusal.
  const renewed = tokenOf(found) === tokenOf(refused) ? await join(context, session, state, press) : found
  // The store could not note the refusal, so no process refreshes. A refused token is not sent again.
  if (tokenOf(renewed) === tokenOf(refused)) throw new Problem('store_unavailable')
  return renewed
}

/** If the session still has the refused access token, it is not sent again. */
async function noteRefusal(context: Context, session: LoadedSession, token: string): Promise<RefreshState> {
  const state = await readState(context, session)
  if (tokenOf(state.credential) !== token) return state
  await bestEffort(changeRefreshNote(context, state.grant, token, (known) => ({ ...known, isRefused: true })))
  return { ...state, need: 'now' }
}

/** Starts a refresh if none is running in this process, and asks again while it has to wait. */
async function join(
  context: Context,
  session: LoadedSession,
  { credential, need }: Pick<RefreshState, 'credential' | 'need'>,
  press: Press,
  admitted?: Admission,
): Promise<OAuthCredential> {
  const isLate = context.wait(PATIENCE_MS[need === 'now' ? 'now' : 'soon'])
  const refresh = () => {
    let isOwn = false
    const work = shareWork(context.memory, refreshName(session.grant), () => {
      isOwn = true
      return inBackground(context.memory, replaceTokens(context, session, press, admitted))
    })
    return work.catch((error: unknown) => {
      // Another session of the grant began this refresh and has signed out. This one has not.
      if (isOwn || !(error instanceof Problem) || error.code !== 'signed_out') throw error
      return 'wait' as const
    })
  }
  try {
    let renewed: OAuthCredential | 'wait' | void = 'wait'
    while (renewed === 'wait') renewed = await Promise.race([refresh(), isLate])
    if (renewed !== undefined) return renewed
  } catch (error) {
    if (!(error instanceof Problem) || need === 'now') throw error
    if (error.code === 'access_withdrawn' || error.code === 'signed_out') throw error
  }
  if (need === 'now') throw new Problem('upstream_timeout', { retryInMs: RETRY_AFTER_TIMEOUT_MS })
  return credential
}
