/** The only file that encrypts: what is kept of a session opens only with the key that its cookie holds. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const KEY_BYTES = 32

/** AES-256-GCM with a fresh nonce; `name` binds the result to its place, so that two records cannot be swapped. */
export function seal(value: unknown, key: Uint8Array, name: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, createSecretKey(key), nonce).setAAD(Buffer.from(name))
  return Buffer.concat([
    nonce,
    cipher.update(JSON.stringify(value), 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

/** The value that was sealed; `undefined` when the key, the name or a byte is another one. */
export function unseal(sealed: Uint8Array, key: Uint8Array, name: string): unknown {
  const bytes = Buffer.from(sealed)
  if (key.length !== KEY_BYTES || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, createSecretKey(key), bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(name))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}

/** A name for a secret by which the secret cannot be found. */
export const fingerprint = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Random letters that stand in addresses and cookies as they are. */
export const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** Compares without telling by its time where two texts differ. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
