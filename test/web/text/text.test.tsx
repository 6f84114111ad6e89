import { afterEach, expect, test, vi } from 'vitest'
import { render, screen } from '@testing-library/react'
import { loadLanguage, signedInText, text } from '../../../src/web/text/text.ts'
import { agoWords } from '../../../src/web/lib/time.ts'
import { dateText, numberText, sentenceGap, sentences, setLocale } from '../../../src/web/text/language.ts'
import { Sentence } from '../../../src/web/text/sentence.tsx'

afterEach(async () => loadLanguage('en'))

test('another language changes every text, also those of a signed-in person', async () => {
  expect([text().app.reload, signedInText().header.signOut, agoWords(180_000)]).toEqual([
    'Reload',
    'Sign out',
    '3 minutes ago',
  ])
  await loadLanguage('ja')
  expect([text().app.reload, signedInText().header.signOut, agoWords(180_000)]).toEqual([
    '再読み込み',
    'サインアウト',
    '3分前',
  ])
})

test('only the texts of every page are loaded before the sign-in, and the rest in the language in use', async () => {
  vi.resetModules()
  const fresh = await import('../../../src/web/text/text.ts')
  expect(() => fresh.text()).toThrow('not loaded')
  await fresh.loadLanguage('ja')
  expect(fresh.text().app.reload).toBe('再読み込み')
  expect(() => fresh.signedInText()).toThrow('not loaded')
  const signedIn = fresh.loadSignedInText()
  // A person chooses it while the texts of the former language are loading.
  await fresh.loadLanguage('en')
  await signedIn
  expect(fresh.signedInText().header.signOut).toBe('Sign out')
  expect(() => fresh.sidePagesText()).toThrow('not loaded')
  // These texts are wanted while another language is loading.
  const japanese = fresh.loadLanguage('ja')
  await Promise.all([fresh.loadSidePagesText(), japanese])
  expect(fresh.sidePagesText().ledger.title).toBe('リクエストの記録')
})

const prefer = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags)
const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeZone: 'UTC' }

afterEach(() => setLocale('en'))

test('dates have the reader’s form of the language, and the document names the language (D9)', () => {
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

test('English sentences have a space between them, Japanese ones none, and empty ones are left out', () => {
  const joined = () => sentences('1.', '', '2.') + sentenceGap() + '3.'
  setLocale('en')
  expect(joined()).toBe('1. 2. 3.')
  setLocale('ja')
  expect(joined()).toBe('1.2.3.')
})

test('numbers have the reader’s own form (D9)', () => {
  prefer('de', 'en-IN')
  setLocale('en')
  expect(numberText(1_234_567)).toBe('12,34,567')
})

test.each<[(wait: string) => string, string]>([
  [(wait) => `Possible in ${wait}.`, 'Possible in 5 s.'],
  [(wait) => `${wait}後に使えます。`, '5 s後に使えます。'],
])('an element takes the place of the value in the text: %s', (of, words) => {
  render(
    <p>
      <Sentence of={of}>
        <b>5 s</b>
      </Sentence>
    </p>,
  )
  expect(screen.getByText('5 s').tagName).toBe('B')
  expect(screen.getByText('5 s').parentElement).toHaveTextContent(words)
})
