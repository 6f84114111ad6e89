/** Whether a session's access token has to be replaced, by the clock and by what is known of refusals. */
import { Problem } from '../../contract/problem.ts'
import type { Context, Tokens } from '../core/context.ts'
import { type RefreshNote, readRefreshNote } from './refresh-note.ts'
import { type LoadedSession, type OAuthCredential, reloadSession, tokenOf } from '../session/record.ts'

export interface State {
  session: LoadedSession
  credential: OAuthCredential
  note: RefreshNote
  /** Whether the access token has to be replaced before anything is sent, had better be, or is good. */
  need: 'now' | 'soon' | 'none'
}

export async function stateOf(
  context: Context,
  session: LoadedSession,
  credential: OAuthCredential,
): Promise<State> {
  const note = await readRefreshNote(context, session, tokenOf(credential))
  return { session, credential, note, need: needOf(note, credential.tokens, context.now()) }
}

/** Whether the access token has to be replaced at an instant of our clock. */
export function needOf(
  note: Pick<RefreshNote, 'isRefused'>,
  { staleAtMs, expiresAtMs }: Pick<Tokens, 'staleAtMs' | 'expiresAtMs'>,
  nowMs: number,
): State['need'] {
  return note.isRefused || expiresAtMs <= nowMs ? 'now' : staleAtMs <= nowMs ? 'soon' : 'none'
}

/** The state by what is stored now. @throws Problem `signed_out` or `access_withdrawn` when the session has ended */
export async function look(context: Context, session: LoadedSession): Promise<State> {
  const current = await reloadSession(context, session)
  if (current?.record.credential.method === 'oauth')
    return stateOf(context, current, current.record.credential)
  const { code } = await readRefreshNote(context, session, tokenOf(session.record.credential))
  throw new Problem(code === 'access_withdrawn' ? code : 'signed_out')
}

/** Whether the access token of `state` has been replaced in `current`. */
export const isReplaced = (current: State, { credential }: State): boolean =>
  tokenOf(current.credential) !== tokenOf(credential)
