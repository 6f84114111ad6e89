import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { List, Sentence } from '../../../src/web/text/sentence.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'

afterEach(() => loadLanguage('en'))

test('only the texts of every page are loaded before the sign-in, and the rest in the language in use', async () => {
  vi.resetModules()
  const fresh = await import('../../../src/web/text/text.ts')
  expect(() => fresh.text()).toThrow('not loaded')
  await fresh.loadLanguage('ja')
  expect(fresh.text().app.reload).toBe('再読み込み')
  expect(fresh.words()).not.toHaveProperty('header')
  const home = fresh.loadWords('home')
  // A person chooses it while the texts of the former language are loading.
  await fresh.loadLanguage('en')
  await home
  expect(fresh.words().header.signOut).toBe('Sign out')
  expect(fresh.words()).not.toHaveProperty('ledger')
  // These texts are wanted while another language is loading.
  const japanese = fresh.loadLanguage('ja')
  await Promise.all([fresh.loadWords('pages'), japanese])
  expect(fresh.words().ledger.title).toBe('リクエストの記録')
  expect(fresh.words().header.signOut).toBe('サインアウト')
})

test.each<[(wait: string) => string, string]>([
  [(wait) => `Possible in ${wait}.`, 'Possible in 5 sec.'],
  [(wait) => `${wait}後に使えます。`, '5 sec後に使えます。'],
])('an element takes the place of the value in the text: %s', (of, sentence) => {
  render(
    <p>
      <Sentence of={of}>
        <b>5 sec</b>
      </Sentence>
    </p>,
  )
  expect(screen.getByText('5 sec').tagName).toBe('B')
  expect(screen.getByText('5 sec').parentElement).toHaveTextContent(sentence)
})

test('a list has elements as its items', () => {
  render(
    <p>
      <List of={[<b key="aoi">Aoi</b>, '2 more']} />
    </p>,
  )
  expect(screen.getByText('Aoi').parentElement).toHaveTextContent(/^Aoi and 2 more$/)
})
