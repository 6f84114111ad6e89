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

test('the same value is never sealed in the same way, and no changed byte opens (RFC 5116 2.1)', () => {
  const { publicKey, privateKey } = createKeyPair()
  const [one, two] = [seal('x', publicKey, 'n'), seal('x', publicKey, 'n')]
  expect(one).not.toBe(two)
  for (let at = 0; at < one.length; at += 1) {
    const changed = `${one.slice(0, at)}${one[at] === 'A' ? 'B' : 'A'}${one.slice(at + 1)}`
    // The last character of base64url has bits that mean nothing.
    const isSame = Buffer.compare(bytesOf(changed), bytesOf(one)) === 0
    expect(unseal(changed, privateKey, 'n')).toBe(isSame ? 'x' : undefined)
  }
})

const bytesOf = (sealed: string): Buffer =>
  Buffer.concat(sealed.split('.').map((part) => Buffer.from(part, 'base64url')))

test.each(['', 'x', '.', 'a.b', 'é'])('garbage in place of a key or a box is no error: %j', (garbage) => {
  const { publicKey, privateKey } = createKeyPair()
  expect(publicKeyOf(garbage)).toBeUndefined()
  expect(unseal(garbage, privateKey, 'n')).toBeUndefined()
  expect(unseal(seal('x', publicKey, 'n'), garbage, 'n')).toBeUndefined()
  expect(publicKeyOf(privateKey)).toBe(publicKey)
})
