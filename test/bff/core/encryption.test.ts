import { randomBytes, createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decrypt, encrypt, fingerprint, KEY_BYTES, randomText } from '../../../src/bff/core/encryption.ts'
import { createKeyPair, publicKeyOf, seal, unseal } from '../../../src/bff/core/sealed-box.ts'
import type { Context } from '../../../src/bff/core/context.ts'
import { isSignedLogin, nameAddress, nameApiKey, signLogin } from '../../../src/bff/core/server-key.ts'
import { createContext, newMemory } from '../_context.ts'
import { onCall } from '../../kit/store-methods.ts'

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

test('any value is opened by its key and name alone (RFC 7748 6.1, RFC 5869)', () => {
  const [own, other] = [createKeyPair(), createKeyPair()]
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, name) => {
      const sealed = seal(value, own.publicKey, name)
      expect(JSON.stringify(unseal(sealed, own.privateKey, name))).toBe(JSON.stringify(value))
      expect(unseal(sealed, other.privateKey, name)).toBeUndefined()
      expect(unseal(sealed, own.privateKey, `${name}.`)).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})

test('the same value is never sealed in the same way, and no changed bit opens (RFC 5116 2.1)', () => {
  const { publicKey, privateKey } = createKeyPair()
  const [one, two] = [seal('x', publicKey, 'n'), seal('x', publicKey, 'n')]
  expect(one).not.toBe(two)
  const [key, encrypted] = one.split('.').map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer]
  const boxes = [
    ...withOneBitChanged(key).map((changed) => [changed, encrypted]),
    ...withOneBitChanged(encrypted).map((changed) => [key, changed]),
  ].map((parts) => parts.map((part) => part.toString('base64url')).join('.'))
  boxes.push(one.replace('.', ''))
  expect(boxes.map((box) => unseal(box, privateKey, 'n'))).toEqual(boxes.map(() => undefined))
})

/** Once for each bit. */
const withOneBitChanged = (bytes: Buffer): Buffer[] =>
  Array.from({ length: 8 * bytes.length }, (_, bit) =>
    Buffer.from(bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))),
  )

test.each(['', 'x', '.', 'a.b', 'é'])('garbage in place of a key or a box is no error: %j', (garbage) => {
  const { publicKey, privateKey } = createKeyPair()
  expect(publicKeyOf(garbage)).toBeUndefined()
  expect(unseal(garbage, privateKey, 'n')).toBeUndefined()
  expect(unseal(seal('x', publicKey, 'n'), garbage, 'n')).toBeUndefined()
  expect(publicKeyOf(privateKey)).toBe(publicKey)
})

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** Another process over the same store. */
const twinOf = (context: Context): Context => ({ ...context, memory: newMemory() })

test('fifty processes that begin at once have one key (ASVS 13.3.1)', async () => {
  const { context } = createContext()
  const processes = Array.from({ length: 50 }, () => twinOf(context))
  const signatures = await Promise.all(processes.map((one) => signLogin(one, 'a')))
  expect(new Set(signatures.map(({ keyId, mac }) => keyId + mac)).size).toBe(1)
  const names = await Promise.all(processes.map((one) => nameApiKey(one, 'a-key')))
  expect(new Set(names).size).toBe(1)
})

test('the name of an API key is no plain hash, and differs between installations (ASVS 16.2.5)', async () => {
  const [one, other] = [createContext().context, createContext().context]
  const name = await nameApiKey(one, 'a-key')
  expect(name).toMatch(/^[\w-]{22}$/)
  expect(name).not.toBe(fingerprint('a-key').slice(0, 22))
  expect(await nameApiKey(other, 'a-key')).not.toBe(name)
  expect(await nameApiKey(one, 'a-kex')).not.toBe(name)
})

test('the name of an API key is the same a year later, after every sweep and with another login key (8.3)', async () => {
  const { context, clock } = createContext()
  const name = await nameApiKey(context, 'a-key')
  clock.ms += 365 * DAY_MS
  await context.store.sweep(clock.ms)
  await signLogin(context, 'a')
  expect(await nameApiKey(twinOf(context), 'a-key')).toBe(name)
})

