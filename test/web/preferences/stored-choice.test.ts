import { expect, test, vi } from 'vitest'
import {
  isChoiceKey,
  noteChoices,
  storedChoice,
  storeChoice,
} from '../../../src/web/preferences/stored-choice.ts'

const isDark = (value: string): value is 'dark' => value === 'dark'

test('a choice is stored until it is taken back, and a value that is none counts as absent', () => {
  expect(storedChoice('theme', isDark)).toBeUndefined()
  storeChoice('theme', 'dark')
  expect([storedChoice('theme', isDark), localStorage.getItem('plimsoll.theme')]).toEqual(['dark', 'dark'])
  storeChoice('theme', 'sepia')
  expect(storedChoice('theme', isDark)).toBeUndefined()
  storeChoice('theme', undefined)
  expect(localStorage).toHaveLength(0)
})

test('where the storage is refused nothing is chosen, and choosing is no error', () => {
  const refused = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refused, setItem: refused, removeItem: refused })
  storeChoice('theme', 'dark')
  storeChoice('theme', undefined)
  expect(storedChoice('theme', isDark)).toBeUndefined()
})

test.each([
  ['plimsoll.theme', true],
  ['plimsoll.language', true],
  ['plimsoll.shortcuts', true],
  ['plimsoll.sign-out', false],
  [null, false],
])('the key %s is that of a choice: %s', (key, expected) => {
  expect(isChoiceKey(key)).toBe(expected)
})

test('the server learns by a cookie that something is chosen, until nothing is (RFC 6265bis 4.1.3.2)', () => {
  const set = vi.spyOn(document, 'cookie', 'set').mockImplementation(() => {})
  const get = vi.spyOn(document, 'cookie', 'get').mockReturnValue('')
  noteChoices()
  expect(set).not.toHaveBeenCalled()
  storeChoice('theme', 'dark')
  expect(set).toHaveBeenLastCalledWith(
    '__Host-plimsoll-choices=1; Path=/; Secure; SameSite=Lax; Max-Age=31536000',
  )
  get.mockReturnValue('other=1; __Host-plimsoll-choices=1')
  storeChoice('theme', undefined)
  expect(set).toHaveBeenLastCalledWith('__Host-plimsoll-choices=1; Path=/; Secure; SameSite=Lax; Max-Age=0')
})
