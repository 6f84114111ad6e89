/** Secrets of the server, stored as notes so that all processes share them and a restart keeps them. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { type Ring, type ServerKey, shareWork, type Within } from './context.ts'
import { decrypt, encrypt, randomText } from './encryption.ts'
import { changeNote, type NoteKind, readNote } from './note.ts'

interface KeyRing {
  /** The newest first. */
  keys: readonly ServerKey[]
}

const CACHED_MS = MINUTE_MS
/** An unknown id is looked up at most this often, so that made-up ids cost nothing. */
const SEARCH_EVERY_MS = SECOND_MS
/** A replaced key stays valid for logins signed before, or by a process that has not read the new one yet. */
const REPLACED_MS = 10 * MINUTE_MS + CACHED_MS
/** The latest instant that a Date can hold. */
const NEVER_MS = 8.64e15

const NOTE: NoteKind<KeyRing> = { format: 1 }
const noteName = (ring: Ring) => `server keys ${ring}`

/** Names an API key in the ledger, notes and log. The name can be derived only with the server's secret. */
export async function nameApiKey(context: Within, apiKey: string): Promise<string> {
  return hmac(await newestKey(context, 'name'), apiKey)
    .toString('base64url')
    .slice(0, 22)
}

/**
 * Names the client's address in the log, the same in all processes and after a restart. The key is derived
 * from that of API keys (RFC 5869), so that no API key has the name of an address.
 */
export async function nameAddress(context: Within): Promise<string> {
  const { secret } = await newestKey(context, 'name')
  const key = hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', 'addresses in the log', 32)
  return createHmac('sha256', Buffer.from(key)).update(context.address).digest('base64url').slice(0, 16)
}

interface SignedLogin {
  keyId: string
  mac: string
  /** Base64url; empty without anything to keep. */
  sealed: string
}

/**
 * Signs with the newest login key. @param kept is encrypted, and signed as {@link withSealed} says
 * @returns the key's id and the HMAC-SHA-256, both base64url
 */
export async function signLogin(context: Within, signed: string, kept?: object): Promise<SignedLogin> {
  const key = await newestKey(context, 'login')
  const sealed = kept ? Buffer.from(encrypt(kept, sealingKey(key), signed)).toString('base64url') : ''
  return { keyId: key.id, mac: hmac(key, withSealed(signed, sealed)).toString('base64url'), sealed }
}

const withSealed = (signed: string, sealed: string): string =>
  sealed === '' ? signed : `${signed} ${sealed}`

/** @returns what `signLogin` encrypted for the text; `undefined` for anything else */
export async function openLogin(
  context: Within,
  signed: string,
  login: SignedLogin,
): Promise<object | undefined> {
  const { keyId, sealed } = login
  if (!(await isSignedLogin(context, withSealed(signed, sealed), login))) return undefined
  if (sealed === '') return {}
  const key = await validLoginKey(context, keyId)
  const kept = key && decrypt(Buffer.from(sealed, 'base64url'), sealingKey(key), signed)
  return kept as object | undefined
}

/** Signing and encrypting have keys of their own. */
const sealingKey = (key: ServerKey): Uint8Array => hmac(key, 'seal')

/** Tells whether `signLogin` signed the text with a key that is still valid. Writes nothing. */
export async function isSignedLogin(
  context: Within,
  signed: string,
  { keyId, mac }: { keyId: string; mac: string },
): Promise<boolean> {
  const key = await validLoginKey(context, keyId)
  if (key === undefined) return false
  const [given, expected] = [Buffer.from(mac), Buffer.from(hmac(key, signed).toString('base64url'))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function validLoginKey(context: Within, keyId: string): Promise<ServerKey | undefined> {
  const nowMs = context.now()
  let keys = await readKeys(context, 'login', CACHED_MS)
  if (!keys.some(({ id }) => id === keyId)) keys = await readKeys(context, 'login', SEARCH_EVERY_MS)
  const at = keys.findIndex(({ id }) => id === keyId)
  return nowMs >= (keys[at - 1]?.fromMs ?? nowMs) + REPLACED_MS ? undefined : keys[at]
}

const hmac = ({ secret }: ServerKey, signed: string): Buffer =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(signed).digest()

/** Creates a key if there is none or the newest is too old. */
async function newestKey(context: Within, ring: Ring): Promise<ServerKey> {
  const isGood = (key: ServerKey | undefined): key is ServerKey =>
    key !== undefined && (ring === 'name' || key.fromMs + DAY_MS > context.now())
  const [known] = await readKeys(context, ring, CACHED_MS)
  if (isGood(known)) return known
  return shareWork(context.memory, noteName(ring), async () => {
    const added: ServerKey = { id: randomText(4), secret: randomText(32), fromMs: context.now() }
    await changeNote(
      context,
      NOTE,
      noteName(ring),
      (stored) => {
        const keys = stored?.keys ?? []
        return { keys: isGood(keys[0]) ? keys : [added, ...keys.slice(0, 1)] }
      },
      NEVER_MS,
    )
    return (await readKeys(context, ring, 0))[0] ?? added
  })
}

/** @param cachedMs keys that were read this recently are not read again */
async function readKeys(context: Within, ring: Ring, cachedMs: number): Promise<readonly ServerKey[]> {
  const { serverKeys } = context.memory
  const cached = serverKeys.get(ring)
  const nowMs = context.now()
  if (cached !== undefined && nowMs - cached.readAtMs < cachedMs) return cached.keys
  try {
    const keys = (await readNote(context, NOTE, noteName(ring)))?.keys ?? []
    serverKeys.set(ring, { keys, readAtMs: nowMs })
    return keys
  } catch (error) {
    // The cached keys remain in use while the store cannot be reached.
    if (cached === undefined) throw error
    return cached.keys
  }
}
