import { expect, test } from 'vitest'
import { currentAddress, safeReturnTo } from '../../../src/web/sign-in/return-to.ts'

const HOSTS = [
  'evil.example',
  'evil.example:443',
  'user@evil.example',
  'localhost@evil.example/organizations/1',
  '[::1]',
  '3232235777',
  'ev\u0456l.example',
  'xn--evl-8cd.example',
]
const STARTS = [
  '//',
  '///',
  '////',
  '/\\',
  '\\/',
  '\\\\',
  '/\\/',
  '//\\',
  '/\t/',
  '/\n/',
  '/\r/',
  '\t//',
  ' //',
  '/ /',
  '/./\u200b/',
  '/\u200b/',
  '/\u3002/',
  '/\uff0f',
  '/\u2028/',
  '/.//',
  '/..//',
  '/%2e//',
  '/a/..//',
  '/a/../..//',
  '/./\\',
  '/..\\',
  'https://',
  'http://',
  'HTTPS:',
  'https:',
  'https:/',
  '\u0000//',
  '/\u0000/',
  '/\u007f/',
  '/\u00a0/',
  'https:\\\\',
  'https:\\/',
  'ht\ntps://',
  '\rhttps://',
  '\u0001//',
  '\ufeff//',
  '/\ufeff/',
  '//\u00ad',
  '/\\\t/',
  'ftp://',
  'wss://',
  'javascript://',
  'javascript:alert(1)//',
  'view-source:https://',
]
const ODD = [
  '',
  ' ',
  'organizations/1001',
  './',
  '../',
  '?a=1',
  '#a',
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:x',
  'file:///etc/passwd',
  '/callback',
  '/callback?code=1&state=2',
  '/x/../callback',
  '/a b',
  '/\r\nSet-Cookie: a=b',
  '/organizations/1\r\nLocation: //evil.example',
  '/\u0000',
  '/\ud800',
  '/\u00c0\u00af\u00c0\u00aeevil.example',
  '/a\u0001',
  '/\\evil.example',
  '/a\\b',
  `/${'a'.repeat(2048)}`,
  undefined,
  null,
  1001,
  true,
  {},
  [],
  ['/'],
  { toString: () => '//evil.example' },
  Symbol.iterator,
  () => '/',
]
const HOSTILE = [...HOSTS.flatMap((host) => STARTS.map((start) => start + host)), ...ODD]

test(`${HOSTILE.length} addresses of other sites become the start page (RFC 9700 4.11, attack 13)`, () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(300)
  expect(HOSTILE.filter((address) => safeReturnTo(address) !== '/')).toEqual([])
})

test.each([
  '/',
  '/organizations/1001',
  '/organizations/1001?tab=raw&q=%2F%2Fevil',
  '/?next=//evil.example',
  '/#//evil',
  '/a/b:c@d',
])('%s is not changed', (address) => {
  expect(safeReturnTo(address)).toBe(address)
})

test('dots are resolved as a browser resolves them', () => {
  expect(safeReturnTo('/a/../organizations/./7')).toBe('/organizations/7')
})

test('the present address has path, query and fragment', () => {
  history.replaceState(null, '', '/organizations/7?a=1#b')
  expect(currentAddress()).toBe('/organizations/7?a=1#b')
})
