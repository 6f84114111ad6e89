/** Stores sessions, each sealed with a key that only its browser's record has. Concurrent changes stay. */

import { DAY_MS } from '../../contract/duration.ts'
import { asProblem, Problem } from '../../contract/problem.ts'
import { type StoredSession, UNPROVEN } from '../../store/store.ts'
import type { BffConfig, Context, Within } from '../core/context.ts'
import { decrypt, encrypt, fingerprint, KEY_BYTES, randomText } from '../core/encryption.ts'
import { addGrant, type Credential, type Grant, organizationOf, readCredential, tokenOf } from './grant.ts'
import { type LimitOwner, UNPROVEN_MS } from './limit-owner.ts'

export interface NamedSession {
  /** Its name in the store. */
  readonly id: string
  readonly key: Uint8Array
}

/** The store can list these without the session's key. */
export type Listing = Pick<StoredSession, 'owner' | 'browser'>

export interface LoadedSession extends Listing, NamedSession {
  readonly record: SessionRecord
  readonly grant: Grant
  readonly version: number
  readonly endsAtMs: number
}

/** A secret: a name, a dot, and a key. What it names is stored under `id`, and only the key opens it. */
export function nameSecret(): NamedSession & { secret: string } {
  const secret = `${randomText(16)}.${randomText(KEY_BYTES)}`
  return { ...parseSecret(secret), secret }
}

/** What it names may have ended. */
export function parseSecret(secret: string): NamedSession {
  const dot = secret.indexOf('.')
  return { id: fingerprint(secret.slice(0, dot)), key: Buffer.from(secret.slice(dot + 1), 'base64url') }
}

/** The id for the page: the session's name in the store cannot be derived from it. */
export const publicIdOf = ({ id }: Pick<LoadedSession, 'id'>): string =>
  fingerprint(`public ${id}`).slice(0, 16)

/** A session, stored or not yet, that sends requests. */
export interface Holder {
  id: string
  /** The sender in the rows of the ledger. */
  owner: string
  record: Pick<SessionRecord, 'credential' | 'proven'>
}

/** An unproven session has limits of its own. */
export const limitOwner = ({ id, record: { credential, proven } }: Omit<Holder, 'owner'>): LimitOwner => ({
  token: tokenOf(credential),
  ...(proven
    ? { organization: organizationOf(credential) }
    : { organization: unprovenName({ id }), claimed: organizationOf(credential) }),
  session: id,
})

/** The ledger counts the requests of an unproven session under it. */
export const unprovenName = (session: Pick<LoadedSession, 'id'>): string => UNPROVEN + publicIdOf(session)

export type Unusable = 'unknown' | 'closed'

/**
 * @returns `unknown` if the session has ended or its record cannot be read, `closed` if it is stored, and
 *   its time is over by our clock, which may be wrong, or another version of this program wrote the record
 */
export async function loadSession(
  context: Within,
  { id, key }: NamedSession,
): Promise<LoadedSession | Unusable> {
  const stored = await context.store.readSession(id)
  if (stored === undefined) return 'unknown'
  if (stored.endsAtMs <= context.now()) return 'closed'
  const opened = decrypt(stored.encrypted, key, id) as StoredRecord | undefined
  if (opened === undefined) return 'unknown'
  if (opened.format !== FORMAT) return 'closed'
  const { grantKey, ...record } = opened
  const { version, endsAtMs, browser, owner } = stored
  const grant = { id: stored.grant, key: Buffer.from(grantKey, 'base64url') }
  const credential = await readCredential(context, grant)
  if (credential === undefined) return 'unknown'
  return { id, key, record: { ...record, credential }, grant, version, endsAtMs, owner, browser }
}

interface StoredRecord extends Omit<SessionRecord, 'credential'> {
  /** Base64url. */
  grantKey: string
}

/** `undefined` when the session has ended. */
export async function reloadSession(
  context: Within,
  named: NamedSession,
): Promise<LoadedSession | undefined> {
  const found = await loadSession(context, named)
  return typeof found === 'string' ? undefined : found
}

function toStored(
  { config }: Pick<Context, 'config'>,
  { id, key, owner, browser, grant }: Pick<LoadedSession, 'id' | 'key' | 'owner' | 'browser' | 'grant'>,
  record: SessionRecord,
): Omit<StoredSession, 'version'> {
  const { credential: _, ...kept } = record
  const { startedAtMs: openedAtMs, seenAtMs } = record
  const grantKey = Buffer.from(grant.key).toString('base64url')
  const encrypted = encrypt({ ...kept, grantKey } satisfies StoredRecord, key, id)
  return { encrypted, endsAtMs: endOf(config, record), owner, openedAtMs, seenAtMs, browser, grant: grant.id }
}

