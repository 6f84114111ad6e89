/** Paired browsers share their credential: it is in an entry of its own, whose key each session has. */
import { listOf, text } from '../../contract/json.ts'
import type { ListedSession } from '../../store/store.ts'
import type { Context } from '../core/context.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'
import { endSession, type LoadedSession, namedGrant } from './record.ts'

/** The ids of the sessions that share a grant. */
const MEMBERS: NoteKind<readonly string[]> = { format: 1, read: listOf(text) }
const noteOf = (grant: string): string => `grant ${grant}`

/**
 * The entry that has the tokens, which a refresh reads and writes in place of the session. It is read again
 * before it is changed, so it has no version.
 */
export const grantOf = (session: LoadedSession): LoadedSession =>
  session.record.grant ? { ...session, ...namedGrant(session.record.grant), version: 0 } : session

export const addMember = (
  context: Context,
  { id }: { id: string },
  added: string,
  endsAtMs: number,
): Promise<void> => changeNote(context, MEMBERS, noteOf(id), (known = []) => [...known, added], endsAtMs)

/** The open sessions that share the grant of this one, without it. */
export async function pairedSessions(
  context: Context,
  { id, record: { grant } }: LoadedSession,
): Promise<ListedSession[]> {
  const ids = (grant && (await readNote(context, MEMBERS, noteOf(grant.id)))) ?? []
  const found = await Promise.all(
    ids.map(async (member) => ({ id: member, stored: await context.store.readSession(member) })),
  )
  return found.flatMap((one) =>
    one.id !== id && one.stored && one.stored.endsAtMs > context.now() ? [{ ...one.stored, id: one.id }] : [],
  )
}

/** Ends the grant, or a session without one, with all sessions that share it. */
export async function endGrant(context: Context, { id }: Pick<LoadedSession, 'id'>): Promise<void> {
  const members = (await readNote(context, MEMBERS, noteOf(id))) ?? []
  for (const member of [...members, id]) await endSession(context, { id: member })
}
