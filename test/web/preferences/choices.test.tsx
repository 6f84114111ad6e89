import { act, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import {
  storedChoices,
  applyTheme,
  chooseLanguage,
  preferences,
} from '../../../src/web/preferences/preferences.ts'
import { navigate } from '../../../src/web/lib/router.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage, signOut } from '../_page.tsx'
import { GUIDE_PATH, PAIR_PATH, PATHS } from '../../../src/contract/page.ts'
import { makeLink } from '../../bff/watch/_links.ts'

afterEach(async () => {
  applyTheme(undefined)
  preferences.setState({}, true)
  await loadLanguage('en')
})

const root = document.documentElement

/** Three Latin words in a row. Fewer may be a name. */
const SENTENCE = /[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/g
const ATTRIBUTES = ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt']

/** In the texts of the page and in attributes that are read out, data included. */
function latinSentences(): string[] {
  const elements = [...document.querySelectorAll('body, body *')]
  const attributes = elements.flatMap((element) => ATTRIBUTES.map((name) => element.getAttribute(name) ?? ''))
  return [document.body.textContent, ...attributes].flatMap((text) => text.match(SENTENCE) ?? [])
}

test('a chosen language holds at once: for the title and the document too; the focus and typed text stay', async () => {
  const { user, network } = await openPage('/', await signedInNetwork('none'))
  await user.type(await screen.findByLabelText(/organization id/i), '1001')
  const before = network.calls.length
  await user.selectOptions(screen.getByLabelText('Language'), '日本語')
  expect(await screen.findByRole('button', { name: 'サインイン・1～2リクエスト' })).toBeVisible()
  expect([document.title, root.lang]).toEqual(['サインイン · Plimsoll', 'ja'])
  expect(screen.getByLabelText('言語')).toHaveFocus()
  expect(screen.getByDisplayValue('1001')).toBeVisible()
  expect(storedChoices().language).toBe('ja')
  expect(network.calls).toHaveLength(before)
})

/** Data that the page joins with other words. */
const JOINED = ['PlimsollHarbour Rope Works', 'Port Ellery PE']
const SIGNED_OUT = ['/', GUIDE_PATH, PAIR_PATH, '/nowhere']
const SIGNED_IN = ['/', '/organizations/2002', ...Object.values(PATHS)]

test.each([
  ...SIGNED_OUT.map((path) => ['none', path] as const),
  ...SIGNED_IN.map((path) => ['oauth', path] as const),
])('in Japanese no English sentence is left for a session by %s at %s (D9)', async (by, path) => {
  await loadLanguage('ja')
  const network = await signedInNetwork(by)
  if (by === 'oauth') {
    await network.browser.request('POST', '/bff/readings', { json: { count: 60 } })
    await makeLink(network.browser, { name: '台所' })
  }
  const data = JSON.stringify(network.fixture.seed)
  await openPage(path, network)
  await screen.findByRole('heading', { level: 1 })
  await expect.poll(() => document.querySelector('[aria-busy=true]')).toBeNull()
  expect(latinSentences().filter((words) => !data.includes(words) && !JOINED.includes(words))).toEqual([])
})

test('each language has its name in its own language, and the first choice is the browser’s', async () => {
  const { user } = await openPage('/', await signedInNetwork('none'))
  const choice = await screen.findByLabelText('Language')
  expect([...choice.querySelectorAll('option')].map(({ lang, text }) => [lang, text])).toEqual([
    ['', 'Automatic'],
    ['en', 'English'],
    ['ja', '日本語'],
  ])
  await user.selectOptions(choice, 'ja')
  await expect.poll(() => root.lang).toBe('ja')
  await user.selectOptions(choice, '')
  expect(await screen.findByLabelText('Language')).toHaveValue('')
  expect(storedChoices().language).toBeUndefined()
})

test('a theme is shown and stored at once, and can go back to the system’s', async () => {
  const { user } = await openPage('/', await signedInNetwork('none'))
  const theme = await screen.findByLabelText('Theme')
  await user.selectOptions(theme, 'Dark')
  expect(root.dataset['theme']).toBe('dark')
  expect(storedChoices().theme).toBe('dark')
  await user.selectOptions(theme, 'Automatic')
  expect(root).not.toHaveAttribute('data-theme')
  expect(storedChoices().theme).toBeUndefined()
})

test('the pages without a header have the choices in a footer, and the others have none', async () => {
  const { user } = await openPage('/guide')
  expect(await screen.findByRole('contentinfo')).toBeVisible()
  act(() => navigate('/'))
  await screen.findByText(NAME)
  expect(screen.queryByRole('contentinfo')).toBeNull()
  act(() => navigate('/ledger'))
  await screen.findByRole('heading', { level: 1, name: 'Ledger' })
  expect(screen.queryByRole('contentinfo')).toBeNull()
  await signOut(user)
  await screen.findByText('You are signed out')
  expect(screen.getByRole('contentinfo')).toBeVisible()
})

test('the second of two chosen languages holds, however long the first takes', async () => {
  await openPage('/', await signedInNetwork('none'))
  await Promise.all([chooseLanguage('ja'), chooseLanguage('en')])
  expect(root.lang).toBe('en')
  expect(preferences.getState().language).toBe('en')
  expect(storedChoices().language).toBe('en')
})

test('a choice in another tab holds in this one (D9)', async () => {
  await openPage('/', await signedInNetwork('none'))
  await screen.findByLabelText('Theme')
  const tab = new BroadcastChannel('plimsoll.choices')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
  const choose = (choice: object) => tab.postMessage(choice)
  choose({ theme: 'dark' })
  await expect.poll(() => root.dataset['theme']).toBe('dark')
  choose({ language: 'ja' })
  expect(await screen.findByRole('button', { name: 'サインイン・1～2リクエスト' })).toBeVisible()
  expect(root.dataset['theme']).toBe('dark')
  choose({ theme: undefined })
  await expect.poll(() => root.dataset['theme']).toBeUndefined()
  tab.close()
})
