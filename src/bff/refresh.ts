/** Keeps a session's access token fresh: only inside a call that is about to be sent, and once for all who wait (5.4). */
import { Problem } from '../contract/problem.ts'
import { carryOver } from './limit-transfer.ts'
import { type House, shared, type Tokens } from './context.ts'
import { describe } from './problem.ts'
import {
  type Credential,
  changeSession,
  endSession,
  type OpenSession,
  reopen,
  tokenOf,
} from './session-record.ts'
import { refreshTokens } from './token.ts'

/**
 * A credential that the service should accept: the session's own, or one with a fresh access token where that is about to
 * expire, or is the one that was just refused. An API key is what it is.
 * @param refused the credential that the service answered 401 to
 * @throws Problem `access_withdrawn` when the grant is over, which ends the session; `signed_out` when it has ended
 *   meanwhile; and whatever keeps the token endpoint from answering, unless the present token is still good
 */
export async function freshCredential(
  house: House,
  session: OpenSession,
  refused?: Credential,
): Promise<Credential> {
  const { credential } = session.record
  if (credential.method === 'api_key') {
    if (refused !== undefined) throw new Problem('credential_refused')
    return credential
  }
  const stale = (tokens: Tokens) =>
    tokens.staleAtMs <= house.now() ||
    (refused?.method === 'oauth' && refused.tokens.accessToken === tokens.accessToken)
  if (!stale(credential.tokens)) return credential
  return shared(house.memory, `refresh ${session.id}`, async () => {
    // Whoever refreshed while we came here, in this process or another, has done it for us.
    const current = await reopen(house, session)
    if (current?.record.credential.method !== 'oauth') throw new Problem('signed_out')
    const known = current.record.credential
    if (!stale(known.tokens)) return known
    try {
      const tokens = await refreshTokens(house, known.tokens.refreshToken, known.organizationId)
      await keep(house, current, tokens)
      await carryOver(house, tokenOf(known), tokenOf({ ...known, tokens }))
      return { ...known, tokens }
    } catch (error) {
      if (error instanceof Problem && error.code === 'access_withdrawn')
        return afterRefusal(house, session, known.tokens)
      // What keeps the endpoint from answering is nobody's fault: the old token serves as long as it is good.
      if (refused === undefined && error instanceof Problem && house.now() < known.tokens.expiresAtMs)
        return known
      throw error
    }
  })
}

/** The new tokens are stored before they are used. If that fails they are kept here, since the old ones are worth nothing now. */
async function keep(house: House, session: OpenSession, tokens: Tokens): Promise<void> {
  try {
    await changeSession(house, session, (record) =>
      record.credential.method === 'oauth'
        ? { ...record, credential: { ...record.credential, tokens } }
        : record,
    )
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'store_unavailable') throw error
    house.memory.unsaved.set(session.id, tokens)
    house.log({ level: 'error', event: 'problem', code: error.code, cause: describe(error.cause) })
  }
}

/** A refresh token that is refused was either replaced by another process just now, or the grant is over. */
async function afterRefusal(house: House, session: OpenSession, refused: Tokens): Promise<Credential> {
  const current = await reopen(house, session)
  const credential = current?.record.credential
  if (credential?.method === 'oauth' && credential.tokens.refreshToken !== refused.refreshToken)
    return credential
  await endSession(house, session)
  house.log({ level: 'info', event: 'session_ended', code: 'access_withdrawn' })
  throw new Problem('access_withdrawn')
}
