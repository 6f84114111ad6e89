/** Keys of the server, each derived for its purpose from a secret in the store, which all processes share. */
import { createHmac, hkdfSync } from 'node:crypto'
import { HOUR_MS } from '../../contract/duration.ts'
import { type Context, shareWork } from './context.ts'
import { decrypt, encrypt, KEY_BYTES, randomText } from './encryption.ts'
import { changeNote, type NoteKind, readNote } from './note.ts'

type Purpose = 'sign-ins' | 'names of API keys' | 'addresses in the log'

/** A browser keeps what was sealed for this long at most. */
export const SEALED_MS = HOUR_MS
/** The latest instant that a Date can hold. */
const NEVER_MS = 8.64e15

export interface ServerSecret {
  secret: string
  /** It seals from then on, UNIX milliseconds, until there is a newer one. */
  fromMs: number
}

/** The oldest first. */
type Secrets = readonly [ServerSecret, ...ServerSecret[]]

const NOTE: NoteKind<Secrets> = { format: 1 }
const NAME = 'server secrets'

/**
 * Names an API key in the ledger, notes and log. The name can be derived only with the server's first secret,
 * which is never removed: under another name the month of the key would begin anew.
 */
export async function nameApiKey(context: Context, apiKey: string): Promise<string> {
  const [first] = await needSecrets(context)
  return hmac(first, 'names of API keys', apiKey).slice(0, 22)
}

/** Names the client's address in the log, the same in all processes until the secret is replaced. */
export async function nameAddress(context: Context): Promise<string> {
  const secret = newestOf(await needSecrets(context))
  return hmac(secret, 'addresses in the log', context.address).slice(0, 16)
}

/** @returns base64url; nobody without the key opens it, or has it opened under another name */
export async function sealLogin(context: Context, value: unknown, name: string): Promise<string> {
  const secret = newestOf(await needSecrets(context))
  return Buffer.from(encrypt(value, keyFor(secret, 'sign-ins'), name)).toString('base64url')
}

/** @returns what `sealLogin` has sealed under the name; `undefined` for anything else. Writes nothing */
export async function openLogin(context: Context, sealed: string, name: string): Promise<unknown> {
  const bytes = Buffer.from(sealed, 'base64url')
  if (sealed === '' || bytes.toString('base64url') !== sealed) return undefined
  for (const secret of openersOf((await readSecrets(context)) ?? [], context.now())) {
    const value = decrypt(bytes, keyFor(secret, 'sign-ins'), name)
    if (value !== undefined) return value
  }
  return undefined
}

/**
 * Adds a secret, which every process uses at once, and removes those that have nothing left to open.
 * @returns false if the store has no secret yet
 */
export async function rotateSecret(context: Pick<Context, 'store' | 'now'>): Promise<boolean> {
  const added = newSecret(context.now())
  let isAdded = false
  const rotate = (known?: Secrets): Secrets | undefined => {
    isAdded = known !== undefined
    if (known === undefined) return undefined
    const [first] = known
    return [first, ...openersOf(known, context.now()).filter((one) => one !== first), added]
  }
  await changeNote(context, NOTE, NAME, rotate, NEVER_MS)
  return isAdded
}

const newSecret = (fromMs: number): ServerSecret => ({ secret: randomText(KEY_BYTES), fromMs })

/** HKDF-SHA-256 (RFC 5869). */
const keyFor = ({ secret }: ServerSecret, purpose: Purpose): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', purpose, KEY_BYTES))

const hmac = (secret: ServerSecret, purpose: Purpose, named: string): string =>
  createHmac('sha256', keyFor(secret, purpose)).update(named).digest('base64url')

const newestOf = (secrets: Secrets): ServerSecret => secrets.at(-1) ?? secrets[0]

/** All but those that were replaced so long ago that no browser keeps what they sealed. */
const openersOf = (secrets: readonly ServerSecret[], nowMs: number): readonly ServerSecret[] =>
  secrets.slice(
    Math.max(
      0,
      secrets.findLastIndex(({ fromMs }) => fromMs + SEALED_MS <= nowMs),
    ),
  )

/** Creates the first one. */
async function needSecrets(context: Context): Promise<Secrets> {
  const known = await readSecrets(context)
  if (known !== undefined) return known
  const first: Secrets = [newSecret(context.now())]
  let secrets = first
  await changeNote(context, NOTE, NAME, (stored = first) => (secrets = stored), NEVER_MS)
  return secrets
}

/** A browser may have many cookies of sign-ins, made-up ones too: all are opened after one read. */
const readSecrets = (context: Context): Promise<Secrets | undefined> =>
  shareWork(context.memory, NAME, () => readNote(context, NOTE, NAME))
