/** The last answers to the reads of a grant, each sealed by its key. */
import type { Within } from '../core/context.ts'
import { decrypt, encrypt } from '../core/encryption.ts'
import type { LoadedSession } from './record.ts'

/** The last successful answer to a path. */
export interface Copy {
  text: string
  atMs: number
}

/** A copy that is moved to another grant or path does not open. */
const sealName = (id: string, path: string): string => `${id} ${path}`

export async function readCopy(
  { store }: Within,
  { grant: { id, key } }: LoadedSession,
  path: string,
): Promise<Copy | undefined> {
  const stored = await store.readCopy(id, path)
  const text = stored && decrypt(stored.encrypted, key, sealName(id, path))
  return typeof text === 'string' && stored ? { text, atMs: stored.atMs } : undefined
}

export async function writeCopy(
  { store, now }: Within,
  { grant: { id, key } }: LoadedSession,
  path: string,
  text: string,
): Promise<void> {
  await store.writeCopy(id, { path, encrypted: encrypt(text, key, sealName(id, path)), atMs: now() })
}
