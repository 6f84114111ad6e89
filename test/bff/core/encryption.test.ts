import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decrypt,
  encrypt,
  fingerprint,
  KEY_BYTES,
  randomText,
  createKeyPair,
  publicKeyOf,
  seal,
  unseal,
} from '../../../src/bff/core/encryption.ts'
import type { Context } from '../../../src/bff/core/context.ts'
import {
  nameAddress,
  nameApiKey,
  openLogin,
  rotateSecret,
  sealLogin,
  type ServerSecret,
} from '../../../src/bff/core/server-key.ts'
import { createContext, newMemory } from '../_context.ts'
import { onCall } from '../../kit/store-methods.ts'

const key = new Uint8Array(randomBytes(KEY_BYTES))
const keys = fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES })

/** Of whatever length. */
const anyKey = fc.oneof(keys, fc.uint8Array({ maxLength: 64 }))

test('an encrypted value is decrypted with its own key and name alone (NIST SP 800-38D)', () => {
  fc.assert(
    fc.property(fc.jsonValue(), keys, fc.string(), anyKey, (value, key, name, other) => {
      const encrypted = encrypt(value, key, name)
      // JSON has no -0.
      expect(decrypt(encrypted, key, name)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(decrypt(encrypted, key, `${name}.`)).toBeUndefined()
      fc.pre(!Buffer.from(other).equals(key))
      expect(decrypt(encrypted, other, name)).toBeUndefined()
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
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

async function storedSecrets({ store }: Context): Promise<readonly ServerSecret[]> {
  const [note] = (await store.readNotes(['server secrets'])) as [{ value: ServerSecret[] } | undefined]
  return note?.value ?? []
}

/** Another process over the same store. */
const twinOf = (context: Context): Context => ({ ...context, memory: newMemory() })

test('fifty processes that begin at once have one secret (ASVS 13.3.1)', async () => {
  const { context } = createContext()
  const processes = Array.from({ length: 50 }, () => twinOf(context))
  const sealed = await Promise.all(processes.map((one) => sealLogin(one, 7, 'a')))
  const opened = await Promise.all(
    processes.flatMap((one) => sealed.map((each) => openLogin(one, each, 'a'))),
  )
  expect(new Set(opened)).toEqual(new Set([7]))
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

test('the name of an API key is the same a year later, after sweeps and a dozen rotations (8.3)', async () => {
  const { context, clock } = createContext()
  const name = await nameApiKey(context, 'a-key')
  for (let months = 0; months < 12; months += 1) {
    clock.ms += 31 * DAY_MS
    await rotateSecret(context)
    await context.store.sweep(clock.ms)
  }
  expect(await nameApiKey(twinOf(context), 'a-key')).toBe(name)
  expect(await storedSecrets(context)).toHaveLength(3)
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

test('each purpose has a key of its own, derived from the one stored secret (RFC 5869, RFC 2104)', async () => {
  const { context } = createContext()
  const name = await nameApiKey(context, 'a-key')
  const sealed = await sealLogin(context, 7, 'a')
  const [stored] = await storedSecrets(context)
  const secret = Buffer.from(stored?.secret ?? '', 'base64url')
  expect(secret).toHaveLength(KEY_BYTES)
  const keyOf = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))
  const hmac = (purpose: string, text: string) =>
    createHmac('sha256', keyOf(purpose)).update(text).digest('base64url')
  expect(name).toBe(hmac('names of API keys', 'a-key').slice(0, 22))
  expect(await nameAddress(context)).toBe(hmac('addresses in the log', context.address).slice(0, 16))
  expect(decrypt(Buffer.from(sealed, 'base64url'), keyOf('sign-ins'), 'a')).toBe(7)
})

test('a login is opened as it was sealed, under its name, and by no other text (RFC 9700 4.7.1, attack 78)', async () => {
  const { context } = createContext()
  const sealed = await sealLogin(context, ['7', 1], 'a name')
  expect(await openLogin(context, sealed, 'a name')).toEqual(['7', 1])
  expect(await openLogin(context, sealed, 'another name')).toBeUndefined()
  for (const forged of ['', 'x', `${sealed}A`, `${sealed}.`, sealed.slice(1)])
    expect(await openLogin(context, forged, 'a name')).toBeUndefined()
})

test('a new secret seals at once; the one before opens for an hour (ASVS 13.3.4, attack 34)', async () => {
  const { context, clock } = createContext()
  const sealed = [await sealLogin(context, 0, 'a')]
  const opened = () => Promise.all(sealed.map((one) => openLogin(twinOf(context), one, 'a')))
  expect(await rotateSecret(twinOf(context))).toBe(true)
  sealed.push(await sealLogin(context, 1, 'a'))
  clock.ms += HOUR_MS - 1
  expect(await opened()).toEqual([0, 1])
  clock.ms += 1
  expect(await opened()).toEqual([undefined, 1])
})

test('of many rotations in an hour each secret opens what it sealed, and later none but the last (attack 34)', async () => {
  const { context, clock } = createContext()
  const sealed: string[] = []
  for (let minutes = 0; minutes < 55; minutes += 5) {
    sealed.push(await sealLogin(context, 'value', 'a'))
    await rotateSecret(context)
    await rotateSecret(context)
    clock.ms += 5 * MINUTE_MS
  }
  const open = () => Promise.all(sealed.map((one) => openLogin(context, one, 'a')))
  expect(await open()).toEqual(sealed.map(() => 'value'))
  clock.ms += DAY_MS
  await rotateSecret(context)
  expect(await storedSecrets(context)).toHaveLength(3)
  expect(await open()).toEqual(sealed.map(() => undefined))
})

test('fifty processes that rotate at once add fifty secrets, and each opens what any seals (attack 34)', async () => {
  const { context } = createContext()
  const processes = Array.from({ length: 50 }, () => twinOf(context))
  await sealLogin(context, 7, 'a')
  await Promise.all(processes.map(rotateSecret))
  expect(await storedSecrets(context)).toHaveLength(51)
  const sealed = await Promise.all(processes.map((one) => sealLogin(one, 7, 'a')))
  expect(new Set(await Promise.all(sealed.map((one) => openLogin(context, one, 'a'))))).toEqual(new Set([7]))
})

test('a store without a secret is not rotated, and stays without one (ASVS 13.3.4)', async () => {
  const { context } = createContext()
  expect(await rotateSecret(context)).toBe(false)
  expect(await storedSecrets(context)).toEqual([])
})

test('what a process seals whose clock is ahead is opened by the others (attack 34)', async () => {
  const { context, clock } = createContext()
  const sealed = await sealLogin(context, 7, 'a')
  await rotateSecret(context)
  const ahead = { ...twinOf(context), now: () => clock.ms + 5 * MINUTE_MS }
  expect(await openLogin(context, await sealLogin(ahead, 8, 'a'), 'a')).toBe(8)
  expect(await openLogin(ahead, sealed, 'a')).toBe(7)
})

test('all cookies of a request, made-up ones too, are opened after one read (RFC 9700 4.7.1)', async () => {
  const { context } = createContext()
  const sealed = await sealLogin(context, 7, 'a')
  let reads = 0
  onCall(context.store, 'readNotes', () => (reads += 1))
  const texts = [sealed, ...Array.from({ length: 99 }, (_, nth) => `${nth}`)]
  const opened = await Promise.all(texts.map((text) => openLogin(context, text, 'a')))
  expect([reads, opened.filter((value) => value === 7)]).toEqual([1, [7]])
})
