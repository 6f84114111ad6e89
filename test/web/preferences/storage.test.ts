import { expect, test, vi } from 'vitest'
import {
  chosenLanguage,
  isPreferenceKey,
  notePreferences,
  storedLanguage,
  storedPreference,
  storePreference,
} from '../../../src/web/preferences/storage.ts'

const isDark = (value: string): value is 'dark' => value === 'dark'

test('a preference is stored until it is removed, and an unknown value counts as absent', () => {
  expect(storedPreference('theme', isDark)).toBeUndefined()
  storePreference('theme', 'dark')
  expect([storedPreference('theme', isDark), localStorage.getItem('plimsoll.theme')]).toEqual([
    'dark',
    'dark',
  ])
  storePreference('theme', 'sepia')
  expect(storedPreference('theme', isDark)).toBeUndefined()
  storePreference('theme', undefined)
  expect(localStorage).toHaveLength(0)
})

test('without a storage nothing is chosen, and choosing is no error', () => {
  const refused = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refused, setItem: refused, removeItem: refused })
  storePreference('theme', 'dark')
  storePreference('theme', undefined)
  expect(storedPreference('theme', isDark)).toBeUndefined()
})

test.each([
  ['plimsoll.theme', true],
  ['plimsoll.language', true],
  ['plimsoll.shortcuts', true],
  ['plimsoll.sign-out', false],
  [null, false],
])('the key %s belongs to a preference: %s', (key, expected) => {
  expect(isPreferenceKey(key)).toBe(expected)
})

test.each([
  ['http://localhost:3000', 'plimsoll-http-3000-choices', ''],
  ['https://plimsoll.example.com', '__Host-plimsoll-choices', 'Secure; '],
  ['http://[::1]:3000', '__Host-plimsoll-choices', 'Secure; '],
])(
  'at %s the cookie %s tells the server that a preference is stored (RFC 6265bis 4.1.3.2)',
  (origin, name, secure) => {
    vi.stubGlobal('location', { origin })
    const set = vi
      .spyOn(document, 'cookie', 'set')
      .mockClear()
      .mockImplementation(() => {})
    const get = vi.spyOn(document, 'cookie', 'get').mockReturnValue('')
    notePreferences()
    expect(set).not.toHaveBeenCalled()
    storePreference('theme', 'dark')
    expect(set).toHaveBeenLastCalledWith(`${name}=1; Path=/; ${secure}SameSite=Lax; Max-Age=31536000`)
    get.mockReturnValue(`other=1; ${name}=1`)
    storePreference('theme', undefined)
    expect(set).toHaveBeenLastCalledWith(`${name}=1; Path=/; ${secure}SameSite=Lax; Max-Age=0`)
  },
)

const prefer = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags)

test.each([
  [['ja'], 'ja'],
  [['ja-JP', 'en'], 'ja'],
  [['fr', 'en-GB', 'ja'], 'en'],
  [['EN-us'], 'en'],
  [['fr', 'de-AT'], 'en'],
  [['constructor'], 'en'],
  [[], 'en'],
])('a browser that prefers %j gets %s', (tags, language) => {
  prefer(...tags)
  expect(chosenLanguage()).toBe(language)
})

test('a person’s choice comes before the browser’s languages, until it is removed', () => {
  prefer('en')
  storePreference('language', 'ja')
  expect([chosenLanguage(), storedLanguage()]).toEqual(['ja', 'ja'])
  storePreference('language', undefined)
  expect([chosenLanguage(), storedLanguage()]).toEqual(['en', undefined])
  localStorage.setItem('plimsoll.language', 'tlh')
  expect([chosenLanguage(), storedLanguage()]).toEqual(['en', undefined])
})

test('without a storage the browser decides the language, and a choice is no error', () => {
  prefer('ja')
  const refused = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refused, setItem: refused, removeItem: refused })
  storePreference('language', 'en')
  storePreference('language', undefined)
  expect(chosenLanguage()).toBe('ja')
})
