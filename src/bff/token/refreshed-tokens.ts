/** Stores new tokens before use. While the store cannot write, they stay in memory and are written later. */
import { isStoreFailure } from '../../contract/problem.ts'
import { bestEffort, type Context, inBackground, type Tokens } from '../core/context.ts'
import type { SharedLease } from '../core/lease.ts'
import { transferLimits } from '../limits/transfer.ts'
import { describe } from '../core/problem.ts'
import {
  type Credential,
  changeSession,
  type LoadedSession,
  type OAuthCredential,
  tokenOf,
} from '../session/record.ts'

const RETRY_MS = 500

/**
 * Does not overwrite later tokens of another process. If the store cannot write, the lease is held until it
 * can, and a stop waits for that.
 * @returns the session's credential from now on
 * @throws Problem `signed_out` if the session has ended meanwhile
 */
export async function saveTokens(
  context: Context,
  session: LoadedSession,
  { replaced, tokens }: { replaced: OAuthCredential; tokens: Tokens },
  lease: SharedLease,
): Promise<OAuthCredential> {
  const renewed = { ...replaced, tokens }
  let saved: Credential = renewed
  try {
    const { record } = await changeSession(context, session, (known) =>
      tokenOf(known.credential) === tokenOf(replaced) ? { ...known, credential: renewed } : known,
    )
    saved = record.credential
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    context.log({ level: 'error', event: 'problem', code: error.code, cause: describe(error.cause) })
    rememberTokens(context, session, replaced, tokens)
    lease.holdFor(inBackground(context.memory, saveLater(context, session)))
  }
  await bestEffort(transferLimits(context, tokenOf(replaced), tokenOf(saved)))
  return saved.method === 'oauth' ? saved : renewed
}

function rememberTokens(
  { memory: { unsavedTokens } }: Context,
  { id }: LoadedSession,
  { tokens: { accessToken } }: OAuthCredential,
  tokens: Tokens,
): void {
  const earlier = unsavedTokens.get(id)
  // The store has the replaced token, unless that could not be saved either.
  const replaces = earlier?.tokens.accessToken === accessToken ? earlier.replaces : accessToken
  unsavedTokens.set(id, { replaces, tokens })
}

/** Writes as soon as the store can, unless another writer does it first or the session ends. */
async function saveLater(context: Context, session: LoadedSession): Promise<void> {
  const { unsavedTokens } = context.memory
  const unsaved = unsavedTokens.get(session.id)
  const isUnsaved = () => unsavedTokens.get(session.id) === unsaved
  while (isUnsaved()) {
    await context.wait(RETRY_MS)
    try {
      // Every change of a session stores its unsaved tokens.
      if (isUnsaved()) await changeSession(context, session, (record) => record)
    } catch (error) {
      if (isStoreFailure(error)) continue
      if (isUnsaved()) unsavedTokens.delete(session.id)
      throw error
    }
  }
}
