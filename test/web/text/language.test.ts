import { afterEach, expect, test, vi } from 'vitest'
import {
  chosenLanguage,
  dateText,
  numberText,
  sentenceGap,
  sentences,
  setLocale,
  storedLanguage,
  storeLanguage,
} from '../../../src/web/text/language.ts'

const prefer = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags)
const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeZone: 'UTC' }

afterEach(() => setLocale('en'))

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

test('dates are in the reader’s own form of the language, and the document names the language (D9)', () => {
  const atMs = Date.UTC(2026, 10, 21)
  prefer('ja', 'en-GB')
  setLocale('en')
  expect([dateText(atMs, DAY), document.documentElement.lang]).toEqual(['21 Nov 2026', 'en'])
  setLocale('ja')
  expect([dateText(atMs, DAY), document.documentElement.lang]).toEqual(['2026/11/21', 'ja'])
  prefer('en-US@posix', 'en-GB')
  setLocale('en')
  expect(dateText(atMs, DAY)).toBe('21 Nov 2026')
  prefer('en-US@posix')
  setLocale('en')
  expect(dateText(atMs, DAY)).toBe('Nov 21, 2026')
  prefer('fr')
  setLocale('ja')
  expect(dateText(atMs, DAY)).toBe('2026/11/21')
})

test('sentences have a space between them in English and none in Japanese, and what is empty is left out', () => {
  const joined = () => sentences('1.', '', '2.') + sentenceGap() + '3.'
  setLocale('en')
  expect(joined()).toBe('1. 2. 3.')
  setLocale('ja')
  expect(joined()).toBe('1.2.3.')
})

test('numbers are in the reader’s own form (D9)', () => {
  prefer('de', 'en-IN')
  setLocale('en')
  expect(numberText(1_234_567)).toBe('12,34,567')
})
