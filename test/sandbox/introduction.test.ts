import { expect, test } from 'vitest'
import { assertAddress, introduce } from '../../src/sandbox/introduction.ts'
import { seed } from './_sandbox.ts'

test('what is printed names sandbox, control plane, organizations and people, and no secret', () => {
  const lines = introduce({ url: 'http://127.0.0.1:4000', controlUrl: 'http://127.0.0.1:4001', seed: seed() })
  const text = lines.join('\n')
  for (const part of ['sandbox at http://127.0.0.1:4000:', 'http://127.0.0.1:4001:', '1001', 'Ada Lindqvist'])
    expect(text).toContain(part)
  for (const { client_secret } of seed().applications) expect(text).not.toContain(client_secret)
  for (const { value } of seed().api_keys) expect(text).not.toContain(value)
})

test.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('the sandbox opens on %s', (host) => {
  expect(() => assertAddress(host, false)).not.toThrow()
})

test.each(['0.0.0.0', '::', '192.168.1.2', 'localhost.evil.example', '1270.0.0.1', 'myhost'])(
  'the sandbox does not open on %s unless it is told to in so many words (check 68, RFC 6749 1.6)',
  (host) => {
    expect(() => assertAddress(host, false)).toThrow('--any-address')
    expect(() => assertAddress(host, true)).not.toThrow()
  },
)
