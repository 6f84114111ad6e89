import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { loadLanguage } from '../../src/web/text/text.ts'
import { signedInNetwork } from './_network.ts'
import { NAME, openPage } from './_page.tsx'

afterEach(async () => loadLanguage('en'))

test('the footer is the same element on every page, so that the focus in it stays while the page above changes', async () => {
  const { user } = await openPage('/')
  await screen.findByText(NAME)
  const footer = screen.getByRole('contentinfo')
  await user.keyboard('gl')
  await screen.findByRole('heading', { level: 1, name: 'Ledger' })
  expect(screen.getByRole('contentinfo')).toBe(footer)
  within(footer).getByLabelText('Theme').focus()
  screen.getByRole('button', { name: 'Sign out' }).click()
  await screen.findByText('You are signed out')
  expect(within(footer).getByLabelText('Theme')).toHaveFocus()
})

test('in Japanese the footer has no English sentence', async () => {
  await loadLanguage('ja')
  await openPage('/', await signedInNetwork('none'))
  const { textContent } = await screen.findByRole('contentinfo')
  expect(textContent).toContain('言語ブラウザーに合わせるEnglish日本語テーマ')
  expect(textContent).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,}/)
})
