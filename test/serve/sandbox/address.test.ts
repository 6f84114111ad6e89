import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allowSandboxHosts, assertPrivate, readControlToken } from '../../../src/serve/sandbox/address.ts'
import { folder } from '../../kit/temp-folder.ts'

test.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('the sandbox opens on %s', (host) => {
  expect(() => assertPrivate(host, '--host', false)).not.toThrow()
})

test.each(['0.0.0.0', '::', '192.168.1.2', 'localhost.evil.example', '1270.0.0.1', 'myhost'])(
  'the sandbox opens on %s with --any-address only (check 68, RFC 6749 1.6)',
  (host) => {
    expect(() => assertPrivate(host, '--host', false)).toThrow(/^--host is an address .* --any-address\.$/)
    expect(() => assertPrivate(host, '--host', true)).not.toThrow()
  },
)

const path = () => join(folder, 'token')
const written = (text: string, mode = 0o600) => {
  writeFileSync(path(), text)
  chmodSync(path(), mode)
  return path()
}

test('the control plane needs no token on this machine, and has that of a file if there is one', () => {
  expect(readControlToken('127.0.0.1', undefined)).toBeUndefined()
  expect(readControlToken('127.0.0.1', written('abc-1.~+/=\n'))).toBe('abc-1.~+/=')
  expect(readControlToken('0.0.0.0', written('abc', 0o640))).toBe('abc')
})

test.each<[why: string, file: () => string | undefined, sentence: RegExp]>([
  ['without a file', () => undefined, /^--control-token-file: is needed, since others can reach [^\n]*\.$/],
  ['with a missing file', path, /^--control-token-file: ENOENT[^\n]*\.$/],
  [
    'with an empty file',
    () => written('\n'),
    /^--control-token-file: needs one line with one token[^\n]*\.$/,
  ],
  ['with two tokens', () => written('one\ntwo'), /^--control-token-file: needs one line with one token/],
  [
    'with a file that all can read',
    () => written('abc', 0o644),
    /^--control-token-file: names a file that others on this machine[^\n]*\.$/,
  ],
])('the control plane is refused on an address that others can reach %s (check 68)', (_, file, sentence) => {
  expect(() => readControlToken('192.168.1.2', file())).toThrow(sentence)
})

test.each([
  ['127.0.0.1', [], 'localhost', '127.0.0.1', true],
  ['127.0.0.1', [], 'evil.example', '127.0.0.1', false],
  ['127.0.0.1', [], '192.168.1.2', '127.0.0.1', false],
  ['192.168.1.2', [], '192.168.1.2', '192.168.1.2', true],
  ['myhost', [], 'myhost', '192.168.1.2', true],
  ['myhost', [], '192.168.1.2', '192.168.1.2', false],
  ['0.0.0.0', [], '0.0.0.0', '127.0.0.1', true],
  ['0.0.0.0', [], '192.168.1.2', '192.168.1.2', true],
  ['0.0.0.0', [], '192.168.1.3', '192.168.1.2', false],
  ['0.0.0.0', [], 'evil.example', '192.168.1.2', false],
  ['0.0.0.0', ['sandbox.internal'], 'sandbox.internal', '192.168.1.2', true],
  ['::', [], '192.168.1.2', '::ffff:192.168.1.2', true],
  ['::', [], '[fd00::5]', 'fd00::5', true],
  ['::', [], '[fd00::6]', undefined, false],
])('a sandbox on %s with %j answers the host %s of a connection to %s: %s (check 69)', (...row) => {
  const [listensOn, allowed, name, localAddress, isAllowed] = row
  expect(allowSandboxHosts(listensOn, allowed)({ name }, localAddress)).toBe(isAllowed)
})
