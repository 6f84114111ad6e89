/** The session of a request. Each request is use, which keeps the session open. */
import { SESSION_HEADER } from '../../contract/api.ts'
import { HOUR_MS } from '../../contract/duration.ts'
import { asProblem, Problem } from '../../contract/problem.ts'
import { type Context, inBackground, shareWork } from '../core/context.ts'
import { countGuess, lookUpSession } from './browser.ts'
import { changeSession, type LoadedSession, publicIdOf } from './record.ts'

/** @throws Problem `signed_out`, also if the page has another session than the cookie; `too_many_attempts` */
export async function requireSession(context: Context, request: Request): Promise<LoadedSession> {
  const found = await lookUpSession(context, request)
  if (found === 'unknown') await countGuess(context)
  if (typeof found === 'string') throw new Problem('signed_out')
  const ofPage = request.headers.get(SESSION_HEADER) ?? publicIdOf(found)
  if (ofPage !== publicIdOf(found)) throw new Problem('signed_out')
  void noteUse(context, found)
  return found
}

/** Stores the last use, at most once an hour. @returns `undefined` if the session ended */
export async function noteUse(context: Context, session: LoadedSession): Promise<LoadedSession | undefined> {
  const seenAtMs = context.now()
  if (seenAtMs - session.record.seenAtMs <= HOUR_MS) return session
  const noted = shareWork(context.memory, `use ${session.id}`, () =>
    changeSession(context, session, (record) => ({ ...record, seenAtMs })),
  )
  return inBackground(context.memory, noted).catch((error: unknown) =>
    asProblem(error).code === 'signed_out' ? undefined : session,
  )
}

/** As {@link requireSession}. @throws also Problem `not_confirmed` if the session is not proven */
export async function requireProvenSession(context: Context, request: Request): Promise<LoadedSession> {
  const session = await requireSession(context, request)
  if (!session.record.proven) throw new Problem('not_confirmed')
  return session
}
