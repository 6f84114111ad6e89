/** Encrypts what the bff stores: the store has no key to it. */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

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

// For the holder of a private key: X25519 (RFC 7748 6.1), HKDF (RFC 5869), AES-256-GCM.

/** Both base64url. */
interface KeyPair {
  publicKey: string
  privateKey: string
}

export function createKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  }
}

/** @returns the public key, base64url; `undefined` if the text is no private key */
export function publicKeyOf(privateKey: string): string | undefined {
  try {
    const key = createPrivateKey({ key: bytes(privateKey), format: 'der', type: 'pkcs8' })
    return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64url')
  } catch {
    return undefined
  }
}

/** @param name is authenticated too @returns base64url; nobody but the holder of the private key opens it */
export function seal(value: unknown, publicKey: string, name: string): string {
  // A key pair of its own for each box, whose private half nobody keeps.
  const once = createKeyPair()
  const key = sharedKey(once.privateKey, publicKey, once.publicKey + publicKey)
  return `${once.publicKey}.${Buffer.from(encrypt(value, key, name)).toString('base64url')}`
}

/** `undefined` if the key, the name or a byte differs. */
export function unseal(sealed: string, privateKey: string, name: string): unknown {
  const [once = '', encrypted = ''] = sealed.split('.')
  try {
    const key = sharedKey(privateKey, once, once + String(publicKeyOf(privateKey)))
    return decrypt(bytes(encrypted), key, name)
  } catch {
    return undefined
  }
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

function sharedKey(privateKey: string, publicKey: string, salt: string): Uint8Array {
  const secret = diffieHellman({
    privateKey: createPrivateKey({ key: bytes(privateKey), format: 'der', type: 'pkcs8' }),
    publicKey: createPublicKey({ key: bytes(publicKey), format: 'der', type: 'spki' }),
  })
  return new Uint8Array(hkdfSync('sha256', secret, salt, 'sealed box', KEY_BYTES))
}