test('an address has one name in all processes and a year later, and another elsewhere (ASVS 16.2.5)', async () => {
  const { context, clock } = createContext()
  const name = await nameAddress(context)
  expect(name).toMatch(/^[\w-]{16}$/)
  expect(await nameAddress(twinOf(context))).toBe(name)
  expect(await nameAddress({ ...context, address: '192.0.2.2' })).not.toBe(name)
  expect(await nameAddress(createContext().context)).not.toBe(name)
  expect(name).not.toBe((await nameApiKey(context, context.address)).slice(0, 16))
  clock.ms += 365 * DAY_MS
  await context.store.sweep(clock.ms)
  expect(await nameAddress(twinOf(context))).toBe(name)
})

test('the name of an API key is the HMAC of it with the 32 bytes that are stored (RFC 2104)', async () => {
  const { context } = createContext()
  const secret = randomBytes(32)
  const keys = [{ id: 'an-id', secret: secret.toString('base64url'), fromMs: 0 }]
  await context.store.changeNote('server keys name', () => ({ format: 1, value: { keys } }), Infinity)
  const expected = createHmac('sha256', secret).update('a-key').digest('base64url').slice(0, 22)
  expect(await nameApiKey(context, 'a-key')).toBe(expected)
})

test('a signed text is accepted as it was signed, and not otherwise (RFC 2104, attack 78)', async () => {
  const { context } = createContext()
  const signature = await signLogin(context, 'a text')
  expect(await isSignedLogin(context, 'a text', signature)).toBe(true)
  expect(await isSignedLogin(context, 'another text', signature)).toBe(false)
  expect(await isSignedLogin(context, 'a text', { ...signature, mac: '' })).toBe(false)
  expect(await isSignedLogin(context, 'a text', { ...signature, keyId: 'unknown' })).toBe(false)
})

test('the login key changes daily; the old one is valid until its logins end (ASVS 13.3.4, attack 34)', async () => {
  const { context, clock } = createContext()
  const old = await signLogin(context, 'a')
  clock.ms += DAY_MS - 1
  expect(await signLogin(context, 'a')).toEqual(old)
  clock.ms += 1
  const present = await signLogin(context, 'a')
  expect(present.keyId).not.toBe(old.keyId)
  clock.ms += 10 * MINUTE_MS
  expect(await isSignedLogin(context, 'a', old)).toBe(true)
  clock.ms += MINUTE_MS
  expect(await isSignedLogin(context, 'a', old)).toBe(false)
  expect(await isSignedLogin(context, 'a', present)).toBe(true)
  clock.ms += DAY_MS
  await signLogin(context, 'a')
  expect(await context.store.readNotes(['server keys login'])).toMatchObject([
    { value: { keys: [{}, { id: present.keyId }] } },
  ])
})

test('a key that another process made a moment ago is found (RFC 9700 4.7.1)', async () => {
  const { context, clock } = createContext()
  const twin = twinOf(context)
  expect(await isSignedLogin(twin, 'a', { keyId: 'unknown', mac: 'none' })).toBe(false)
  const signature = await signLogin(context, 'a')
  clock.ms += 1000
  expect(await isSignedLogin(twin, 'a', signature)).toBe(true)
})

test('keys are read once a minute, and once a second for ids that are made up (RFC 9700 4.7.1)', async () => {
  const { context, clock } = createContext()
  const signature = await signLogin(context, 'a')
  let reads = 0
  onCall(context.store, 'readNotes', () => (reads += 1))
  const forged = { keyId: 'unknown', mac: signature.mac }
  for (let ms = 0; ms < MINUTE_MS - 1000; ms += 100) {
    await isSignedLogin(context, 'a', signature)
    clock.ms += 100
  }
  expect(reads).toBe(0)
  for (let ms = 0; ms < 10_000; ms += 100) {
    await isSignedLogin(context, 'a', forged)
    clock.ms += 100
  }
  expect(reads).toBe(10)
})

test('while the store cannot be read, known keys serve on, and unknown ones are not made (RFC 9700 4.7.1)', async () => {
  const { context, clock } = createContext()
  const signature = await signLogin(context, 'a')
  clock.ms += 2 * MINUTE_MS
  const isDown = () => Promise.reject(new Error('the store is down'))
  Object.assign(context.store, { readNotes: isDown, changeNote: isDown })
  expect(await isSignedLogin(context, 'a', signature)).toBe(true)
  expect(await signLogin(context, 'a')).toEqual(signature)
  await expect(nameApiKey(context, 'a-key')).rejects.toThrow('the store is down')
})