type NewRecord = Omit<SessionRecord, 'format' | 'startedAtMs' | 'seenAtMs'>

/**
 * Runs in a transaction. Without a listing the session owns itself.
 * @param options.grant that of the session that paired it; absent: a new one
 * @param options.endsAtMs it ends then, unless it is changed before
 * @returns the session and its secret
 */
export async function storeSession(
  context: Within,
  {
    listing,
    endsAtMs,
    grant: shared,
    ...start
  }: NewRecord & { listing?: Listing; endsAtMs?: number; grant?: Grant },
  { id, key, secret } = nameSecret(),
): Promise<{ session: LoadedSession; secret: string }> {
  const nowMs = context.now()
  const record: SessionRecord = { format: FORMAT, startedAtMs: nowMs, seenAtMs: nowMs, ...start }
  const { owner, browser } = listing ?? { owner: id, browser: '' }
  const grant = shared ?? (await addGrant(context, record.credential))
  const whole = toStored(context, { id, key, owner, browser, grant }, record)
  const stored = { ...whole, endsAtMs: Math.min(whole.endsAtMs, endsAtMs ?? Infinity) }
  await context.store.writeSession(id, stored, 0)
  return {
    session: { id, key, record, grant, version: 1, endsAtMs: stored.endsAtMs, owner, browser },
    secret,
  }
}

/**
 * If another writer changed the session meanwhile, `change` is applied again to the newer record.
 * @throws Problem `signed_out` if the session has ended: it is never written again
 */
export async function changeSession(
  context: Within,
  session: LoadedSession,
  change: (record: SessionRecord) => SessionRecord,
  { browser: renamed }: Partial<Pick<Listing, 'browser'>> = {},
): Promise<LoadedSession> {
  const { id } = session
  let current: LoadedSession | undefined = session
  while (current !== undefined) {
    const record = change(current.record)
    // Another writer may have named the browser.
    const browser = renamed ?? current.browser
    const stored = toStored(context, { ...current, browser }, record)
    if (await context.store.writeSession(id, stored, current.version))
      return { ...current, record, browser, version: current.version + 1, endsAtMs: stored.endsAtMs }
    current = await reloadSession(context, session)
  }
  throw new Problem('signed_out')
}

/** Runs in the transaction that attributes its requests. A session that has ended stays ended. */
export async function prove(inside: Within, session: LoadedSession): Promise<void> {
  await changeSession(inside, session, (record) => ({ ...record, proven: true })).catch((error: unknown) => {
    if (asProblem(error).code !== 'signed_out') throw error
  })
}

export async function endSession(context: Within, { id }: Pick<LoadedSession, 'id'>): Promise<void> {
  if (await context.store.endSession(id)) context.measure({ what: 'session', change: 'ended' })
}

interface Sender {
  owner: string
  record: { browserId?: string | undefined; person?: string | undefined }
}

/** The owner of the session. For a paired one: the owner of the session that opened it. */
export const personOf = ({ owner, record: { person } }: Sender): string => person ?? owner

/** No person has a slash. */
export function senderOf(session: Sender): string {
  const { browserId } = session.record
  return browserId === undefined ? personOf(session) : `${personOf(session)}/${browserId}`
}

export const personIn = (sender: string | undefined): string | undefined => sender?.split('/')[0]

/** Raise it when the layout changes. A record of another version is left alone, and opens no session. */
export const FORMAT = 5

export interface SessionRecord {
  format: typeof FORMAT
  /** It is in the row of the grant, and not in that of the session. */
  credential: Credential
  /** A read has proven that the credential is good for its organization. An unproven session ends soon. */
  proven: boolean
  startedAtMs: number
  seenAtMs: number
  /** Names the browser among several of one person; absent if the person is the browser. */
  browserId?: string
  /** In a paired session: the owner of the session that opened it. Absent if it is the same. */
  person?: string
  /** When the sign-in was, in another browser, UNIX milliseconds. The session ends as if opened then. */
  signedInAtMs?: number
}

/** The time when a session ends by itself, UNIX milliseconds. */
export const endOf = ({ sessionDays, sessionIdleDays }: BffConfig, record: SessionRecord): number =>
  Math.min(
    (record.signedInAtMs ?? record.startedAtMs) + (record.proven ? sessionDays * DAY_MS : UNPROVEN_MS),
    record.seenAtMs + sessionIdleDays * DAY_MS,
  )
