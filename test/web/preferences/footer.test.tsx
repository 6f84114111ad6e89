import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage } from '../_page.tsx'

afterEach(async () => loadLanguage('en'))

test('the footer is the same element on every page', async () => {
  const { user } = await openPage('/')
  await screen.findByText(NAME)
  const footer = screen.getByRole('contentinfo')
  await user.keyboard('gl')
  await screen.findByRole('heading', { level: 1, name: 'Ledger' })
  expect(screen.getByRole('contentinfo')).toBe(footer)
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  await screen.findByText('You are signed out')
  expect(screen.getByRole('contentinfo')).toBe(footer)
})

test('in Japanese the footer has no English sentence', async () => {
  await loadLanguage('ja')
  await openPage('/', await signedInNetwork('none'))
  const { textContent } = await screen.findByRole('contentinfo')
  expect(textContent).toContain('言語ブラウザーに合わせるEnglish日本語テーマ')
  expect(textContent).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,}/)
})
