import { expect, test, vi } from 'vitest'
import { chosenLanguage, storedLanguage, storeLanguage } from '../../../src/web/preferences/language.ts'

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

test('what a person has chosen comes before the browser, until it is given back', () => {
  prefer('en')
  storeLanguage('ja')
  expect([chosenLanguage(), storedLanguage()]).toEqual(['ja', 'ja'])
  storeLanguage(undefined)
  expect([chosenLanguage(), storedLanguage()]).toEqual(['en', undefined])
  localStorage.setItem('plimsoll.language', 'tlh')
  expect([chosenLanguage(), storedLanguage()]).toEqual(['en', undefined])
})

test('where storage is refused the browser decides, and a choice is no error', () => {
  prefer('ja')
  const refused = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refused, setItem: refused, removeItem: refused })
  storeLanguage('en')
  storeLanguage(undefined)
  expect(chosenLanguage()).toBe('ja')
})
