/** Paired browsers share their credential: it is in an entry of its own, whose key each session has. */
import type { ListedSession } from '../../store/store.ts'
import type { Within } from '../core/context.ts'
import { changeNote, type NoteKind, readNote } from '../core/note.ts'
import { endSession, type LoadedSession, namedGrant } from './record.ts'

/** The ids of the sessions that share a grant. */
const MEMBERS: NoteKind<readonly string[]> = { format: 1 }
const noteOf = (grant: string): string => `grant ${grant}`

/**
 * The entry that has the tokens, which a refresh reads and writes in place of the session. It is read again
 * before it is changed, so it has no version.
 */
export const grantOf = (session: LoadedSession): LoadedSession =>
  session.record.grant ? { ...session, ...namedGrant(session.record.grant), version: 0 } : session

/** Adds a session, and leaves out those that have ended. */
export async function addMember(
  context: Within,
  { id }: { id: string },
  added: string,
  endsAtMs: number,
): Promise<void> {
  const found = await readMembers(context, id)
  const ended = found.flatMap((one) => (one.open ? [] : [one.id]))
  const change = (known: readonly string[] = []) => [...known.filter((one) => !ended.includes(one)), added]
  await changeNote(context, MEMBERS, noteOf(id), change, endsAtMs)
}

async function readMembers(
  context: Within,
  grant: string,
): Promise<{ id: string; open: ListedSession | undefined }[]> {
  const ids = (await readNote(context, MEMBERS, noteOf(grant))) ?? []
  return Promise.all(
    ids.map(async (id) => {
      const stored = await context.store.readSession(id)
      return { id, open: stored && stored.endsAtMs > context.now() ? { ...stored, id } : undefined }
    }),
  )
}

/** The open sessions that share the grant of this one, without it. */
export async function pairedSessions(
  context: Within,
  { id, record: { grant } }: LoadedSession,
): Promise<ListedSession[]> {
  const members = grant ? await readMembers(context, grant.id) : []
  return members.flatMap(({ open }) => (open && open.id !== id ? [open] : []))
}

/** Ends the grant, or a session without one, with all sessions that share it. */
export async function endGrant(context: Within, { id }: Pick<LoadedSession, 'id'>): Promise<void> {
  const members = (await readNote(context, MEMBERS, noteOf(id))) ?? []
  for (const member of [...members, id]) await endSession(context, { id: member })
}
