/** A session as the bff keeps it: sealed in the store, opened by the cookie, changed without undoing what others changed. */
import type { OrganizationId } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import { cookie, noCookie, readCookies, SESSION_COOKIE } from './cookie.ts'
import type { House, Tokens } from './house.ts'
import { fingerprint, KEY_BYTES, randomText, seal, unseal } from './seal.ts'

/** Without a visit for this long, the session ends. */
const IDLE_MS = 7 * 86_400_000
/** However often it is used, it ends after this long. */
const ABSOLUTE_MS = 30 * 86_400_000
/** A change of the layout that an older bff could not read gets another number. */
const FORMAT = 1

/** The last good answer to a path. */
export interface Copy {
  text: string
  atMs: number
}

/** What a session calls the service with (5). */
export type Credential =
  | { method: 'oauth'; organizationId: OrganizationId; tokens: Tokens }
  | { method: 'api_key'; apiKey: string }

export interface SessionRecord {
  format: typeof FORMAT
  credential: Credential
  /** Whether a read has shown that the credential opens the organization that was asked for. */
  proven: boolean
  startedAtMs: number
  seenAtMs: number
  copies: { readonly [path: string]: Copy }
}

export interface OpenSession {
  /** Its name in the store. */
  readonly id: string
  readonly key: Uint8Array
  readonly record: SessionRecord
  readonly version: number
  readonly endsAtMs: number
}

/** Whose month the session spends from; a key's organization is named by nobody for sure (4.4), so it stands for itself. */
export const organizationOf = (credential: Credential): string =>
  credential.method === 'oauth' ? credential.organizationId : `key ${tokenOf(credential)}`

/** The name of the session's token in the ledger and for its windows (8.2: counted per token). */
export const tokenOf = (credential: Credential): string =>
  fingerprint(credential.method === 'oauth' ? credential.tokens.accessToken : credential.apiKey).slice(0, 22)

/** What the page knows a session by: another one for each session, and no way back to its name. */
export const publicIdOf = ({ id }: Pick<OpenSession, 'id'>): string =>
  fingerprint(`public ${id}`).slice(0, 16)

const endOf = ({ startedAtMs, seenAtMs }: SessionRecord) =>
  Math.min(startedAtMs + ABSOLUTE_MS, seenAtMs + IDLE_MS)

/** The session whose cookie the request carries; `undefined` when there is none, it has ended, or nothing can open it. */
export async function findSession(house: House, request: Request): Promise<OpenSession | undefined> {
  const [name = '', key = ''] = readCookies(request).get(SESSION_COOKIE)?.split('.') ?? []
  if (name === '' || key === '') return undefined
  return openRecord(house, fingerprint(name), Buffer.from(key, 'base64url'))
}

/** @throws Problem `signed_out` */
export async function requireSession(house: House, request: Request): Promise<OpenSession> {
  const session = await findSession(house, request)
  if (session === undefined) throw new Problem('signed_out')
  return session
}

async function openRecord(house: House, id: string, key: Uint8Array): Promise<OpenSession | undefined> {
  const stored = await house.store.readSession(id)
  if (stored === undefined || stored.endsAtMs <= house.now()) return undefined
  const record = unseal(stored.sealed, key, id) as SessionRecord | undefined
  if (record?.format !== FORMAT) return undefined
  const unsaved = house.memory.unsaved.get(id)
  const current =
    unsaved !== undefined && record.credential.method === 'oauth'
      ? { ...record, credential: { ...record.credential, tokens: unsaved } }
      : record
  return { id, key, record: current, version: stored.version, endsAtMs: stored.endsAtMs }
}

/** The session as it stands in the store now; `undefined` when it has ended meanwhile. */
export const reopen = (house: House, { id, key }: OpenSession): Promise<OpenSession | undefined> =>
  openRecord(house, id, key)

/** Opens a new session. @returns it, and the `Set-Cookie` that holds its only key */
export async function createSession(
  house: House,
  start: Pick<SessionRecord, 'credential' | 'proven' | 'copies'>,
): Promise<{ session: OpenSession; setCookie: string }> {
  const [name, keyText] = [randomText(16), randomText(KEY_BYTES)]
  const [id, key] = [fingerprint(name), Buffer.from(keyText, 'base64url')]
  const record: SessionRecord = { format: FORMAT, ...start, startedAtMs: house.now(), seenAtMs: house.now() }
  const endsAtMs = endOf(record)
  await house.store.writeSession(id, { sealed: seal(record, key, id), endsAtMs }, 0)
  return {
    session: { id, key, record, version: 1, endsAtMs },
    setCookie: cookie(SESSION_COOKIE, `${name}.${keyText}`, ABSOLUTE_MS / 1000),
  }
}

/**
 * Changes a session; where somebody else has changed it meanwhile, the change is made again on what they left.
 * @throws Problem `signed_out` when it has ended: an ended session is never written again
 */
export async function changeSession(
  house: House,
  session: OpenSession,
  change: (record: SessionRecord) => SessionRecord,
): Promise<OpenSession> {
  for (
    let current: OpenSession | undefined = session;
    current !== undefined;
    current = await reopen(house, session)
  ) {
    const record = change(current.record)
    const endsAtMs = endOf(record)
    if (
      await house.store.writeSession(
        session.id,
        { sealed: seal(record, session.key, session.id), endsAtMs },
        current.version,
      )
    ) {
      house.memory.unsaved.delete(session.id)
      return { ...session, record, version: current.version + 1, endsAtMs }
    }
  }
  throw new Problem('signed_out')
}

/** Ends a session for good. @returns the `Set-Cookie` that forgets it */
export async function endSession(house: House, session: Pick<OpenSession, 'id'>): Promise<string> {
  house.memory.unsaved.delete(session.id)
  await house.store.endSession(session.id)
  return noCookie(SESSION_COOKIE)
}
