import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalSecrets, fingerprint, KEY_BYTES, randomText, seal, unseal } from '../../src/bff/encryption.ts'

const key = new Uint8Array(randomBytes(KEY_BYTES))
const keys = fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES })

test('what is sealed opens with its key and under its name (NIST SP 800-38D)', () => {
  fc.assert(
    fc.property(fc.jsonValue(), keys, fc.string(), (value, key, name) => {
      // JSON knows no -0.
      expect(unseal(seal(value, key, name), key, name)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('any flipped bit keeps it shut, in the nonce, the text or the tag (NIST SP 800-38D 7.2)', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), fc.integer({ min: 0, max: 7 }), (value, at, bit) => {
      const sealed = seal(value, key, 'session 1')
      const place = at % sealed.length
      sealed[place] = (sealed[place] ?? 0) ^ (1 << bit)
      expect(unseal(sealed, key, 'session 1')).toBeUndefined()
    }),
  )
})

test('a record cut off anywhere, or with more behind it, stays shut (NIST SP 800-38D 7.2)', () => {
  const sealed = seal({ accessToken: 'a token' }, key, 'session 1')
  for (const length of sealed.keys()) {
    expect(unseal(sealed.subarray(0, length), key, 'session 1')).toBeUndefined()
    expect(unseal(sealed.subarray(length + 1), key, 'session 1')).toBeUndefined()
  }
  expect(unseal(Buffer.concat([sealed, Buffer.alloc(1)]), key, 'session 1')).toBeUndefined()
})

test('another key, of whatever length, does not open it (NIST SP 800-38D)', () => {
  const sealed = seal('a token', key, 'session 1')
  fc.assert(
    fc.property(fc.oneof(keys, fc.uint8Array({ maxLength: 64 })), (other) => {
      fc.pre(!Buffer.from(other).equals(key))
      expect(unseal(sealed, other, 'session 1')).toBeUndefined()
    }),
  )
})

test('two records cannot change places: another name does not open it (NIST SP 800-38D)', () => {
  const sealed = seal('a token', key, 'session 1')
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(unseal(sealed, key, `${name}session 1`)).toBe(name === '' ? 'a token' : undefined)
    }),
  )
})

test('the same value sealed twice looks different, and shows nothing of itself (NIST SP 800-38D 8)', () => {
  const [one, two] = [seal('canary-token', key, 'n'), seal('canary-token', key, 'n')]
  expect(Buffer.from(one).equals(two)).toBe(false)
  expect(Buffer.from(one.subarray(0, 12)).equals(two.subarray(0, 12))).toBe(false)
  expect(Buffer.from(one).includes('canary')).toBe(false)
})

test('a fingerprint is the SHA-256 in letters that a cookie and an address take (RFC 4648 5)', () => {
  expect(fingerprint('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
  expect(fingerprint('abd')).not.toBe(fingerprint('abc'))
})

test('random text has the bytes that were asked for, and is another each time (RFC 4648 5)', () => {
  const texts = Array.from({ length: 1000 }, () => randomText(16))
  expect(new Set(texts).size).toBe(1000)
  expect(texts.filter((text) => !/^[\w-]{22}$/.test(text))).toEqual([])
})

test.each([
  ['', '', true],
  ['secret', 'secret', true],
  ['secret', 'secre', false],
  ['secret', 'Secret', false],
  ['é', 'e\u0301', false],
])('%j and %j are the same secret: %s (RFC 6749 10.10)', (a, b, same) => {
  expect(equalSecrets(a, b)).toBe(same)
})
