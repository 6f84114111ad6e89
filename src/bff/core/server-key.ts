/** Secrets of the server, stored as notes so that all processes share them and a restart keeps them. */
import { createHmac, hkdfSync } from 'node:crypto'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { type Ring, type ServerKey, shareWork, type Within } from './context.ts'
import { decrypt, encrypt, randomText } from './encryption.ts'
import { changeNote, type NoteKind, readNote } from './note.ts'

interface KeyRing {
  /** The newest, and the one before it, which opens the logins that were sealed with it. */
  keys: readonly ServerKey[]
}

const CACHED_MS = MINUTE_MS
/** For a text that no known key opens they are read at most this often, so that made-up ones cost nothing. */
const SEARCH_EVERY_MS = SECOND_MS
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

/** @returns base64url; nobody without the key opens it, or has it opened under another name */
export async function sealLogin(context: Within, value: unknown, name: string): Promise<string> {
  const key = await newestKey(context, 'login')
  return Buffer.from(encrypt(value, sealingKey(key), name)).toString('base64url')
}

/** @returns what `sealLogin` has sealed under the name; `undefined` for anything else. Writes nothing */
export async function openLogin(context: Within, sealed: string, name: string): Promise<unknown> {
  const bytes = Buffer.from(sealed, 'base64url')
  if (sealed === '' || bytes.toString('base64url') !== sealed) return undefined
  for (const cachedMs of [CACHED_MS, SEARCH_EVERY_MS])
    for (const key of await readKeys(context, 'login', cachedMs)) {
      const value = decrypt(bytes, sealingKey(key), name)
      if (value !== undefined) return value
    }
  return undefined
}

const sealingKey = (key: ServerKey): Uint8Array => hmac(key, 'seal')

const hmac = ({ secret }: ServerKey, signed: string): Buffer =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(signed).digest()

/** Creates a key if there is none or the newest is too old. */
async function newestKey(context: Within, ring: Ring): Promise<ServerKey> {
  const isGood = (key: ServerKey | undefined): key is ServerKey =>
    key !== undefined && (ring === 'name' || key.fromMs + DAY_MS > context.now())
  const [known] = await readKeys(context, ring, CACHED_MS)
  if (isGood(known)) return known
  return shareWork(context.memory, noteName(ring), async () => {
    const added: ServerKey = { secret: randomText(32), fromMs: context.now() }
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
