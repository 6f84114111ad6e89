/** The last answers to the reads of a session, each sealed by its key. Paired sessions share theirs. */
import type { Within } from '../core/context.ts'
import { decrypt, encrypt } from '../core/encryption.ts'
import type { LoadedSession, NamedSession } from './record.ts'
import { grantOf } from './grant.ts'

/** The last successful answer to a path. */
export interface Copy {
  text: string
  atMs: number
}

/** A copy that is moved to another session or path does not open. */
const sealName = (id: string, path: string): string => `${id} ${path}`

export async function readCopy(
  { store }: Within,
  session: LoadedSession,
  path: string,
): Promise<Copy | undefined> {
  const { id, key } = grantOf(session)
  const [stored] = await store.readCopies(id, path)
  const text = stored && decrypt(stored.encrypted, key, sealName(id, path))
  return typeof text === 'string' && stored ? { text, atMs: stored.atMs } : undefined
}

export async function writeCopy(
  { store, now }: Within,
  session: LoadedSession,
  path: string,
  text: string,
): Promise<void> {
  const { id, key } = grantOf(session)
  await store.writeCopy(id, { path, encrypted: encrypt(text, key, sealName(id, path)), atMs: now() })
}

/** Gives another session the copies of one. */
export async function shareCopies({ store }: Within, from: NamedSession, to: NamedSession): Promise<void> {
  for (const { path, encrypted, atMs } of await store.readCopies(from.id)) {
    const text = decrypt(encrypted, from.key, sealName(from.id, path))
    const sealed = encrypt(text, to.key, sealName(to.id, path))
    await store.writeCopy(to.id, { path, encrypted: sealed, atMs })
  }
}
