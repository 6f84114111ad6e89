import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decrypt, encrypt, fingerprint, KEY_BYTES, randomText } from '../../../src/bff/core/encryption.ts'

const key = new Uint8Array(randomBytes(KEY_BYTES))
const keys = fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES })

test('an encrypted value is decrypted with its key and its name (NIST SP 800-38D)', () => {
  fc.assert(
    fc.property(fc.jsonValue(), keys, fc.string(), (value, key, name) => {
      // JSON has no -0.
      expect(decrypt(encrypt(value, key, name), key, name)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('any flipped bit makes it undefined, in the nonce, the text or the tag (NIST SP 800-38D 7.2)', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), fc.integer({ min: 0, max: 7 }), (value, at, bit) => {
      const encrypted = encrypt(value, key, 'session 1')
      const place = at % encrypted.length
      encrypted[place] = (encrypted[place] ?? 0) ^ (1 << bit)
      expect(decrypt(encrypted, key, 'session 1')).toBeUndefined()
    }),
  )
})

test('a record that is cut off anywhere, or has bytes added, is undefined (NIST SP 800-38D 7.2)', () => {
  const encrypted = encrypt({ accessToken: 'a token' }, key, 'session 1')
  for (const length of encrypted.keys()) {
    expect(decrypt(encrypted.subarray(0, length), key, 'session 1')).toBeUndefined()
    expect(decrypt(encrypted.subarray(length + 1), key, 'session 1')).toBeUndefined()
  }
  expect(decrypt(Buffer.concat([encrypted, Buffer.alloc(1)]), key, 'session 1')).toBeUndefined()
})

test('another key, of whatever length, does not decrypt it (NIST SP 800-38D)', () => {
  const encrypted = encrypt('a token', key, 'session 1')
  fc.assert(
    fc.property(fc.oneof(keys, fc.uint8Array({ maxLength: 64 })), (other) => {
      fc.pre(!Buffer.from(other).equals(key))
      expect(decrypt(encrypted, other, 'session 1')).toBeUndefined()
    }),
  )
})

test('two records cannot be exchanged: another name does not decrypt it (NIST SP 800-38D)', () => {
  const encrypted = encrypt('a token', key, 'session 1')
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(decrypt(encrypted, key, `${name}session 1`)).toBe(name === '' ? 'a token' : undefined)
    }),
  )
})

test('the same value encrypted twice differs, and does not contain the value (NIST SP 800-38D 8)', () => {
  const [one, two] = [encrypt('canary-token', key, 'n'), encrypt('canary-token', key, 'n')]
  expect(Buffer.from(one).equals(two)).toBe(false)
  expect(Buffer.from(one.subarray(0, 12)).equals(two.subarray(0, 12))).toBe(false)
  expect(Buffer.from(one).includes('canary')).toBe(false)
})

test('a fingerprint is the SHA-256 in base64url (RFC 4648 5)', () => {
  expect(fingerprint('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
  expect(fingerprint('abd')).not.toBe(fingerprint('abc'))
})

test('random text has the requested number of bytes, and differs each time (RFC 4648 5)', () => {
  const texts = Array.from({ length: 1000 }, () => randomText(16))
  expect(new Set(texts).size).toBe(1000)
  expect(texts.filter((text) => !/^[\w-]{22}$/.test(text))).toEqual([])
})
