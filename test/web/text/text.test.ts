import { afterEach, expect, test, vi } from 'vitest'
import { loadLanguage, signedInText, text } from '../../../src/web/text/text.ts'
import { agoWords } from '../../../src/web/lib/time.ts'

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
