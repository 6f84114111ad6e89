import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyPair, publicKeyOf, seal, unseal } from '../../../src/bff/core/sealed-box.ts'

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
