/** Encrypts a value for the holder of a private key: X25519 (RFC 7748 6.1), HKDF (RFC 5869), AES-256-GCM. */
import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto'
import { decrypt, encrypt, KEY_BYTES } from './encryption.ts'

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
