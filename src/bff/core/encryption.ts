/** Encrypts what the bff stores: a stored session can be decrypted only with the key in its cookie. */
import { createCipheriv, createDecipheriv, createSecretKey, hash, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const KEY_BYTES = 32

/** AES-256-GCM with a new nonce. `name` is authenticated too, so that two records cannot be swapped. */
export function encrypt(value: unknown, key: Uint8Array, name: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, createSecretKey(key), nonce).setAAD(Buffer.from(name))
  return Buffer.concat([nonce, cipher.update(JSON.stringify(value)), cipher.final(), cipher.getAuthTag()])
}

/** `undefined` if the key, the name or a byte differs, or if the text is too short. */
export function decrypt(encrypted: Uint8Array, key: Uint8Array, name: string): unknown {
  const bytes = Buffer.from(encrypted)
  try {
    const decipher = createDecipheriv(CIPHER, createSecretKey(key), bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(name))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    return JSON.parse(text.toString())
  } catch {
    // The value was not encrypted with this key under this name.
  }
  return undefined
}

/** SHA-256, base64url: names a secret that cannot be derived from it. */
export const fingerprint = (secret: string): string => hash('sha256', secret, 'base64url')

/** Random bytes as base64url, which needs no escaping in addresses and cookies. */
export const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url')
