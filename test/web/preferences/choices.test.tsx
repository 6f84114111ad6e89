import { act, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { applyTheme } from '../../../src/web/preferences/preferences.ts'
import { navigate } from '../../../src/web/lib/router.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage, signOut } from '../_page.tsx'

afterEach(async () => {
  applyTheme(undefined)
  await loadLanguage('en')
})

test('another language changes the title, the document and all texts, and the focus stays', async () => {
  const { user, network } = await openPage('/nowhere', await signedInNetwork('none'))
  expect(document.title).toBe('Not found · Plimsoll')
  await user.selectOptions(screen.getByLabelText('Language'), '日本語')
  expect(await screen.findByRole('heading', { name: 'このアドレスには何もありません' })).toBeVisible()
  expect(document.title).toBe('ページがありません · Plimsoll')
  expect(document.documentElement.lang).toBe('ja')
  expect(screen.getByLabelText('言語')).toHaveFocus()
  expect(localStorage.getItem('plimsoll.language')).toBe('ja')
  expect(network.calls).toEqual([])
})

test('typed text stays when the language changes', async () => {
  const { user } = await openPage('/', await signedInNetwork('none'))
  await user.type(await screen.findByLabelText(/organization id/i), '1001')
  await user.selectOptions(screen.getByLabelText('Language'), 'ja')
  await screen.findByLabelText('言語')
  expect(screen.getByDisplayValue('1001')).toBeVisible()
})

test('each language has its name in its own language, and the first choice is the browser’s', async () => {
  const { user } = await openPage('/', await signedInNetwork('none'))
  const options = (await screen.findByLabelText('Language')).querySelectorAll('option')
  expect([...options].map(({ lang, text }) => [lang, text])).toEqual([
    ['', 'Automatic'],
    ['en', 'English'],
    ['ja', '日本語'],
  ])
  await user.selectOptions(screen.getByLabelText('Language'), 'ja')
  await user.selectOptions(await screen.findByLabelText('言語'), '自動')
  expect(await screen.findByLabelText('Language')).toHaveValue('')
  expect(localStorage).toHaveLength(0)
})

test('a signed-in page changes too, and sends nothing', async () => {
  const { user, network } = await openPage('/')
  await screen.findByText(NAME)
  const before = network.calls.length
  await user.click(screen.getByRole('button', { name: 'Account' }))
  await user.selectOptions(screen.getByLabelText('Language'), 'ja')
  expect(await screen.findByRole('button', { name: 'サインアウト' })).toBeVisible()
  expect(screen.getByText(NAME)).toBeVisible()
  expect(network.calls).toHaveLength(before)
})

test('a theme is shown and stored at once, and can go back to the system’s', async () => {
  const { user } = await openPage('/', await signedInNetwork('none'))
  const theme = await screen.findByLabelText('Theme')
  await user.selectOptions(theme, 'Dark')
  expect(document.documentElement.dataset['theme']).toBe('dark')
  expect(localStorage.getItem('plimsoll.theme')).toBe('dark')
  await user.selectOptions(theme, 'Automatic')
  expect(document.documentElement).not.toHaveAttribute('data-theme')
  expect(localStorage).toHaveLength(0)
})

test('the choices show a stored theme and a stored language', async () => {
  localStorage.setItem('plimsoll.theme', 'light')
  localStorage.setItem('plimsoll.language', 'en')
  await openPage('/', await signedInNetwork('none'))
  expect(await screen.findByLabelText('Theme')).toHaveValue('light')
  expect(screen.getByLabelText('Language')).toHaveValue('en')
  expect(document.documentElement.dataset['theme']).toBe('light')
})

test('the pages without a header have the choices in a footer, and the others have none', async () => {
  const { user } = await openPage('/guide')
  expect(await screen.findByRole('contentinfo')).toBeVisible()
  act(() => navigate('/'))
  await screen.findByText(NAME)
  expect(screen.queryByRole('contentinfo')).toBeNull()
  await user.keyboard('gl')
  await screen.findByRole('heading', { level: 1, name: 'Ledger' })
  expect(screen.queryByRole('contentinfo')).toBeNull()
  await signOut(user)
  await screen.findByText('You are signed out')
  expect(screen.getByRole('contentinfo')).toBeVisible()
})

test('in Japanese the footer has no English sentence', async () => {
  await loadLanguage('ja')
  await openPage('/', await signedInNetwork('none'))
  const { textContent } = await screen.findByRole('contentinfo')
  expect(textContent).toContain('言語自動English日本語テーマ')
  expect(textContent).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,}/)
})
