/** A grant: the credential of one sign-in, which paired browsers share, and the copies of its answers. */
import type { OrganizationId } from '../../contract/organization.ts'
import type { Tokens, Within } from '../core/context.ts'
import { decrypt, encrypt, fingerprint, KEY_BYTES, randomText } from '../core/encryption.ts'

export interface OAuthCredential {
  method: 'oauth'
  organizationId: OrganizationId
  tokens: Tokens
}

/** One of the two methods of section 5. */
export type Credential =
  | OAuthCredential
  /** `name` replaces the key except in requests to the service. */
  | { method: 'api_key'; apiKey: string; name: string }

/** The owner of the month. An API key counts for itself: its organization may stay unknown (4.4). */
export const organizationOf = (credential: Credential): string =>
  credential.method === 'oauth' ? credential.organizationId : `key ${tokenOf(credential)}`

/** Names the token or key in the ledger and for its minute (8.2: counted per token). */
export const tokenOf = (credential: Credential): string =>
  credential.method === 'oauth' ? accessTokenName(credential.tokens.accessToken) : credential.name

export const accessTokenName = (accessToken: string): string => fingerprint(accessToken).slice(0, 22)

export interface Grant {
  /** Its name in the store. */
  readonly id: string
  /** Only the records of its sessions have it. */
  readonly key: Uint8Array
}

/** What is sealed for one grant, and for one service or path of it, opens for no other. */
const sealName = (id: string, of: string): string => `${id} ${of}`

export async function addGrant({ store, config }: Within, credential: Credential): Promise<Grant> {
  const grant = { id: fingerprint(randomText(16)), key: Buffer.from(randomText(KEY_BYTES), 'base64url') }
  await store.addGrant(grant.id, encrypt(credential, grant.key, sealName(grant.id, config.serviceUrl)))
  return grant
}

/** `undefined` if the grant has ended, or is one of another service. */
export async function readCredential(
  { store, config }: Within,
  { id, key }: Grant,
): Promise<Credential | undefined> {
  const encrypted = await store.readGrant(id)
  return encrypted && (decrypt(encrypted, key, sealName(id, config.serviceUrl)) as Credential | undefined)
}

/** @returns false if the grant has ended */
export const changeCredential = (
  { store, config }: Within,
  { id, key }: Grant,
  credential: Credential,
): Promise<boolean> => store.changeGrant(id, encrypt(credential, key, sealName(id, config.serviceUrl)))

/** Ends it with all its sessions. */
export async function endGrant({ store, measure }: Within, { id }: Grant): Promise<void> {
  const ended = await store.endGrant(id)
  for (let nth = 0; nth < ended; nth += 1) measure({ what: 'session', change: 'ended' })
}

/** The last successful answer to a path. */
export interface Copy {
  text: string
  atMs: number
}

export async function readCopy(
  { store }: Within,
  { grant: { id, key } }: { grant: Grant },
  path: string,
): Promise<Copy | undefined> {
  const stored = await store.readCopy(id, path)
  const text = stored && decrypt(stored.encrypted, key, sealName(id, path))
  return typeof text === 'string' && stored ? { text, atMs: stored.atMs } : undefined
}

export async function writeCopy(
  { store, now }: Within,
  { grant: { id, key } }: { grant: Grant },
  path: string,
  text: string,
): Promise<void> {
  await store.writeCopy(id, { path, encrypted: encrypt(text, key, sealName(id, path)), atMs: now() })
}
